import type { SearchReport } from "../campaign/report.ts";

/** The report as JSON. */
export function renderJson(report: SearchReport): string {
  return JSON.stringify(report, undefined, 2);
}
