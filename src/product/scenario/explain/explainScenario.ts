import { storyLines } from "../reporters/pretty.ts";
import type { ScenarioResult } from "../run/result.ts";

/** A scenario block by block, in words, with the venue after each block. For a result that describes all blocks. */
export function explainScenario(result: ScenarioResult): string {
  const { name, sentence, rules, story, kind, source } = result;
  const lines = [`# ${name}`];
  if (sentence !== "") lines.push("", sentence);
  if (rules.length > 0) lines.push("", `Rules: ${rules.join(", ")}`);
  if (story !== undefined)
    lines.push("", `${kind ?? "incident"}: ${story}${source === undefined ? "" : ` (${source})`}`);
  for (const { name: title, status, stories, failures } of result.cases) {
    if (result.cases.length > 1) lines.push("", `## ${title}: ${status}`);
    for (const story of stories) lines.push("", ...storyLines(story));
    for (const { what, expected, observed } of failures)
      lines.push("", `NOT AS EXPECTED: ${what}: expected ${expected}, observed ${observed}`);
  }
  return lines.join("\n");
}
