import type { MutationReport, Survivor, Tally } from "./report.ts";

/** The report as Markdown. */
export function renderMutationReport(report: MutationReport): string {
  const { killers, files, mutators, survivors, falseAlarms } = report;
  const share = (value: number | undefined) => (value === undefined ? "-" : `${(value * 100).toFixed(1)} %`);
  const lines = [
    "# Mutants of the engine",
    "",
    `${report.mutants} of ${report.total} mutants (seed ${report.seed}, copy ${report.version}) met ${report.cases} cases of ${report.transactions} transactions.`,
    "",
    `- killed: ${report.killed} of ${report.killed + report.survived + report.unreached}, ${share(report.score)}`,
    `- of those that a case reaches: ${report.killed} of ${report.killed + report.survived}, ${share(report.reachedScore)}`,
    `- survived: ${report.survived}; never reached: ${report.unreached}; equivalent: ${report.equivalent}; not tried yet: ${report.open}`,
    `- cases left out, which found something without a mutant: ${falseAlarms.map(({ number, invariant }) => `${number} (${invariant})`).join(", ") || "none"}`,
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
    ...survivors.flatMap(renderSurvivor),
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function renderTallies(what: string, tallies: readonly Tally[]): string[] {
  return [
    `| ${what} | killed | survived | never reached |`,
    "|---|---|---|---|",
    ...tallies.map(({ name, killed, survived, unreached }) => `| ${name} | ${killed} | ${survived} | ${unreached} |`),
  ];
}

function renderSurvivor({ key, file, line, original, changed, cases, why }: Survivor): string[] {
  const reached = cases === 0 ? "never reached" : `${cases} cases reach it`;
  const flat = (words: string) => words.replace(/\s+/g, " ").slice(0, 300);
  return [
    `### ${file}:${line}`,
    "",
    `\`\`\`diff`,
    `- ${flat(original)}`,
    `+ ${flat(changed)}`,
    "```",
    "",
    `${reached}. ${why ?? "Why: open."}`,
    "",
    `Key: \`${key.replaceAll("`", "'")}\``,
    "",
  ];
}
