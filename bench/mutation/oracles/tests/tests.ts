/**
 * Measures the fast tests of the engine alone: each mutant runs only the tests in which it makes a difference, until
 * one fails. Results are kept by mutant, so that a stopped run resumes.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { hashFolder } from "../../../lib/hashFolder.ts";
import { appendLine, readLines } from "../../../lib/jobs.ts";
import { orderByLot } from "../../drawMutants.ts";
import type { OracleCopy } from "../openCopy.ts";
import type { Fate, KillerNote, OracleRun } from "../oracleReport.ts";
import type { JobRunner, Runners } from "../runners.ts";
import { type MeasuredTests, planTests } from "./planTests.ts";
import { listTestFiles } from "./prepareTests.ts";
import type { Kill, KillJob, Mode, Reach, ReachJob, Round, RoundResult } from "./testWorker.ts";

export interface TestOptions {
  readonly seed: number;
  readonly runners: Runners;
  /** File with the kept results. */
  readonly progress: string;
  /** Only these mutants run; the others keep their results. */
  readonly only: string;
  readonly report: boolean;
  /** Whether a mutant is explained as equivalent: it comes last, since it takes all of its tests. */
  isEquivalent(key: string): boolean;
  say(text: string): void;
}

/** A result line. */
type Kept =
  | {
      readonly kind: "reach";
      readonly version: string;
      readonly draw: string;
      readonly mode: Mode;
      readonly reach: Reach;
    }
  | {
      readonly kind: "kill";
      readonly version: string;
      readonly key: string;
      readonly mode: Mode;
      readonly kill: Tried;
    };

/** Without the mode, which is next to it. */
type Tried = Omit<RoundResult, "mode">;

/** Sources on which the results depend. */
const SOURCES = ["ground", "protocol", "venue", "proof"].map((room) => `src/${room}`);
const MODES: readonly Mode[] = ["plain", "checked"];

/** Runs what the kept results leave open. Mutants are tried in the order of their lot. */
export async function runTestOracle({ mutants, folder: copy }: OracleCopy, options: TestOptions): Promise<OracleRun> {
  const { seed, only, say, runners, progress } = options;
  const files = listTestFiles(copy);
  const filesOf = { plain: files.stated, checked: files.recorded };
  const version = hashTexts([...SOURCES, ...files.parts].map((part) => hashFolder(join(copy, part))));
  const draw = hashTexts([...mutants.values()].map(({ key }) => key));
  const reaches = new Map<Mode, Reach>();
  const kills = new Map<string, Tried>();
  for (const line of readLines<Kept>(progress)) {
    if (line.version !== version) continue;
    if (line.kind === "kill") kills.set(`${line.mode} ${line.key}`, line.kill);
    else if (line.draw === draw) reaches.set(line.mode, line.reach);
  }

  if (!options.report) {
    const missing = MODES.filter((mode) => !reaches.has(mode));
    await run<ReachJob, Reach>(
      runners.here,
      missing.map((mode) => ({ kind: "reach", files: filesOf[mode] })),
      (reach, job) => {
        if (reach.fault !== undefined) throw new Error(`red without a mutant: ${reach.fault}`);
        const mode = job.files === filesOf.plain ? "plain" : "checked";
        reaches.set(mode, reach);
        appendLine(progress, { kind: "reach", version, draw, mode, reach } satisfies Kept);
        say(`${mode}: ${reach.first.length} tests without a mutant, ${reach.seconds} s`);
      },
    );
  }
  const none: MeasuredTests = { first: [], second: [] };
  const planOf = new Map(MODES.map((mode) => [mode, planTests(reaches.get(mode) ?? none)]));
  const key = (mutant: number) => mutants.get(mutant)!.key;
  const killOf = (mode: Mode, mutant: number) => kills.get(`${mode} ${key(mutant)}`);
  const isKilled = (mutant: number) => MODES.some((mode) => killOf(mode, mutant)?.killer !== undefined);
  const listOpen = (mutant: number) => (isKilled(mutant) ? [] : MODES.filter((mode) => !killOf(mode, mutant)));
  const rank = (mutant: number) => Number(options.isEquivalent(key(mutant)));
  const order = orderByLot(mutants, seed).sort((a, b) => rank(a) - rank(b));

  if (!options.report) {
    const open = order.filter((mutant) => key(mutant).includes(only) && listOpen(mutant).length > 0);
    let count = 0;
    await run<KillJob, Kill>(
      runners.mutants,
      open.map((mutant) => toJob(mutant)),
      ({ results }, { mutant }) => {
        count++;
        for (const { mode, ...kill } of results) {
          if (kill.fault !== undefined) throw new Error(`red without the mutant ${key(mutant)}: ${kill.fault}`);
          kills.set(`${mode} ${key(mutant)}`, kill);
          appendLine(progress, { kind: "kill", version, key: key(mutant), mode, kill } satisfies Kept);
          const what = kill.killer === undefined ? "SURVIVED" : `${kill.killer.file} (${kill.killer.kind})`;
          say(`${count}/${open.length} ${mode} ${key(mutant)}: ${what}, ${kill.tests} tests, ${kill.seconds} s`);
        }
      },
    );
  }

  const fates = new Map<number, Fate>();
  let seconds = 0;
  // The mutants whose results are all known, up to the first that is not: a fair sample.
  for (const mutant of order) {
    if (listOpen(mutant).length > 0) break;
    const known = MODES.map((mode) => killOf(mode, mutant));
    seconds += known.reduce((sum, kill) => sum + (kill?.seconds ?? 0), 0);
    const at = known.findIndex((kill) => kill?.killer !== undefined);
    const plans = MODES.map((mode) => planOf.get(mode)!(mutant));
    fates.set(mutant, {
      killer: at < 0 ? undefined : toNote(MODES[at]!, known[at]!),
      reached: plans.reduce((sum, { reached }) => sum + reached, 0),
      differed: plans.reduce((sum, { differed }) => sum + differed, 0),
    });
  }
  const cost = {
    reach: [...reaches.values()].reduce((sum, reach) => sum + reach.seconds, 0),
    mutant: fates.size === 0 ? 0 : seconds / fates.size,
  };
  const proofs = [...reaches.values()].reduce((sum, { first }) => sum + first.length, 0);
  return { proofs, fates, falseAlarms: [], carried: 0, cost };

  function toJob(mutant: number): KillJob {
    const rounds = listOpen(mutant).map((mode) => {
      const { steps, once } = planOf.get(mode)!(mutant);
      return { mode, steps, once };
    });
    return { kind: "kill", mutant, rounds };
  }

  function run<Job extends ReachJob | KillJob, Done extends Reach | Kill>(
    runner: JobRunner,
    jobs: readonly Job[],
    onDone: (done: Done, job: Job) => void,
  ): Promise<void> {
    return runner<Job, Done>({
      jobs,
      onDone,
      lost: (job, why) => {
        if (job.kind === "reach") throw new Error(`the tests without a mutant ended: ${why}`);
        if (why === "timeout") throw new Error("a mutant had no answer in time: use a larger --patience");
        const killer = { file: "", id: "", kind: why, what: "the process itself ended" };
        const [{ mode }] = job.rounds as [Round];
        return { kind: "kill", results: [{ mode, killer, tests: 0, seconds: 0 }] } as unknown as Done;
      },
    });
  }
}

function toNote(mode: Mode, { killer }: Tried): KillerNote {
  return { mode, file: killer!.file, kind: killer!.kind, what: killer!.what };
}

function hashTexts(texts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(text).update("\0");
  return hash.digest("hex").slice(0, 12);
}
