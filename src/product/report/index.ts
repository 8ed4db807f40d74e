/** Reports of backtests: record a run, compute its report, write it down, read it back. */
export { type Attribution, type AttributionInput, computeAttribution } from "./attribution.ts";
export { createReport } from "./createReport.ts";
export { ReportError, type ReportErrorCode } from "./errors.ts";
export { type Format, type FormatName, formats, getFormat } from "./formats.ts";
export { renderHtml } from "./html.ts";
export type * from "./input.ts";
export { renderJson } from "./json.ts";
export { renderMarkdown } from "./markdown.ts";
export { computeMetrics, type Metric } from "./metrics/computeMetrics.ts";
export { type MetricId, type MetricReason, type MetricUnit, metricDefinitions } from "./metrics/definitions.ts";
export { type BacktestReport, backtestReportSchema, SCHEMA_VERSION } from "./model.ts";
export { readReport } from "./readReport.ts";
export { createRecorder } from "./recorder.ts";
export { renderTerminal, type TerminalOptions } from "./terminal.ts";
