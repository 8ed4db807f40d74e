/**
 * Colours of the dark theme. Gains and losses are bluish green and vermilion, which readers with any colour vision can
 * distinguish.
 */
const dark = `
  --page: #0e1116; --raised: #141920; --soft: #181d25; --ink: #e6e9ee; --ink2: #a9b0bc; --ink3: #8a92a0; --rule: #262d37; --grid: #1c222a;
  --equity: #7aa7ff; --bench: #8a919e; --up: #35c2a0; --down: #ff8560; --warn: #efb253; --warn-soft: #2a2213;
  --error-soft: #33190f; --mark: #b7bec9; --last: #515a68; --band: #7aa7ff22; --heat-up: 46 178 146; --heat-down: 255 133 96;
  --c1: #b7bec9; --c2: #7aa7ff; --c3: #35c2a0; --c4: #efb253; --c5: #ff8560; --c6: #d796c4; --c7: #6fc3ee; --c8: #a8a25a;
`;

/** The page's style sheet. System fonts, one palette for light and one for dark, nothing fetched. */
export const style = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --raised: #ffffff; --soft: #f5f6f7; --ink: #16191f; --ink2: #525966; --ink3: #646c79; --rule: #e2e4e8; --grid: #eceef1;
  --equity: #2458c9; --bench: #8d95a3; --up: #00795c; --down: #bf3f18; --warn: #9a5b00; --warn-soft: #fdf4e3;
  --error-soft: #fdece5; --mark: #434a57; --last: #c0c6cf; --band: #2458c91a; --heat-up: 0 121 92; --heat-down: 196 66 26;
  --c1: #434a57; --c2: #2458c9; --c3: #00795c; --c4: #b87400; --c5: #c4421a; --c6: #a3488a; --c7: #2385b5; --c8: #77722a;
  --top: 84px;
}
@media screen and (prefers-color-scheme: dark) { :root:not([data-theme="light"]) {${dark}} }
@media screen { :root[data-theme="dark"] { color-scheme: dark; ${dark} } }
:root[data-theme="light"] { color-scheme: light; }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: var(--top); }
body {
  margin: 0; background: var(--page); color: var(--ink); font: 14.5px/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI",
  Roboto, "Helvetica Neue", Arial, sans-serif; font-variant-numeric: tabular-nums; -webkit-font-smoothing: antialiased; overflow-wrap: break-word;
}
[hidden] { display: none !important; }
main, .top-row, .top nav { max-width: 1240px; margin: 0 auto; padding-left: 28px; padding-right: 28px; }
main { padding-top: 26px; padding-bottom: 72px; }
h1 { font-size: 28px; line-height: 1.2; letter-spacing: -0.015em; font-weight: 650; margin: 2px 0 8px; overflow-wrap: anywhere; }
h2 { font-size: 17px; font-weight: 650; letter-spacing: -0.005em; margin: 48px 0 6px; }
h2 + .lede { margin-bottom: 14px; }
h3 { font-size: 13px; font-weight: 600; margin: 0; min-width: 0; overflow-wrap: anywhere; }
h3.apart { margin: 30px 0 8px; }
h3 small { font-weight: 400; color: var(--ink3); font-size: 12px; margin-left: 4px; }
p { margin: 0 0 8px; max-width: 78ch; }
a { color: inherit; text-decoration-color: var(--ink3); text-underline-offset: 3px; }
code, .mono, pre { font-family: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 12.5px; }
:focus-visible { outline: 2px solid var(--equity); outline-offset: 2px; border-radius: 2px; }
.top { position: sticky; top: 0; z-index: 10; background: color-mix(in srgb, var(--page) 92%, transparent); backdrop-filter: blur(8px); border-bottom: 1px solid var(--rule); }
.top-row { display: flex; align-items: center; gap: 26px; padding-top: 9px; padding-bottom: 7px; min-height: 46px; }
.top-name { font-size: 14px; font-weight: 650; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 90px; flex: 0 1 auto; }
.top dl { display: flex; gap: 22px; margin: 0 auto 0 0; overflow: hidden; flex: 0 1000 auto; flex-wrap: wrap; height: 22px; }
.top dl div { display: flex; gap: 6px; align-items: baseline; white-space: nowrap; height: 22px; }
.top dt { color: var(--ink3); font-size: 12px; } .top dd { margin: 0; font-weight: 600; font-size: 13px; }
.top nav { display: flex; gap: 20px; overflow-x: auto; scrollbar-width: none; font-size: 12.5px; padding-bottom: 7px; }
.top nav a { color: var(--ink2); text-decoration: none; white-space: nowrap; padding: 2px 0; } .top nav a:hover { color: var(--ink); text-decoration: underline; }
button { font: inherit; font-size: 12px; line-height: 1.35; color: var(--ink2); background: var(--raised); border: 1px solid var(--rule); border-radius: 5px; padding: 3px 9px; cursor: pointer; }
button:hover { color: var(--ink); border-color: var(--ink3); } button:disabled { opacity: .45; cursor: default; border-color: var(--rule); }
button[aria-pressed="true"] { background: var(--ink); color: var(--page); border-color: var(--ink); }
#theme { width: 30px; height: 26px; padding: 0; font-size: 13px; flex: none; }
input[type="search"] { font: inherit; font-size: 12.5px; color: var(--ink); background: var(--raised); border: 1px solid var(--rule); border-radius: 5px; padding: 4px 9px; width: 320px; max-width: 100%; }
.eyebrow { color: var(--ink3); font-size: 12.5px; margin: 0; }
.lede { color: var(--ink2); font-size: 13.5px; }
.sub { color: var(--ink2); } .strategy-name { margin: 14px 0 0; } .strategy-name + .chips { margin-top: 6px; } .facts span { display: inline-block; max-width: 100%; } .facts span:not(:last-child)::after { content: "\\00b7"; margin: 0 8px; color: var(--ink3); }
.chips { display: flex; flex-wrap: wrap; gap: 6px; padding: 0; margin: 12px 0 0; list-style: none; }
.chips li { background: var(--soft); border-radius: 5px; padding: 2px 9px; font-size: 12.5px; color: var(--ink2); overflow-wrap: anywhere; }
.chips b { font-weight: 550; color: var(--ink); }
.notices { list-style: none; margin: 18px 0 0; padding: 0; display: grid; gap: 6px; }
.notices li { background: var(--warn-soft); border-left: 3px solid var(--warn); padding: 7px 12px; border-radius: 3px; font-size: 13.5px; overflow-wrap: anywhere; }
.notices .error { background: var(--error-soft); border-color: var(--down); }
.kpis { display: grid; grid-template-columns: repeat(4, 1fr); margin: 24px 0 0; border: 1px solid var(--rule); border-radius: 8px; background: var(--rule); gap: 1px; }
.kpis > div { padding: 13px 16px 12px; background: var(--raised); min-width: 0; position: relative; }
.kpis > div:first-child { border-top-left-radius: 7px; } .kpis > div:nth-child(4) { border-top-right-radius: 7px; } .kpis > div:nth-child(5) { border-bottom-left-radius: 7px; } .kpis > div:last-child { border-bottom-right-radius: 7px; }
.kpis > div:first-child:nth-last-child(4) { border-bottom-left-radius: 7px; } .kpis + .scroll, .kpis + .stack { margin-top: 24px; }
.kpis.three { grid-template-columns: repeat(3, 1fr); overflow: hidden; } .kpis.three > div { border-radius: 0; }
.kpis dt { font-size: 12.5px; color: var(--ink2); }
.kpis dd { margin: 0; }
.kpis .value { font-size: 23px; line-height: 1.3; font-weight: 620; letter-spacing: -0.02em; white-space: nowrap; }
.kpis .detail { font-size: 12px; color: var(--ink3); }
.term { border-bottom: 1px dotted var(--ink3); cursor: help; }
.term .tip { display: none; position: absolute; z-index: 5; left: 10px; right: 10px; top: calc(100% - 6px); background: var(--ink); color: var(--page); font-size: 12px; font-weight: 400; line-height: 1.45; padding: 7px 10px; border-radius: 5px; white-space: normal; }
.term:hover .tip, .term:focus .tip { display: block; }
.scroll tr.has-tip:nth-last-child(-n + 2) .tip { top: auto; bottom: 100%; } tr.has-tip { position: relative; } tr.has-tip .tip { top: 100%; left: 0; right: auto; width: min(380px, 82vw); }
.gain { color: var(--up); } .pain { color: var(--down); } .none { color: var(--ink3); }
.stack { scroll-margin-top: var(--top); }
.controls { position: sticky; top: calc(var(--top) - 8px); z-index: 6; background: var(--page); padding: 8px 76px 6px 0; border-bottom: 1px solid var(--rule); margin-bottom: 16px; }
.controls-row { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: center; margin-bottom: 6px; }
.controls .range { font-size: 12.5px; font-weight: 600; margin-right: auto; }
.spans, .zooms { display: inline-flex; gap: 4px; }
.strip { position: relative; height: 44px; background: var(--soft); border-radius: 4px; overflow: hidden; cursor: crosshair; touch-action: none; }
.strip svg { width: 100%; height: 100%; display: block; } .strip .grid, .strip .zero { display: none; }
.window { position: absolute; top: 0; bottom: 0; left: 0; width: 100%; background: var(--band); border: 1px solid var(--equity); border-radius: 3px; cursor: grab; }
.grip { position: absolute; top: 0; bottom: 0; width: 10px; cursor: ew-resize; } .grip.from { left: -2px; } .grip.to { right: -2px; }
.grip::after { content: ""; position: absolute; top: 13px; bottom: 13px; left: 4px; width: 2px; background: var(--equity); border-radius: 1px; }
.hint { font-size: 11.5px; color: var(--ink3); margin: 5px 0 0; max-width: none; }
kbd { font: inherit; border: 1px solid var(--rule); border-radius: 3px; padding: 0 4px; background: var(--soft); }
.folded { border: 1px solid var(--rule); border-radius: 6px; padding: 8px 12px; margin: 0 0 18px; } .folded[open] > summary { margin-bottom: 14px; }
.chart { margin: 0 0 20px; }
.chart figcaption { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 16px; margin-bottom: 6px; padding-right: 76px; }
.chart h3 { margin-right: auto; } .chart .log { padding: 0 7px; font-size: 11px; }
.legend { display: flex; flex-wrap: wrap; gap: 0 16px; list-style: none; margin: 0; padding: 0; font-size: 12px; color: var(--ink2); }
.legend li { overflow-wrap: anywhere; min-width: 0; } .legend output { color: var(--ink); font-weight: 550; margin-left: 3px; display: inline-block; text-align: right; }
.key { display: inline-block; width: 12px; height: 2.5px; border-radius: 2px; margin-right: 6px; vertical-align: 3.5px; background: var(--tone); }
.key.dot { width: 0; height: 0; background: none; border: 4px solid transparent; border-bottom: 7px solid var(--tone); border-top: 0; vertical-align: 0; border-radius: 0; }
.key.dot.sell { border-bottom: 0; border-top: 7px solid var(--tone); } .key.dot.liquidation { border: 0; width: 7px; height: 7px; background: var(--tone); transform: rotate(45deg); vertical-align: 1px; }
.frame { position: relative; padding: 0 76px 22px 0; }
.plot { position: relative; height: 100%; border-bottom: 1px solid var(--rule); cursor: crosshair; touch-action: pan-y; overflow: hidden; user-select: none; -webkit-user-select: none; }
.plot svg { position: absolute; inset: 0; width: 100%; height: 100%; display: block; }
.plot path, .strip path { vector-effect: non-scaling-stroke; fill: none; }
.plot .grid { stroke: var(--grid); stroke-width: 1; } .zero { stroke: var(--ink3); stroke-width: 1; opacity: .6; }
.event { stroke: var(--down); stroke-width: 1; stroke-dasharray: 2 3; opacity: .75; }
.threshold { stroke: var(--down); stroke-width: 1.25; }
.plot .band { fill: var(--band); }
.line { stroke: var(--tone); stroke-width: 1.5; stroke-linejoin: round; stroke-linecap: round; }
.line.bench, .line.last { stroke-width: 1.1; } .line.dashed { stroke-dasharray: 4 3; stroke-width: 1.2; stroke-linecap: butt; }
.plot .fill, .strip .fill { fill: var(--tone); opacity: .13; }
.plot .bars { fill: var(--tone); }
.plot .dots { fill: var(--tone); stroke: var(--page); stroke-width: 1; paint-order: stroke; } .plot .dots.many { opacity: .85; stroke-width: .6; }
.equity { --tone: var(--equity); } .bench { --tone: var(--bench); } .mark { --tone: var(--mark); } .last { --tone: var(--last); }
.loss, .down, .sell { --tone: var(--down); } .up, .buy { --tone: var(--up); } .warn, .liquidation { --tone: var(--warn); } .neutral { --tone: var(--ink2); }
.c1 { --tone: var(--c1); } .c2 { --tone: var(--c2); } .c3 { --tone: var(--c3); } .c4 { --tone: var(--c4); } .c5 { --tone: var(--c5); } .c6 { --tone: var(--c6); } .c7 { --tone: var(--c7); } .c8 { --tone: var(--c8); }
.frame .y, .frame .x { position: absolute; font-size: 11px; color: var(--ink3); line-height: 1; white-space: nowrap; }
.y-axis { position: absolute; top: 0; bottom: 22px; right: 0; width: 68px; }
.y-axis .y { transform: translateY(-50%); left: 0; }
.x-axis { position: absolute; left: 0; right: 76px; bottom: 0; height: 14px; }
.x-axis .x { transform: translateX(-50%); top: 0; }
.x-axis .x.edge { transform: none; } .x-axis .x.end { transform: translateX(-100%); }
.tag { position: absolute; left: 8px; transform: translateY(4px); font-size: 11px; color: var(--down); line-height: 1; background: var(--page); padding: 1px 3px; border-radius: 2px; }
.cross { position: absolute; top: 0; bottom: 0; width: 0; border-left: 1px solid var(--ink2); pointer-events: none; }
.cross span { position: absolute; bottom: 5px; left: 7px; background: var(--ink); color: var(--page); font-size: 11.5px; line-height: 1.4; padding: 3px 7px; border-radius: 4px; white-space: pre; }
.cross.right span { left: auto; right: 7px; } .cross span:empty { display: none; }
.drag { position: absolute; top: 0; bottom: 0; background: var(--band); border: solid var(--equity); border-width: 0 1px; pointer-events: none; }
.columns { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 8px 56px; align-items: start; }
.scroll { overflow-x: auto; } .scroll td.note { width: auto; } .scroll td.n + td:not(.n, .bar), .scroll th.n + th:not(.n, .bar) { padding-left: 14px; } .scroll td:first-child { white-space: nowrap; }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
caption { text-align: left; font-weight: 600; padding: 12px 0 6px; font-size: 13px; }
th, td { padding: 5px 14px 5px 0; text-align: left; border-bottom: 1px solid var(--rule); vertical-align: baseline; }
th:last-child, td:last-child { padding-right: 0; }
thead th { font-weight: 500; color: var(--ink3); font-size: 12px; white-space: nowrap; vertical-align: bottom; } thead small { font-size: 11px; }
tbody th { font-weight: 400; color: var(--ink2); } section > table td { overflow-wrap: anywhere; }
.n { text-align: right; white-space: nowrap; } .when, td.t { white-space: nowrap; } td.w { min-width: 280px; overflow-wrap: anywhere; color: var(--ink2); font-size: 12px; } td.note { color: var(--ink3); font-size: 12px; width: 34%; white-space: nowrap; }
.data { margin-top: 10px; } .tools { display: flex; flex-wrap: wrap; gap: 8px; margin-bottom: 8px; }
.pager { display: flex; gap: 12px; align-items: center; font-size: 12.5px; color: var(--ink3); padding: 8px 0 0; }
th.sorts { cursor: pointer; user-select: none; } th.sorts:hover { color: var(--ink); }
th[aria-sort="ascending"]::after { content: " \\2191"; } th[aria-sort="descending"]::after { content: " \\2193"; } th[aria-sort="ascending"], th[aria-sort="descending"] { color: var(--ink); }
.zooms-charts tr[data-row] { cursor: pointer; } .zooms-charts tr[data-row]:hover td { background: var(--soft); } tr.chosen td { background: var(--band); }
td.bar { width: 42%; min-width: 130px; } tfoot th, tfoot td { font-weight: 600; border-bottom: 0; }
.bars-table { table-layout: fixed; } .bars-table .group { font-weight: 600; color: var(--ink); padding-top: 18px; }
.share { position: relative; height: 11px; } .share i { position: absolute; top: 0; bottom: 0; background: var(--tone); border-radius: 1px; min-width: 1px; }
.share b { position: absolute; top: -3px; bottom: -3px; width: 1px; background: var(--rule); }
.share i.up { background: var(--up); } .share i.down { background: var(--down); } tr.base td, tr.base th { background: var(--soft); } .tornado .share b, .columns .share b { background: var(--ink3); } .tornado td.bar { width: 60%; }
.best { color: var(--up); font-weight: 600; } .best::before { content: "\\25b4 "; } .worst { color: var(--down); } .worst::before { content: "\\25be "; } td.unit { color: var(--ink3); font-size: 12px; }
.pair { display: grid; gap: 4px; margin: 10px 0 0; font-size: 13.5px; } .pair div { display: flex; gap: 10px; } .pair dt { font-weight: 600; white-space: nowrap; } .pair dd { margin: 0; color: var(--ink2); overflow-wrap: anywhere; min-width: 0; }
.differences { table-layout: fixed; } .differences th.w { overflow-wrap: anywhere; font-size: 12px; } .differences td.w { min-width: 0; color: var(--ink); } .differences + p { margin-top: 4px; } h3 + .scroll { margin-bottom: 16px; }
tr.same td, tr.same th { color: var(--ink3); } tr.differs th { color: var(--ink); }
ul.plain { margin: 0; padding-left: 18px; } ul.plain li { margin-bottom: 4px; max-width: 84ch; }
.empty { color: var(--ink3); font-size: 13.5px; }
.box { background: var(--soft); border-radius: 6px; padding: 14px 16px; margin-bottom: 14px; position: relative; }
.box code { display: block; white-space: pre-wrap; overflow-wrap: anywhere; padding-right: 64px; }
.box button { position: absolute; top: 10px; right: 10px; }
.hash { overflow-wrap: anywhere; }
.months { table-layout: fixed; min-width: 680px; } .months th, .months td { padding: 5px 8px; border: 2px solid var(--page); } .months td.n { border-radius: 5px; } .months th { white-space: nowrap; }
.heat { background: rgb(var(--heat) / var(--share)); } .heat.hot { --heat: var(--heat-up); } .heat.cold { --heat: var(--heat-down); }
.histogram { position: relative; height: 150px; margin: 10px 0 26px; border-bottom: 1px solid var(--rule); display: flex; align-items: flex-end; gap: 1px; }
.histogram i { flex: 1; background: var(--tone); border-radius: 1px 1px 0 0; min-height: 0; } .histogram i.filled { min-height: 1px; }
.histogram span { position: absolute; bottom: -19px; font-size: 11px; line-height: 1; color: var(--ink3); transform: translateX(-50%); white-space: nowrap; }
.histogram span:first-of-type { transform: none; } .histogram span:last-of-type { transform: translateX(-100%); }
.choices { display: flex; flex-wrap: wrap; gap: 6px 16px; margin: 0 0 12px; font-size: 12.5px; color: var(--ink2); }
select { font: inherit; font-size: 12.5px; color: var(--ink); background: var(--raised); border: 1px solid var(--rule); border-radius: 5px; padding: 3px 6px; max-width: 240px; }
.map { display: flex; flex-wrap: wrap; gap: 14px 28px; } .map figure { margin: 0; } .map figcaption { font-size: 12.5px; font-weight: 600; padding: 0 0 4px 8px; }
.map table { width: auto; border-collapse: separate; border-spacing: 2px; font-size: 12.5px; } .map th { border: 0; padding: 2px 8px; color: var(--ink2); text-align: right; font-weight: 500; }
.map tbody th { position: sticky; left: 0; z-index: 1; background: var(--page); }
.map td { border: 0; padding: 0; border-radius: 4px; text-align: right; background: color-mix(in srgb, var(--equity) calc(5% + var(--share, 0) * 50%), var(--page)); }
.map td > * { display: block; width: 100%; min-width: 60px; padding: 5px 9px; border: 0; border-radius: 4px; background: none; color: inherit; font: inherit; text-align: right; text-decoration: none; white-space: nowrap; }
.map td > :hover { outline: 2px solid var(--ink); outline-offset: -1px; } .map td > button:hover { border: 0; } .map td.hole { background: none; }
.map td.liquidated, .heat-key .liquidated { background: color-mix(in srgb, var(--down) 48%, var(--page)); }
.map td.wipedOut, .heat-key .wipedOut { background: var(--down); color: var(--page); }
.map td.idle, .heat-key .idle { background: var(--soft); color: var(--ink3); }
.map td.failed, .heat-key .failed { background: repeating-linear-gradient(135deg, var(--rule) 0 3px, var(--soft) 3px 7px); color: var(--ink2); }
.heat-key { display: flex; flex-wrap: wrap; gap: 4px 18px; list-style: none; margin: 10px 0 16px; padding: 0; font-size: 12px; color: var(--ink2); }
.heat-key i { display: inline-block; width: 14px; height: 12px; border-radius: 3px; vertical-align: -1px; margin-right: 3px; }
.heat-key .low { background: color-mix(in srgb, var(--equity) 5%, var(--page)); } .heat-key .high { background: color-mix(in srgb, var(--equity) 55%, var(--page)); }
.chosen-run p { white-space: pre-line; font-size: 13px; } .best-of { margin-top: 22px; } .best-of + .kpis { margin-top: 8px; }
details { margin: 14px 0 0; } summary { cursor: pointer; color: var(--ink2); font-size: 13.5px; }
details dl { font-size: 13px; columns: 2; column-gap: 56px; margin: 12px 0 0; } details dt { font-weight: 550; } details dd { margin: 0 0 9px; color: var(--ink2); break-inside: avoid; }
.liq { border-top: 1px solid var(--rule); margin: 0; padding: 12px 0 4px; } .liq h3 { font-size: 13.5px; margin-bottom: 4px; display: inline; } .liq p { font-size: 13px; color: var(--ink2); }
.liq summary b { color: var(--ink); font-weight: 600; } .liq table { margin: 8px 0 10px; } .stages { font-size: 12.5px; color: var(--ink3); }
.steps { margin: 10px 0; padding-left: 20px; font-size: 13.5px; color: var(--ink2); max-width: 92ch; } .steps li { margin-bottom: 5px; } .steps b { color: var(--ink); font-weight: 600; }
footer { margin-top: 56px; border-top: 1px solid var(--rule); padding-top: 12px; color: var(--ink3); font-size: 12.5px; }
@media (max-width: 760px) {
  :root { --top: 76px; }
  main, .top-row, .top nav { padding-left: 16px; padding-right: 16px; } main { padding-top: 18px; padding-bottom: 48px; }
  h1 { font-size: 23px; } h2 { margin-top: 38px; }
  .top-row { gap: 14px; } .top dl { gap: 14px; } .top-name { max-width: 46vw; }
  .kpis { grid-template-columns: repeat(2, 1fr); } .kpis > div { padding: 10px 12px; } .kpis .value { font-size: 18px; white-space: normal; overflow-wrap: anywhere; }
  .kpis.three { grid-template-columns: 1fr; }
  .kpis > div:nth-child(4) { border-radius: 0; } .kpis > div:nth-child(2) { border-top-right-radius: 7px; } .kpis > div:nth-child(5) { border-radius: 0; } .kpis > div:nth-child(7) { border-bottom-left-radius: 7px; }
  .columns { grid-template-columns: minmax(0, 1fr); } details dl { columns: 1; }
  .frame { padding-right: 58px; } .y-axis { width: 52px; } .x-axis { right: 58px; }
  .controls, .chart figcaption { padding-right: 0; } .controls .range { width: 100%; } .hint { display: none; } .strip { height: 34px; }
  td.note { white-space: normal; } .data td.w { min-width: 680px; }
  .legend { gap: 0 12px; } .frame .y, .frame .x { font-size: 10.5px; } td.bar { min-width: 80px; width: 30%; }
  .stack .frame svg { max-width: 100%; }
}
@media (max-width: 760px) and (scripting: none) { .x-axis .odd { display: none; } }
@media print {
  :root, :root[data-theme="dark"] { color-scheme: light; }
  .share i, .heat, .map td, .heat-key i, .key, .histogram i, .kpis { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .scroll { overflow: visible; } .data table { font-size: 9px; } .data th, .data td { padding: 3px 6px 3px 0; } .data thead th { white-space: normal; font-size: 8.5px; }
  .top { position: static; } .controls, .tools, .pager button, #theme, .log, .box button { display: none !important; }
  main { max-width: none; padding: 0; } .chart, tr, .liq { break-inside: avoid; } h2 { break-after: avoid; } body { font-size: 12px; }
}
`;
