/** Style of the page: one accent for good, one for bad, both readable on light and on dark. */
export const HTML_STYLE = `
:root { color-scheme: light dark; --back: #fbfbfa; --card: #fff; --text: #1d2023; --soft: #61676e; --line: #dfe2e5; --good: #1a7f4b; --bad: #b3261e; --warn: #8a5a00; --code: #f2f3f4; }
@media (prefers-color-scheme: dark) { :root { --back: #131517; --card: #1b1e21; --text: #e6e8ea; --soft: #9aa2aa; --line: #30353a; --good: #5fd39a; --bad: #ff8a80; --warn: #e6b45c; --code: #24282c; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.6rem; margin: 0 0 1rem; } h1 span { font-size: 1rem; font-weight: 500; margin-left: .5rem; }
h2 { font-size: 1rem; margin: 2rem 0 .5rem; color: var(--soft); font-weight: 600; }
h3 { font-size: .95rem; margin: 1rem 0 0; } h4 { margin: 0 0 .25rem; font-size: .9rem; } h5 { margin: .5rem 0 0; font-size: .8rem; color: var(--soft); }
.good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
.figures { display: flex; flex-wrap: wrap; gap: .75rem; margin: 0; }
.figures div { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .5rem 1rem; min-width: 6rem; }
.figures dt { color: var(--soft); font-size: .8rem; } .figures dd { margin: 0; font-size: 1.4rem; font-variant-numeric: tabular-nums; }
.lead { color: var(--soft); max-width: 46rem; }
details { background: var(--card); color: var(--text); border: 1px solid var(--line); border-left: 3px solid var(--good); border-radius: 6px; margin: .35rem 0; }
details.bad { border-left-color: var(--bad); }
summary { cursor: pointer; padding: .45rem .75rem; display: flex; flex-wrap: wrap; gap: .25rem .5rem; align-items: baseline; list-style: none; }
summary::-webkit-details-marker { display: none; }
.mark { color: var(--good); font-weight: 700; } .bad > summary .mark { color: var(--bad); }
.name { font-weight: 500; } .file { margin-left: auto; color: var(--soft); font: 12px ui-monospace, monospace; }
.rule { font: 11px ui-monospace, monospace; border: 1px solid var(--line); border-radius: 4px; padding: 0 .35rem; color: var(--soft); }
.body { padding: 0 1rem 1rem; } .body p { margin: .5rem 0; } .story { border-left: 3px solid var(--line); padding-left: .75rem; }
.facts, .where, cite { color: var(--soft); font-size: .85rem; font-style: normal; font-weight: 400; }
.problem { border: 1px solid var(--bad); border-radius: 6px; padding: .25rem .75rem .75rem; margin: .75rem 0; }
pre, code { font: 13px/1.4 ui-monospace, monospace; } pre { background: var(--code); padding: .5rem .75rem; border-radius: 4px; overflow-x: auto; margin: .25rem 0 .5rem; }
table { border-collapse: collapse; font-size: .88rem; } th { text-align: left; color: var(--soft); font-weight: 500; }
td, th { padding: .15rem .75rem .15rem 0; vertical-align: top; } .numbers td { font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.expected td { color: var(--good); } tr.observed td { color: var(--bad); } .pair td { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
.block { border-top: 1px solid var(--line); padding: .75rem 0; } .block ul { margin: 0; padding-left: 1.1rem; font-size: .85rem; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
`;
