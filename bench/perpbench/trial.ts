import { readCanary, selectBug } from "./planted.ts";
import { drawNumbered, type Finding, searchCase } from "./search.ts";

/** One bug, searched for from one seed until it is found or the budget is spent. */
export interface Trial {
  /** 0 for none: whatever is found then is a false alarm. */
  readonly bug: number;
  readonly seed: number;
  /** Transactions. */
  readonly budget: number;
  readonly transactions: number;
  readonly reached: number;
  readonly triggered: number;
  /** Absent where the search found nothing. */
  readonly finding?: Finding | undefined;
  /** Seconds of this machine, for orientation. */
  readonly seconds: number;
  /** Transactions of the case after shrinking, where it was shrunk. */
  readonly shrunk?: number | undefined;
}

/** Cases of a trial have seeds of their own: no two trials share one. */
const CASES = 1_000_000;

export function runTrial({ bug, seed, budget }: Pick<Trial, "bug" | "seed" | "budget">): Trial {
  selectBug(bug);
  const started = performance.now();
  let transactions = 0;
  let finding: Finding | undefined;
  for (let count = 0; transactions < budget && finding === undefined; count++) {
    const outcome = searchCase(drawNumbered((seed * CASES + count) >>> 0), budget - transactions);
    transactions += outcome.transactions;
    finding = outcome.finding;
  }
  const { reached, triggered } = readCanary();
  selectBug(0);
  const seconds = Math.round(performance.now() - started) / 1000;
  return { bug, seed, budget, transactions, reached, triggered, finding, seconds };
}
