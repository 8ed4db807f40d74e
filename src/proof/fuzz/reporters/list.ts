import type { SearchReport } from "../campaign/report.ts";
import { renderGithub } from "./github.ts";
import { renderHtml } from "./html.ts";
import { renderJson } from "./json.ts";
import { renderJunit } from "./junit.ts";
import { renderText } from "./text.ts";

/** Formats of a search report, by name. Links of a page start at `folder`, by default the working directory. */
export const SEARCH_REPORTERS = {
  text: renderText,
  json: renderJson,
  junit: renderJunit,
  html: renderHtml,
  github: renderGithub,
} as const satisfies Readonly<Record<string, (report: SearchReport, folder?: string) => string>>;
