import { type MissedScore, renderMissed } from "./oracles/missed.ts";
import { renderTogether, type Together } from "./oracles/together.ts";
import type { MutationReport, Survivor, Tally } from "./report.ts";

/** Other oracles whose evidence named the mutants of a report, and the score with them. */
export interface MissedPart {
  readonly oracles: readonly string[];
  readonly score: MissedScore;
  /** If all mutants that they have tried were searched, not only those that they miss. */
  readonly table?: Together;
}

/** The report as Markdown. */
export function renderMutationReport(report: MutationReport, missed?: MissedPart): string {
  const { killers, files, mutators, survivors, falseAlarms, grown, killed, unseen, same, unreached } = report;
  const share = (value: number | undefined) => (value === undefined ? "-" : `${(value * 100).toFixed(1)} %`);
  const lines = [
    ...(missed === undefined
      ? ["# Mutants of the engine", ""]
      : [
          `# Mutants of the engine that ${missed.oracles.join(" and ")} ${missed.table === undefined ? "miss" : "have tried"}`,
          "",
          ...renderMissed(missed.oracles, missed.score),
          "",
          ...(missed.table === undefined ? [] : [...renderTogether(missed.table), ""]),
          "## The search with these mutants alone",
          "",
        ]),
    `${report.mutants} of ${report.total} mutants (seed ${report.seed}, copy ${report.version}, commit ${report.commit}). Cases were chosen from ${grown.cases} of campaigns with ${grown.transactions} transactions.`,
    "",
    `- killed: ${killed} of ${killed + unseen + same + unreached}, ${share(report.score)}`,
    `- by cases alone, without the scenario files of earlier failures: ${share(report.scoreByCases)}`,
    `- survived: ${unseen} with a difference that no checker found, ${same} without a difference where they ran, ${unreached} never reached`,
    `- equivalent: ${report.equivalent}; not tried yet: ${report.open}${report.carried === 0 ? "" : `; killed in an earlier version: ${report.carried}`}`,
    `- false alarms, cases that fail without a mutant: ${falseAlarms.join(", ") || "none"}`,
    ...(report.stale.length === 0 ? [] : [`- explanations of mutants that no longer exist: ${report.stale.length}`]),
    ...report.refuted.map((key) => `- explained as equivalent, but killed: \`${key}\``),
    "",
    "| first seen by | mutants |",
    "|---|---|",
    ...killers.map(([name, times]) => `| ${name} | ${times} |`),
    "",
    ...renderTallies("mutator", mutators),
    "",
    ...renderTallies("file", files),
    "",
    "## Survivors",
    "",
    "A reason goes into `bench/mutation/explained.json`, under the key.",
    "",
    ...[...survivors].sort((a, b) => Number(a.equivalent) - Number(b.equivalent)).flatMap(renderSurvivor),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function renderTallies(what: string, tallies: readonly Tally[]): string[] {
  return [
    `| ${what} | killed | unseen | no difference | never reached |`,
    "|---|---|---|---|---|",
    ...tallies.map(
      ({ name, killed, unseen, same, unreached }) => `| ${name} | ${killed} | ${unseen} | ${same} | ${unreached} |`,
    ),
  ];
}

const CAUSES = {
  unreached: () => "Never reached.",
  same: ({ ran }) => `Ran ${ran} times and never made a difference.`,
  unseen: ({ differed, cases, met, transactions }) =>
    `Made a difference ${differed} times in ${cases} cases; tried with ${met} of them, ${transactions} transactions.`,
} as const satisfies Readonly<Record<Survivor["cause"], (survivor: Survivor) => string>>;

function renderSurvivor(survivor: Survivor): string[] {
  const { key, file, line, original, changed, cause, equivalent, why } = survivor;
  const flat = (words: string) => words.replace(/\s+/g, " ").slice(0, 300);
  return [
    `### ${file}:${line}${equivalent ? " (equivalent)" : ""}`,
    "",
    `\`\`\`diff`,
    `- ${flat(original)}`,
    `+ ${flat(changed)}`,
    "```",
    "",
    `${CAUSES[cause](survivor)} ${why ?? "Why: open."}`,
    "",
    `Key: \`${key.replaceAll("`", "'")}\``,
    "",
  ];
}
