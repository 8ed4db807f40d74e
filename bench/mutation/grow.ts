/** The cases for mutants: from campaigns, with the mutants that each case reaches. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Campaign } from "../../src/proof/fuzz/campaign/campaign.ts";
import type { JobResult } from "../../src/proof/fuzz/campaign/execute.ts";
import type { Job } from "../../src/proof/fuzz/campaign/job.ts";
import { SEARCH_PROFILES, type SearchProfile, type SearchProfileName } from "../../src/proof/fuzz/campaign/profiles.ts";
import { countGenes, type FuzzCase } from "../../src/proof/fuzz/case/fuzzCase.ts";
import { writeCase } from "../../src/proof/fuzz/case/writeCase.ts";
import { writeAtomic } from "../../src/proof/fuzz/corpus/atomic.ts";
import { CorpusFolder, nameOfCase } from "../../src/proof/fuzz/corpus/corpusFolder.ts";
import { Feedback } from "../../src/proof/fuzz/feedback/feedback.ts";
import { runCase } from "../../src/proof/fuzz/run/runCase.ts";
import { endCovering, getMostTurns, startCovering, startTurns } from "./mutant.ts";

/** A case is cut after this many transactions: the first part of a long case is as good as the rest. */
export const TRANSACTIONS_MOST = 1_500;

/** A campaign on the venue alone, without checkers. */
export interface GrowJob {
  readonly kind: "grow";
  /** Seed of the campaign. */
  readonly number: number;
  readonly profile: SearchProfileName;
  readonly transactions: number;
  /** Output folder for the chosen cases. */
  readonly folder: string;
  /** Folder with cases to start from. */
  readonly from?: string;
}

/** A case in which a mutant would have made a difference, and how often. */
export interface Useful {
  readonly name: string;
  readonly transactions: number;
  readonly times: number;
}

export interface Reached {
  readonly mutant: number;
  /** Over the whole campaign: executions, executions with a difference, and cases with a difference. */
  readonly ran: number;
  readonly differed: number;
  readonly cases: number;
  /** The best of these cases by several measures, best first; see `chooseCases`. */
  readonly useful: readonly Useful[];
}

export interface Grown {
  readonly kind: "grow";
  readonly number: number;
  readonly transactions: number;
  readonly cases: number;
  readonly mostTurns: number;
  /** Mutants of code that runs when a module is loaded. */
  readonly loaded: readonly number[];
  readonly reached: readonly Reached[];
}

/** Number of cases of a mutant kept for each measure. */
const KEPT = 14;

class Tally {
  ran = 0;
  differed = 0;
  cases = 0;
  useful: Useful[] = [];

  add(one: Useful): void {
    this.cases++;
    this.differed += one.times;
    this.useful.push(one);
    if (this.useful.length >= 6 * KEPT) this.prune();
  }

  prune(): void {
    this.useful = [...new Set([...rankByCost(this.useful), ...rankByTimes(this.useful)])];
  }
}

/** Fixed cost of a case, in transactions; and the number of differences that suffices. */
const [START, OFTEN] = [100, 50] as const;
/** The same for rich cases. */
const [RICH_START, VERY_OFTEN] = [1_000, 2_000] as const;

/** The cases with the most differences of a mutant for their cost. */
function rankByCost(useful: readonly Useful[]): Useful[] {
  const worth = ({ times, transactions }: Useful) => Math.min(times, OFTEN) / (transactions + START);
  return [...useful].sort((a, b) => worth(b) - worth(a) || byName(a, b)).slice(0, KEPT);
}

/** The cases with the most differences, at any cost. */
function rankByTimes(useful: readonly Useful[]): Useful[] {
  const worth = ({ times, transactions }: Useful) => Math.min(times, VERY_OFTEN) / (transactions + RICH_START);
  return [...useful].sort((a, b) => worth(b) - worth(a) || byName(a, b)).slice(0, KEPT);
}

function byName(a: Useful, b: Useful): number {
  return a.name < b.name ? -1 : 1;
}

/** Cases of a mutant in order of use: two cheap ones, one rich. */
export function orderUseful(useful: readonly Useful[]): Useful[] {
  const [cheap, rich] = [rankByCost(useful), rankByTimes(useful)];
  return [...new Set([...cheap.flatMap((one, at) => (at % 2 === 0 ? [one] : [one, rich[at >> 1]!])), ...rich])];
}

/** Runs the campaign and writes the cases chosen for some mutant. */
export function grow({ number, profile: name, transactions: most, folder, from }: GrowJob, loaded: number[]): Grown {
  // Cases that resume another one become complete cases here.
  const profile: SearchProfile = { ...SEARCH_PROFILES[name], starts: 0 };
  const start = from === undefined ? [] : readAll(new CorpusFolder(from));
  const campaign = new Campaign(number, profile, start);
  const feedback = new Feedback();
  const given = new Map<string, FuzzCase>();
  const tallies = new Map<number, Tally>();
  let [transactions, cases, mostTurns] = [0, 0, 0];
  startTurns(Number.POSITIVE_INFINITY);
  while (transactions < most) {
    const jobs = campaign.plan();
    const results = jobs.map((job) => {
      startCovering();
      const result = runPlain(job, feedback);
      const name = nameOfCase(writeCase(job.given));
      given.set(name, job.given);
      for (const { mutant, ran, differed } of endCovering()) {
        const tally = tallies.get(mutant) ?? new Tally();
        tallies.set(mutant, tally);
        tally.ran += ran;
        if (differed > 0) tally.add({ name, transactions: result.transactions, times: differed });
      }
      mostTurns = Math.max(mostTurns, getMostTurns());
      // The code that draws and keeps cases has no limit on loop turns.
      startTurns(Number.POSITIVE_INFINITY);
      transactions += result.transactions;
      cases++;
      return result;
    });
    campaign.take(jobs, results, Number.POSITIVE_INFINITY);
    const used = new Set([...tallies.values()].flatMap(({ useful }) => useful.map(({ name }) => name)));
    for (const name of given.keys()) if (!used.has(name)) given.delete(name);
  }
  const reached = [...tallies].map(([mutant, tally]) => {
    tally.prune();
    const { ran, differed, cases, useful } = tally;
    return { mutant, ran, differed, cases, useful };
  });
  mkdirSync(folder, { recursive: true });
  for (const name of new Set(reached.flatMap(({ useful }) => useful.map(({ name }) => name)))) {
    writeAtomic(join(folder, `${name}.case`), writeCase(given.get(name)!));
  }
  return { kind: "grow", number, transactions, cases, mostTurns, loaded, reached };
}

function runPlain({ iteration, given }: Job, feedback: Feedback): JobResult {
  const run = runCase(given, { oracles: { watch: false }, feedback, slack: false, maxTransactions: TRANSACTIONS_MOST });
  const { transactions, blocks, digest, reached, reachedAt, violation } = run;
  const plain = { iteration, transactions, blocks, genes: countGenes(given), digest, reached, reachedAt };
  return { ...plain, met: [], nearest: [], ...(violation === undefined ? {} : { violation }) };
}

function readAll(folder: CorpusFolder): (readonly [string, FuzzCase])[] {
  return folder.list().map((name) => [name, folder.read(name)] as const);
}
