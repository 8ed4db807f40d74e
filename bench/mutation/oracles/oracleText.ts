import type { Counts, OracleReport } from "./oracleReport.ts";
import { renderTogether, type Together } from "./together.ts";

/** Words of one oracle. */
export interface OracleWords {
  readonly title: string;
  /** What the number of proofs counts. */
  readonly proofs: string;
  readonly command: string;
  /** Which proofs a mutant runs. */
  readonly method: string;
  readonly plain: string;
  readonly killed: string;
  /** Heads of the two columns. */
  readonly heads: readonly [plain: string, killed: string];
  readonly falseAlarms: string;
}

export const WORDS = {
  scenarios: {
    title: "Mutants of the engine that the scenarios find alone",
    proofs: "files",
    command: "npm run mutation -- --oracle scenarios",
    method: "Each mutant runs only the files in which it makes a difference.",
    plain: "killed by the expectations of the files",
    killed: "killed with the invariants that `scenario run` checks",
    heads: ["killed", "with invariants"],
    falseAlarms: "files that fail without a mutant",
  },
  tests: {
    title: "Mutants of the engine that its fast tests find alone",
    proofs: "tests",
    command: "npm run mutation -- --oracle tests",
    method: "Each mutant runs only the tests in which it makes a difference, up to the first that fails.",
    plain: "killed by tests that state what they expect",
    killed: "killed with the roots that `test/golden` has recorded",
    heads: ["killed", "with recorded roots"],
    falseAlarms: "tests that fail without a mutant",
  },
} as const satisfies Readonly<Record<string, OracleWords>>;

/** The report as Markdown. */
export function renderOracleReport(report: OracleReport, words: OracleWords, together?: Together): string {
  const { survivors, mutants, drawn, equivalent, killed, plain, cost } = report;
  const tries = mutants - equivalent;
  const shareOf = (count: number, all: number) => `${count} of ${all}, ${((count / all) * 100).toFixed(1)} %`;
  const isWhole = mutants === drawn;
  const share = (count: number) =>
    isWhole ? `${shareOf(count, tries)}; with equivalents ${shareOf(count, mutants)}` : shareOf(count, tries);
  const open = survivors.filter((one) => !one.equivalent);
  const flat = (text: string) => text.replace(/\s+/g, " ").slice(0, 160).replaceAll("|", "\\|").replaceAll("`", "'");
  return `${[
    `# ${words.title}`,
    "",
    `${drawn} of ${report.total} mutants (seed ${report.seed}, copy ${report.version}), ${report.proofs} ${words.proofs}. Written by`,
    `\`${words.command}\`. ${words.method}`,
    "",
    ...(isWhole
      ? []
      : [
          `- tried: the first ${mutants} in the order of their lot, a fair sample of those not explained as equivalent`,
        ]),
    `- ${words.plain}: ${share(plain)}`,
    `- ${words.killed}: ${share(killed)}`,
    ...(report.carried === 0 ? [] : [`- results of earlier versions of the sources that count: ${report.carried}`]),
    `- survived: ${open.length}; ${report.unreached} are never reached, ${report.same} make no difference where they run`,
    ...(isWhole ? [`- equivalent: ${equivalent}`] : []),
    `- ${words.falseAlarms}: ${report.falseAlarms.join(", ") || "none"}`,
    ...(cost === undefined
      ? []
      : [`- CPU time: ${cost.mutant.toFixed(1)} s a mutant, ${cost.reach.toFixed(0)} s for the runs without one`]),
    "",
    ...(together === undefined ? [] : [...renderTogether(together), ""]),
    ...renderCounts(
      ["rule", ...words.heads],
      report.rules.map((one) => [one.rule || "none cited", one]),
    ),
    "",
    "A mutant belongs to the rules that the comments at its place cite. Equivalent mutants are not in the tables.",
    "",
    ...renderCounts(
      ["file", ...words.heads],
      report.files.map((one) => [one.file, one]),
    ),
    "",
    "## Survivors",
    "",
    `| place | original | changed | rules | files that reach it |`,
    "|---|---|---|---|---|",
    ...open.map(
      (one) =>
        `| ${one.file}:${one.line} | \`${flat(one.original)}\` | \`${flat(one.changed) || "(nothing)"}\` | ${one.rules} | ${one.reached} |`,
    ),
  ].join("\n")}\n`;
}

function renderCounts(
  [name, plain, killed]: readonly [string, string, string],
  rows: readonly (readonly [string, Counts])[],
): string[] {
  return [
    `| ${name} | mutants | ${plain} | ${killed} |`,
    "|---|---|---|---|",
    ...rows.map(([text, counts]) => `| ${text} | ${counts.mutants} | ${counts.plain} | ${counts.killed} |`),
  ];
}
