import { createHash } from "node:crypto";
import { type Chart, type ChartFrame, toChartData } from "./chart.ts";
import { html, Markup, toScriptJson } from "./markup.ts";
import { script } from "./script.ts";
import { style } from "./style.ts";

/** What a page is made of. */
export interface Page {
  readonly title: string;
  readonly body: Markup;
  readonly footer: string;
  /** The charts that the body shows, in their order, for the readout under the pointer. */
  readonly charts: readonly Chart[];
  readonly frame: ChartFrame;
}

/**
 * One HTML file that needs nothing else: no network, no fonts, no libraries. It reads without its script, follows the
 * reader's choice of light or dark, and its content policy lets no other script run, whatever the data says.
 */
export function renderPage({ title, body, footer, charts, frame }: Page): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hashScript(script)}'; base-uri 'none'; form-action 'none'`;
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
<main>
${body}
<footer>${footer}</footer>
</main>
<script type="application/json" id="data">${toScriptJson({ from: frame.fromMs, to: frame.toMs, charts: charts.map(toData) })}</script>
<script>${new Markup(script)}</script>
</body>
</html>
`;
  return page.text;
}

function toData(chart: Chart) {
  return chart.lines.map((line) => toChartData(line, chart));
}

function hashScript(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("base64");
}
