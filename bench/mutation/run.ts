/**
 * How much of the engine the search really checks: small changes of `src/engine` and `src/math`, one at a time, with the
 * fuzz cases as the only tests. A fixed set of cases is run once without a change to see which places each of them
 * reaches; then each mutant meets the cases that reach it until one of them finds it. What is done is kept.
 *
 *     npm run mutation                                   1,000 mutants of seed 1, 240 cases, 60 of them for each at most
 *     npm run mutation -- --mutants 50 --cases 20        a quick look
 *     npm run mutation -- --most 8                       the same, sooner; who survives meets the others later
 *     npm run mutation -- --seed 2                       other mutants
 *     npm run mutation -- --model                        the reference model runs beside the venue
 *     npm run mutation -- --report                       nothing but the report of what is kept
 *
 * Writes bench/results/mutation.json and .md. Why a survivor is no fault of the tests is told in
 * bench/mutation/explained.json, by the key that the report gives it.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { appendLine, readLines, runJobs } from "../lib/jobs.ts";
import { ROOT } from "../perpbench/buildCopy.ts";
import { buildMutationCopy, COPY } from "./buildCopy.ts";
import { createMutationReport, type Explained } from "./report.ts";
import { renderMutationReport } from "./reportText.ts";
import type { Covered, CoverJob, KillJob, Tried } from "./worker.ts";

const { values } = parseArgs({
  options: {
    mutants: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    cases: { type: "string", default: "240" },
    most: { type: "string", default: "60" },
    model: { type: "boolean", default: false },
    workers: { type: "string", default: String(availableParallelism()) },
    patience: { type: "string", default: "300" },
    report: { type: "boolean", default: false },
    out: { type: "string", default: join(ROOT, "bench", "results", "mutation") },
  },
});

const seed = readCount(values.seed, "seed");
const casesMost = readCount(values.cases, "cases");
const most = readCount(values.most, "most");
const { model } = values;
const copy = buildMutationCopy(readCount(values.mutants, "mutants"), seed);
const { mutants, total } = copy;
// Results with the model and without do not mix.
const version = `${copy.version}${model ? " with the model" : ""}`;
const progress = join(ROOT, "out", "mutation.jsonl");
type Kept = (Covered | Tried) & { readonly version: string };
const covered = new Map<number, Covered>();
const tried = new Map<number, Tried>();
for (const line of readLines<Kept>(progress)) {
  if (line.version !== version) continue;
  if (line.kind === "cover") covered.set(line.number, line);
  else tried.set(line.mutant, line);
}
const common = {
  worker: join(COPY, "bench", "mutation", "worker.ts"),
  workers: readCount(values.workers, "workers"),
  patience: readCount(values.patience, "patience"),
};
/** What a case costs before its first transaction, in transactions; and how often a place runs that runs all the time. */
const [START, OFTEN] = [50, 50];
const lost = (why: string) => ({ kind: why, invariant: why, height: 0, observed: "the search itself ended" });
const numbers = Array.from({ length: casesMost }, (_, at) => at);

if (!values.report) {
  console.log(`copy ${version}: ${mutants.size} of ${total} mutants, ${casesMost} cases`);
  await runJobs<CoverJob, Covered>({
    ...common,
    jobs: numbers
      .filter((number) => !covered.has(number))
      .map((number) => ({ kind: "cover", number, mutants: mutants.size, model })),
    lost: ({ number }, why) => ({ kind: "cover", number, transactions: 0, seen: [], finding: lost(why) }),
    onDone(done) {
      covered.set(done.number, done);
      appendLine(progress, { ...done, version });
      if (done.finding !== undefined)
        console.log(`case ${done.number} is left out: ${done.finding.invariant} without a mutant`);
    },
  });
  const casesOf = listCases();
  // Survivors of fewer cases meet the rest.
  const metBy = (mutant: number) => tried.get(mutant)?.cases ?? 0;
  const isOpen = (mutant: number) => tried.get(mutant)?.finding === undefined && casesOf(mutant).length > metBy(mutant);
  const open = [...mutants.keys()].filter(isOpen);
  let count = mutants.size - open.length;
  await runJobs<KillJob, Tried>({
    ...common,
    jobs: open.map((mutant) => ({ kind: "kill", mutant, cases: casesOf(mutant).slice(metBy(mutant)), model })),
    lost: ({ mutant, cases }, why) => ({
      kind: "kill",
      mutant,
      cases: cases.length,
      transactions: 0,
      seconds: common.patience,
      finding: lost(why),
    }),
    onDone(last) {
      const done = { ...last, cases: metBy(last.mutant) + last.cases };
      tried.set(done.mutant, done);
      appendLine(progress, { ...done, version });
      const { file, line, mutator } = mutants.get(done.mutant)!;
      const what = done.finding === undefined ? "SURVIVED" : `found by ${done.finding.invariant}`;
      console.log(
        `${++count}/${mutants.size} ${file}:${line} ${mutator}: ${what}, ${done.cases} cases, ${done.seconds} s`,
      );
    },
  });
}

const explained = JSON.parse(readFileSync(join(import.meta.dirname, "explained.json"), "utf8")) as Explained;
const cases = numbers.flatMap((number) => covered.get(number) ?? []);
const report = createMutationReport({ version, seed, total, mutants, cases, tried, explained });
mkdirSync(join(values.out, ".."), { recursive: true });
writeFileSync(`${values.out}.json`, `${JSON.stringify(report, undefined, 2)}\n`);
writeFileSync(`${values.out}.md`, renderMutationReport(report));
console.log(renderMutationReport(report).split("\n## Survivors")[0]);

/** So many of the cases that reach a mutant: those first in which it runs most often for what they cost. */
function listCases(): (mutant: number) => number[] {
  const byMutant = new Map<number, { number: number; density: number }[]>();
  for (const { number, transactions, seen, finding } of covered.values()) {
    if (finding !== undefined || number >= casesMost) continue;
    for (const [mutant, times] of seen) {
      const cases = byMutant.get(mutant) ?? [];
      byMutant.set(mutant, cases);
      cases.push({ number, density: Math.min(times, OFTEN) / (transactions + START) });
    }
  }
  return (mutant) =>
    (byMutant.get(mutant) ?? [])
      .sort((a, b) => b.density - a.density || a.number - b.number)
      .slice(0, most)
      .map(({ number }) => number);
}

function readCount(text: string, name: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  console.error(`--${name} must be a whole number above 0, not ${text}`);
  process.exit(2);
}
