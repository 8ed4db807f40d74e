import { Pool } from "../corpus/pool.ts";
import { Feedback } from "../feedback/feedback.ts";
import { type RunOptions, runCase } from "../run/runCase.ts";
import { planJob } from "./job.ts";
import { SEARCH_PROFILES } from "./profiles.ts";

const { sweepEvery, heavyEvery } = SEARCH_PROFILES.nightly;
const SAMPLED = { watch: { sweepEvery, heavyEvery } } as const;

/** Parts of a search. Each one adds checks to the one before. */
export const PARTS: readonly { readonly name: string; options(): RunOptions }[] = [
  { name: "cases and venue", options: () => ({ oracles: { watch: false } }) },
  { name: "plus feedback", options: () => ({ oracles: { watch: false }, feedback: new Feedback() }) },
  {
    name: "plus invariants after every transaction",
    options: () => ({ oracles: { watch: { sweepEvery: 0, heavyEvery: 0 } }, feedback: new Feedback() }),
  },
  {
    name: "plus sweeps after every block",
    options: () => ({ oracles: { watch: { heavyEvery: 0 } }, feedback: new Feedback() }),
  },
  { name: "plus the expensive sweeps", options: () => ({ feedback: new Feedback() }) },
  {
    name: "checks as in a campaign: a sweep at intervals",
    options: () => ({ oracles: SAMPLED, feedback: new Feedback() }),
  },
  {
    name: "plus every case twice, with restarts and metamorphic variants",
    options: () => ({
      oracles: { ...SAMPLED, again: true, restored: true, metamorphic: true },
      feedback: new Feedback(),
    }),
  },
  {
    name: "venue, feedback and model",
    options: () => ({ oracles: { watch: false, model: true }, feedback: new Feedback() }),
  },
  {
    name: "checks as in a campaign, with the model in lock step",
    options: () => ({ oracles: { ...SAMPLED, model: true }, feedback: new Feedback() }),
  },
];

export interface PartFigure {
  readonly part: string;
  readonly transactions: number;
  readonly seconds: number;
  /** Transactions per second. */
  readonly rate: number;
}

interface Options {
  readonly seed: number;
  readonly transactions: number;
  /** Clock in milliseconds, from any origin. */
  readonly now: () => number;
  readonly onPart: (done: number) => void;
}

/** Runs the same cases once per part. A first run warms up each part and is not counted. */
export function measureParts({ seed, transactions, now, onPart }: Options): PartFigure[] {
  return PARTS.map(({ name, options }, at) => {
    const prepared = options();
    const pool = new Pool();
    let done = 0;
    let spentMs = 0;
    for (let iteration = 0; done < transactions; iteration++) {
      const { given } = planJob(seed, iteration, SEARCH_PROFILES.nightly, pool);
      const start = now();
      const run = runCase(given, { ...prepared, maxTransactions: transactions });
      if (iteration === 0) continue;
      spentMs += now() - start;
      done += run.transactions;
    }
    onPart(at + 1);
    return { part: name, transactions: done, seconds: spentMs / 1000, rate: Math.round((done * 1000) / spentMs) };
  });
}
