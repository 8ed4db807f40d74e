import type { OracleReport } from "./oracleReport.ts";

/** The report as Markdown. */
export function renderOracleReport(report: OracleReport): string {
  const { survivors, mutants, equivalent, killed, plain } = report;
  const tries = mutants - equivalent;
  const share = (count: number) => `${count} of ${tries}, ${((count / tries) * 100).toFixed(1)} %`;
  const open = survivors.filter((one) => !one.equivalent);
  const flat = (words: string) => words.replace(/\s+/g, " ").slice(0, 160).replaceAll("|", "\\|").replaceAll("`", "'");
  return `${[
    "# Mutants of the engine that the scenarios find alone",
    "",
    `${mutants} of ${report.total} mutants (seed ${report.seed}, copy ${report.version}), ${report.proofs} files. Written by`,
    "`npm run mutation -- --oracle scenarios`. Each mutant runs only the files in which it makes a difference.",
    "",
    `- killed by the expectations of the files: ${share(plain)}`,
    `- killed with the invariants that \`scenario run\` checks: ${share(killed)}`,
    ...(report.carried === 0 ? [] : [`- results of earlier versions of the sources that count: ${report.carried}`]),
    `- survived: ${open.length}; ${report.unreached} are never reached, ${report.same} make no difference where they run`,
    `- equivalent, not counted: ${equivalent}`,
    `- files that fail without a mutant: ${report.falseAlarms.join(", ") || "none"}`,
    "",
    "| rule | mutants | killed | with invariants |",
    "|---|---|---|---|",
    ...report.rules.map((one) => `| ${one.rule || "none cited"} | ${one.mutants} | ${one.plain} | ${one.killed} |`),
    "",
    "A mutant belongs to the rules that the comments at its place cite.",
    "",
    "## Survivors",
    "",
    "| place | original | changed | rules | files that reach it |",
    "|---|---|---|---|---|",
    ...open.map(
      (one) =>
        `| ${one.file}:${one.line} | \`${flat(one.original)}\` | \`${flat(one.changed) || "(nothing)"}\` | ${one.rules} | ${one.reached} |`,
    ),
  ].join("\n")}\n`;
}
