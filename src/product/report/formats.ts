import { ReportError } from "./errors.ts";
import { renderHtml } from "./html.ts";
import { renderJson } from "./json.ts";
import { renderMarkdown } from "./markdown.ts";
import type { BacktestReport } from "./model.ts";
import { renderTerminal } from "./terminal.ts";

/** How a report can be written down. */
export interface Format {
  /** Of a file, with the dot. */
  readonly extension: string;
  readonly mediaType: string;
  readonly render: (report: BacktestReport) => string;
}

/** Every format by name. A new one is a file and a line here. */
export const formats = {
  html: { extension: ".html", mediaType: "text/html; charset=utf-8", render: renderHtml },
  json: { extension: ".json", mediaType: "application/json", render: renderJson },
  markdown: { extension: ".md", mediaType: "text/markdown; charset=utf-8", render: renderMarkdown },
  terminal: { extension: ".txt", mediaType: "text/plain; charset=utf-8", render: (report) => renderTerminal(report) },
} as const satisfies Record<string, Format>;

/** Name of a format of reports. */
export type FormatName = keyof typeof formats;

/** @throws {ReportError} `REPORT_FORMAT` when there is no such format */
export function getFormat(name: string): Format {
  if (Object.hasOwn(formats, name)) return formats[name as FormatName];
  throw new ReportError(
    "REPORT_FORMAT",
    "",
    `no format ${JSON.stringify(name)}; use one of ${Object.keys(formats).join(", ")}`,
  );
}
