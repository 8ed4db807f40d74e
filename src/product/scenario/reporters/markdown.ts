import { countOf } from "../../../ground/math/counts.ts";
import { formatPlace } from "../faults.ts";
import type { ScenarioResult } from "../run/result.ts";
import { storyLines } from "./pretty.ts";
import { problemsOf } from "./problems.ts";
import { totalsOf } from "./totals.ts";

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", "<br>");

/** Results as a page for a pull request: totals, a table, and the failures with their blocks. */
export function renderMarkdown(results: readonly ScenarioResult[]): string {
  const { files, cases, passed, failed, invalid, blocks, transactions } = totalsOf(results);
  const lines = [
    "# Scenarios",
    "",
    `**${passed} of ${countOf(files, "file")} passed**${failed > 0 ? `, ${failed} failed` : ""}${invalid > 0 ? `, ${invalid} cannot run` : ""}: ` +
      `${countOf(cases, "case")}, ${countOf(blocks, "block")}, ${countOf(transactions, "transaction")}, every invariant after each of them.`,
    "",
    "| | file | scenario | rules | cases |",
    "|---|---|---|---|---|",
    ...results.map(
      ({ status, file, name, rules, cases: found }) =>
        `| ${status} | ${cell(file)} | ${cell(name)} | ${rules.join(", ")} | ${found.length} |`,
    ),
  ];
  for (const { place, title, detail, name } of problemsOf(results)) {
    lines.push(
      "",
      `## ${formatPlace(place)}${name === "" ? "" : ` (${name})`}`,
      "",
      title,
      "",
      "```text",
      detail,
      "```",
    );
  }
  for (const { file, cases: found } of results) {
    for (const { name, stories, failures } of found) {
      if (failures.length === 0) continue;
      lines.push("", `## Blocks of ${file}${name === "" ? "" : ` (${name})`}`);
      for (const story of stories) lines.push("", "```text", ...storyLines(story), "```");
    }
  }
  return lines.join("\n");
}
