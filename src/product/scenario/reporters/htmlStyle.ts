/** Styles of the page of scenarios beyond the common style of pages. */
export const SCENARIO_STYLE = `
h1 .state { font-size: 15px; font-weight: 550; margin-left: 8px; letter-spacing: 0; }
.figures { display: flex; flex-wrap: wrap; gap: 6px 28px; margin: 14px 0 16px; } .figures dt { color: var(--ink3); font-size: 12px; } .figures dd { margin: 0; font-size: 19px; font-weight: 600; }
.cards { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 18px; align-items: start; }
article.card { border: 1px solid var(--rule); border-radius: 10px; padding: 18px 20px 14px; background: var(--raised); scroll-margin-top: var(--top); min-width: 0; }
article.card.bad { border-color: var(--down); } article.card h3 { font-size: 17px; line-height: 1.3; letter-spacing: -.01em; margin: 2px 0 8px; } article.card h3::first-letter { text-transform: uppercase; }
.card .eyebrow { display: flex; gap: 4px; flex-wrap: wrap; } .card time { color: var(--ink2); font-weight: 600; } .verdict { margin-left: auto; font-weight: 600; }
.lost { font-size: 15px; font-weight: 600; color: var(--down); margin: 0 0 8px; } .lost::before { content: "Damage: "; font-weight: 400; color: var(--ink3); }
.story { color: var(--ink); font-size: 14px; } .two { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 20px; margin: 14px 0 6px; }
.card .bars-table { font-size: 12.5px; } .card .bars-table th, .card .bars-table td { border: 0; padding: 2px 8px 2px 0; } .card .bars-table .group { padding-top: 8px; font-size: 12px; } .card td.bar { min-width: 40px; width: auto; }
figure.path { margin: 0; font-size: 12.5px; } .path .plot { height: 150px; margin: 6px 0; cursor: default; } .path small { color: var(--ink3); } .ends { display: flex; flex-wrap: wrap; gap: 0 14px; color: var(--ink2); font-size: 12px; margin: 0; }
.timeline ol { padding-left: 20px; margin: 8px 0 0; font-size: 13px; color: var(--ink2); } .timeline li { margin-bottom: 6px; } .timeline b { color: var(--ink); font-weight: 600; } .timeline small { color: var(--ink3); }
.foot { font-size: 12px; color: var(--ink3); display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: baseline; margin: 12px 0 0; } .foot cite { font-style: normal; width: 100%; } .foot code { overflow-wrap: anywhere; }
.sentence { font-size: 12.5px; color: var(--ink3); margin: 6px 0 0; }
.rule { font: 11px ui-monospace, Menlo, Consolas, monospace; border: 1px solid var(--rule); border-radius: 4px; padding: 0 5px; color: var(--ink2); text-decoration: none; white-space: nowrap; } a.rule:hover { border-color: var(--ink3); color: var(--ink); }
details.file { border: 1px solid var(--rule); border-radius: 6px; margin: 5px 0; scroll-margin-top: var(--top); } details.file.bad { border-color: var(--down); }
.file summary { padding: 6px 12px; display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: baseline; list-style: none; color: var(--ink); } .file summary::-webkit-details-marker { display: none; } .file .verdict { margin: 0; } .file summary code { margin-left: auto; color: var(--ink3); font-size: 11.5px; overflow-wrap: anywhere; }
.body { padding: 0 14px 12px; } .case { margin-top: 6px; } .case-facts, .where { color: var(--ink3); font-size: 12px; font-weight: 400; margin: 0; }
.problem { border: 1px solid var(--down); border-radius: 6px; padding: 8px 14px 12px; margin: 10px 0; } .problem pre, .block pre { background: var(--soft); padding: 8px 12px; border-radius: 4px; overflow-x: auto; margin: 4px 0 8px; }
.pair th { width: 90px; } .pair td { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 12.5px; overflow-wrap: anywhere; } tr.expected td { color: var(--up); } tr.observed td { color: var(--down); } td.warned { color: var(--warn); }
.block { border-top: 1px solid var(--rule); padding: 10px 0; } h4 { margin: 0 0 4px; font-size: 13px; } h5 { margin: 8px 0 0; font-size: 12px; color: var(--ink3); } .block ul { margin: 0; padding-left: 18px; font-size: 12.5px; overflow-wrap: anywhere; }
.rules td, .rules th { vertical-align: top; } .rules a { margin-right: 10px; } .rules tr:target th { color: var(--equity); font-weight: 700; }
@media (max-width: 980px) { .cards { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 620px) { .two { grid-template-columns: minmax(0, 1fr); } article.card { padding: 14px; } .file summary code { margin-left: 0; width: 100%; } }
`;
