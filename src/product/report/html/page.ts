import { createHash } from "node:crypto";
import type { Chart, ChartFrame } from "./chart.ts";
import { encodeCharts } from "./chartData.ts";
import type { DataTable } from "./dataTable.ts";
import { html, Markup, toScriptJson } from "./markup.ts";
import { script } from "./script.generated.ts";
import { style } from "./style.ts";

/** The parts of a page. */
export interface Page {
  readonly title: string;
  readonly body: Markup;
  readonly footer: string;
  /** The bar at the top that stays in view. */
  readonly bar?: PageBar;
  /** The charts that the body shows, in their order: drawn again by the script for every view. */
  readonly charts?: readonly Chart[];
  readonly frame?: ChartFrame;
  /** The tables that the body shows by `renderDataTable`, in their order. */
  readonly tables?: readonly DataTable[];
  /** Further values for the script of the page, by name. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Name, key figures and sections of a page. */
export interface PageBar {
  readonly name: string;
  readonly figures: readonly BarFigure[];
  /** Sections by the id of their element. */
  readonly sections: readonly (readonly [id: string, name: string])[];
}

export interface BarFigure {
  readonly label: string;
  readonly value: string;
  /** `gain`, `pain` or nothing. */
  readonly tone?: string;
}

/**
 * One HTML file that needs nothing else: no network, no fonts, no libraries. It is readable without its script, and
 * follows the reader's choice of light or dark. Its content policy lets no other script run, whatever the data says.
 */
export function renderPage({ title, body, footer, bar, charts = [], frame, tables = [], data = {} }: Page): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hashScript(script)}'; base-uri 'none'; form-action 'none'`;
  const carried = {
    ...encodeCharts(charts, frame ?? { fromMs: 0, toMs: 1, events: [] }),
    tables,
    ...data,
  };
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
${renderBar(bar ?? { name: title, figures: [], sections: [] })}
<main>
${body}
<footer>${footer}</footer>
</main>
<script type="application/json" id="data">${toScriptJson(carried)}</script>
<script>${new Markup(script)}</script>
</body>
</html>
`;
  return page.text;
}

function renderBar({ name, figures, sections }: PageBar): Markup {
  return html`<header class="top"><div class="top-row"><b class="top-name">${name}</b>
<dl>${figures.map(({ label, value, tone = "" }) => html`<div><dt>${label}</dt><dd class="${tone}">${value}</dd></div>`)}</dl>
<button type="button" id="theme" hidden aria-label="Colours: as the system" title="Light, dark or as the system (t)"></button></div>
${sections.length > 0 && html`<nav aria-label="Sections">${sections.map(([id, label]) => html`<a href="#${id}">${label}</a>`)}</nav>`}</header>`;
}

function hashScript(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("base64");
}
