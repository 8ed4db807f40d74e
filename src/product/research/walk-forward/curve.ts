import type { DailyReturns } from "../runs/record.ts";

/** Equity of tests one after the other, relative to the start, which is 1. */
export interface Curve {
  readonly timeMs: readonly number[];
  readonly equity: readonly number[];
  /** Simple returns of whole UTC days, in the order of time. */
  readonly returns: readonly number[];
}

/** One test: its span, and what it made of its deposit. */
export interface TestReturns {
  readonly fromMs: number;
  readonly toMs: number;
  /** Null where the test was flat, or had no 00:00 UTC in it. */
  readonly daily: DailyReturns | null;
}

const DAY_MS = 86_400_000;
/** Returns of a record are whole numbers of 1e-8. */
const RETURN_SCALE = 1e8;

/**
 * Joins tests: each begins with the equity that the one before it ended with. Every test was run with the same deposit,
 * so sizes that depend on equity in more than proportion differ from those of one account.
 */
export function joinTests(tests: readonly TestReturns[]): Curve {
  const timeMs: number[] = [];
  const equity: number[] = [];
  const returns: number[] = [];
  let value = 1;
  const add = (atMs: number, ratio: number) => {
    value = Math.max(0, value * (1 + ratio));
    // The end of a test may be the start of the next.
    if (timeMs.at(-1) === atMs) equity[equity.length - 1] = value;
    else {
      timeMs.push(atMs);
      equity.push(value);
    }
  };
  for (const { fromMs, toMs, daily } of tests) {
    add(fromMs, 0);
    if (daily !== null) {
      add(daily.fromMs, daily.before / RETURN_SCALE);
      for (const [day, scaled] of daily.returns.entries()) {
        const ratio = scaled / RETURN_SCALE;
        returns.push(ratio);
        add(daily.fromMs + (day + 1) * DAY_MS, ratio);
      }
      add(toMs, daily.after / RETURN_SCALE);
    }
    add(toMs, 0);
  }
  return { timeMs, equity, returns };
}
