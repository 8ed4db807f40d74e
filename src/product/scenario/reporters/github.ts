import type { ScenarioResult } from "../run/result.ts";
import { problemsOf } from "./problems.ts";
import { totalsOf } from "./totals.ts";

/** Workflow commands that put each failure on its line of a pull request, and a last line for the log. */
export function renderGithub(results: readonly ScenarioResult[]): string {
  const lines = problemsOf(results).map(({ place, title, detail, name }) => {
    const { file, line, column, length } = place;
    const where = `file=${property(file)},line=${line},col=${column},endColumn=${column + length}`;
    const said = name === "" ? detail : `case ${name}\n${detail}`;
    return `::error ${where},title=${property(title)}::${message(said === "" ? title : said)}`;
  });
  const { files, passed, failed, invalid } = totalsOf(results);
  return [...lines, `${passed} of ${files} scenario files passed, ${failed} failed, ${invalid} cannot run`].join("\n");
}

const message = (text: string) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const property = (text: string) => message(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
