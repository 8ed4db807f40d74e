import type { BacktestReport } from "./model.ts";

/** The whole report as JSON, which `readReport` reads back. One line per field of the document, columns on one line. */
export function renderJson(report: BacktestReport): string {
  const fields = Object.entries(report).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{\n${fields.join(",\n")}\n}\n`;
}
