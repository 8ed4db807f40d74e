/** The page's style sheet. System fonts, one palette for light and one for dark, nothing fetched. */
export const style = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --soft: #f6f6f4; --ink: #17191e; --ink2: #565b65; --ink3: #868c96; --rule: #e5e5e1; --grid: #eeeeeb;
  --equity: #2a55d4; --bench: #9298a3; --up: #0a8560; --down: #cf3f2c; --warn: #a86200; --warn-soft: #fdf5e6;
  --error-soft: #fdeeeb; --mark: #4a505c; --last: #c3c7ce;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f1217; --soft: #171b22; --ink: #e7e9ed; --ink2: #a5abb6; --ink3: #757c88; --rule: #272d37; --grid: #1d222a;
    --equity: #7ba2ff; --bench: #7c8491; --up: #3fcb98; --down: #ff7d69; --warn: #efb253; --warn-soft: #2a2213;
    --error-soft: #2e1a18; --mark: #aab1bd; --last: #4d5562;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI",
  Roboto, "Helvetica Neue", Arial, sans-serif; font-variant-numeric: tabular-nums; -webkit-font-smoothing: antialiased;
}
main { max-width: 1120px; margin: 0 auto; padding: 40px 28px 72px; }
h1 { font-size: 30px; line-height: 1.2; letter-spacing: -0.015em; font-weight: 650; margin: 2px 0 8px; overflow-wrap: anywhere; }
h2 { font-size: 18px; font-weight: 650; letter-spacing: -0.005em; margin: 52px 0 14px; }
h3 { font-size: 13.5px; font-weight: 600; margin: 0; }
h3 small { font-weight: 400; color: var(--ink3); font-size: 12.5px; margin-left: 6px; }
p { margin: 0 0 8px; max-width: 76ch; }
code, .mono { font-family: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 12.5px; }
.eyebrow { color: var(--ink3); font-size: 12.5px; margin: 0; }
.sub { color: var(--ink2); } .facts span { white-space: nowrap; } .facts span + span::before { content: "\\00b7"; margin: 0 8px; color: var(--ink3); }
.chips { display: flex; flex-wrap: wrap; gap: 6px; padding: 0; margin: 14px 0 0; list-style: none; }
.chips li { background: var(--soft); border-radius: 5px; padding: 2px 9px; font-size: 12.5px; color: var(--ink2); overflow-wrap: anywhere; }
.chips b { font-weight: 550; color: var(--ink); }
.notices { list-style: none; margin: 20px 0 0; padding: 0; display: grid; gap: 6px; }
.notices li { background: var(--warn-soft); border-left: 3px solid var(--warn); padding: 7px 12px; border-radius: 3px; font-size: 14px; }
.notices .error { background: var(--error-soft); border-color: var(--down); }
.kpis { display: grid; grid-template-columns: repeat(4, 1fr); margin: 30px 0 0; border-top: 1px solid var(--rule); }
.kpis div { padding: 16px 16px 15px 0; border-bottom: 1px solid var(--rule); min-width: 0; }
.kpis dt { font-size: 12.5px; color: var(--ink2); }
.kpis dd { margin: 0; }
.kpis .value { font-size: 25px; line-height: 1.3; font-weight: 600; letter-spacing: -0.02em; white-space: nowrap; }
.kpis .detail { font-size: 12.5px; color: var(--ink3); }
.gain { color: var(--up); } .pain { color: var(--down); } .none { color: var(--ink3); }
.chart { margin: 0 0 26px; }
.chart figcaption { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 2px 20px; margin-bottom: 8px; }
.legend { display: flex; flex-wrap: wrap; gap: 0 18px; list-style: none; margin: 0; padding: 0; font-size: 12.5px; color: var(--ink2); }
.legend output { color: var(--ink); font-weight: 550; margin-left: 3px; display: inline-block; text-align: right; }
.key { display: inline-block; width: 12px; height: 2.5px; border-radius: 2px; margin-right: 6px; vertical-align: 3.5px; background: var(--tone); }
.key.dot { width: 7px; height: 7px; border-radius: 50%; vertical-align: 1px; }
.key.dot.sell { border-radius: 1px; }
.frame { position: relative; padding: 0 76px 22px 0; }
.plot { position: relative; height: 100%; border-bottom: 1px solid var(--rule); cursor: crosshair; touch-action: pan-y; }
.plot svg { position: absolute; inset: 0; width: 100%; height: 100%; overflow: visible; display: block; }
.plot path { vector-effect: non-scaling-stroke; fill: none; }
.grid { stroke: var(--grid); stroke-width: 1; } .zero { stroke: var(--ink3); stroke-width: 1; opacity: .6; }
.event { stroke: var(--down); stroke-width: 1; stroke-dasharray: 2 3; opacity: .75; }
.threshold { stroke: var(--down); stroke-width: 1.25; }
.plot .line { stroke: var(--tone); stroke-width: 1.5; stroke-linejoin: round; }
.plot .line.bench, .plot .line.last { stroke-width: 1.1; }
.plot .fill { fill: var(--tone); opacity: .13; }
.plot .bars { fill: var(--tone); }
.plot .dots { stroke: var(--tone); stroke-width: 6; stroke-linecap: round; }
.plot .dots.sell { stroke-linecap: square; stroke-width: 5; }
.plot .dots.liquidation { stroke-width: 9; } .plot .dots.many { stroke-width: 3.2; opacity: .85; }
.equity { --tone: var(--equity); } .bench { --tone: var(--bench); } .mark { --tone: var(--mark); } .last { --tone: var(--last); }
.loss, .down, .sell { --tone: var(--down); } .up, .buy { --tone: var(--up); } .warn, .liquidation { --tone: var(--warn); } .neutral { --tone: var(--ink2); }
.frame .y, .frame .x { position: absolute; font-size: 11.5px; color: var(--ink3); line-height: 1; white-space: nowrap; }
.y-axis { position: absolute; top: 0; bottom: 22px; right: 0; width: 68px; }
.y-axis .y { transform: translateY(-50%); left: 0; }
.x-axis { position: absolute; left: 0; right: 76px; bottom: 0; height: 14px; }
.x-axis .x { transform: translateX(-50%); top: 0; }
.x-axis .x.edge { transform: none; }
.tag { position: absolute; left: 8px; transform: translateY(4px); font-size: 11.5px; color: var(--down); line-height: 1; background: var(--page); padding: 1px 3px; }
.cross { position: absolute; top: 0; bottom: 0; width: 0; border-left: 1px solid var(--ink2); pointer-events: none; }
.cross span { position: absolute; bottom: 5px; left: 7px; background: var(--ink); color: var(--page); font-size: 11.5px; line-height: 1; padding: 4px 6px; border-radius: 3px; white-space: nowrap; }
.cross.right span { left: auto; right: 7px; } .cross span:empty { display: none; } .cross[hidden] { display: none; }
.columns { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 8px 56px; align-items: start; }
.scroll { overflow-x: auto; } .scroll td:first-child { white-space: nowrap; }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; }
caption { text-align: left; font-weight: 600; padding: 12px 0 6px; font-size: 13.5px; }
th, td { padding: 5px 14px 5px 0; text-align: left; border-bottom: 1px solid var(--rule); vertical-align: baseline; }
th:last-child, td:last-child { padding-right: 0; }
thead th { font-weight: 500; color: var(--ink3); font-size: 12.5px; white-space: nowrap; }
tbody th { font-weight: 400; color: var(--ink2); }
.n { text-align: right; white-space: nowrap; } .when { white-space: nowrap; } td.note { color: var(--ink3); font-size: 12.5px; width: 34%; white-space: nowrap; }
td.bar { width: 42%; min-width: 130px; } tfoot th, tfoot td { font-weight: 600; border-bottom: 0; }
.bars-table { table-layout: fixed; } .bars-table .group { font-weight: 600; color: var(--ink); padding-top: 18px; }
.share { position: relative; height: 11px; } .share i { position: absolute; top: 0; bottom: 0; background: var(--tone); border-radius: 1px; min-width: 1px; }
.share b { position: absolute; top: -3px; bottom: -3px; width: 1px; background: var(--rule); }
ul.plain { margin: 0; padding-left: 18px; } ul.plain li { margin-bottom: 4px; max-width: 84ch; }
.empty { color: var(--ink3); font-size: 14px; }
.box { background: var(--soft); border-radius: 6px; padding: 14px 16px; margin-bottom: 14px; position: relative; }
.box code { display: block; white-space: pre-wrap; overflow-wrap: anywhere; padding-right: 64px; }
.box button { position: absolute; top: 10px; right: 10px; font: inherit; font-size: 12.5px; color: var(--ink2); background: var(--page); border: 1px solid var(--rule); border-radius: 4px; padding: 2px 10px; cursor: pointer; }
.hash { overflow-wrap: anywhere; } .months { table-layout: fixed; min-width: 640px; } .months th, .months td { padding-right: 10px; }
details { margin: 14px 0 0; } summary { cursor: pointer; color: var(--ink2); font-size: 14px; }
details dl { font-size: 13px; columns: 2; column-gap: 56px; margin: 12px 0 0; } details dt { font-weight: 550; } details dd { margin: 0 0 9px; color: var(--ink2); break-inside: avoid; }
.liq { border-top: 1px solid var(--rule); padding: 14px 0 4px; } .liq h3 { font-size: 14px; margin-bottom: 4px; } .liq p { font-size: 13.5px; color: var(--ink2); }
.liq table { margin: 8px 0 10px; } .stages { font-size: 12.5px; color: var(--ink3); }
footer { margin-top: 56px; border-top: 1px solid var(--rule); padding-top: 12px; color: var(--ink3); font-size: 12.5px; }
@media (max-width: 760px) {
  main { padding: 24px 16px 48px; } h1 { font-size: 24px; } h2 { margin-top: 40px; }
  .kpis { grid-template-columns: repeat(2, 1fr); } .kpis .value { font-size: 21px; }
  .columns { grid-template-columns: minmax(0, 1fr); } details dl { columns: 1; }
  .frame { padding-right: 58px; } .y-axis { width: 52px; } .x-axis { right: 58px; } .x.odd { display: none; }
  .plot .dots { stroke-width: 4; } .plot .dots.sell { stroke-width: 3.5; }
  .facts span { white-space: normal; } td.note { white-space: normal; }
  .legend { gap: 0 12px; } .frame .y, .frame .x { font-size: 10.5px; } td.bar { min-width: 80px; width: 30%; }
}
@media print { main { max-width: none; padding: 0; } .chart, table { break-inside: avoid; } .box button { display: none; } }
`;
