import { renderGithub } from "./github.ts";
import { renderHtml } from "./html.ts";
import { renderJunit } from "./junit.ts";
import type { FailureReport } from "./model.ts";
import { renderText } from "./text.ts";

/** Formats of a failure report, by name. */
export const FAILURE_FORMATS = {
  text: (reports: readonly FailureReport[]) => reports.map(renderText).join("\n"),
  html: renderHtml,
  json: (reports: readonly FailureReport[]) => `${JSON.stringify(reports, null, 2)}\n`,
  junit: renderJunit,
  github: renderGithub,
} as const;
