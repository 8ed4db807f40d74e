import type { ScenarioResult } from "../run/result.ts";
import type { ReadLine } from "./excerpt.ts";
import { renderGithub } from "./github.ts";
import { renderHtml } from "./html.ts";
import { renderJson } from "./json.ts";
import { renderJunit } from "./junit.ts";
import { renderMarkdown } from "./markdown.ts";
import { type Paint, renderPretty } from "./pretty.ts";
import { renderSarif } from "./sarif.ts";

/** Input of a reporter besides results. */
export interface RenderContext {
  readonly paint: Paint;
  readonly readLine: ReadLine;
}

/** Every reporter by the name that `--reporter` takes. */
export const REPORTERS = {
  pretty: (results, { paint, readLine }) => renderPretty(results, paint, readLine),
  json: renderJson,
  junit: renderJunit,
  markdown: renderMarkdown,
  html: (results, { readLine }) => renderHtml(results, readLine),
  github: renderGithub,
  sarif: renderSarif,
} as const satisfies Readonly<Record<string, (results: readonly ScenarioResult[], context: RenderContext) => string>>;
