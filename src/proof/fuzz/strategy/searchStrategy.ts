import { Random } from "../../../ground/math/random.ts";
import type { StrategyAssertion } from "./assertions.ts";
import { drawScript, type MarketScript, mutateScript, type Segment } from "./marketScript.ts";
import { runStrategy, type StrategyOutcome, type StrategySetup } from "./runStrategy.ts";

export interface StrategySearchOptions {
  readonly setup: StrategySetup;
  readonly assertions: readonly StrategyAssertion[];
  /** Whole number; the same seed gives the same result. Default: 1. */
  readonly seed?: number;
  /** Number of markets to try. Default: 500. */
  readonly attempts?: number;
  readonly onProgress?: (attempts: number, slack: number) => void;
}

export interface StrategySearch {
  /** The smallest market found that breaks an assertion; undefined if none does. */
  readonly script: MarketScript | undefined;
  readonly outcome: StrategyOutcome | undefined;
  /** Markets tried until it was found; all of them if it was not. */
  readonly attempts: number;
  /** Additional runs to shrink it. */
  readonly shrinks: number;
  /** Least slack of each assertion over all markets. */
  readonly slack: readonly number[];
}

const ELITE = 16;

/** Searches for a market in which a strategy breaks an assertion, and shrinks it. */
export async function searchStrategy(options: StrategySearchOptions): Promise<StrategySearch> {
  const { setup, assertions, seed = 1, attempts = 500 } = options;
  const random = Random.ofSeed([seed | 0, 0x57a7, 0x3b1d, ~seed]);
  const slack = assertions.map(() => Number.POSITIVE_INFINITY);
  let elite: { readonly script: MarketScript; readonly slack: number }[] = [];
  for (let count = 1; count <= attempts; count++) {
    const parent = elite.length === 0 || random.chance(1, 4) ? undefined : random.pick(elite).script;
    const script = parent === undefined ? drawScript(random) : mutateScript(random, parent, random.pick(elite).script);
    const outcome = await runStrategy(setup, script, assertions);
    outcome.slack.forEach((value, at) => {
      slack[at] = Math.min(slack[at]!, value);
    });
    if (isFailure(outcome)) {
      const small = await shrinkScript(setup, assertions, script, outcome);
      return { ...small, attempts: count, slack };
    }
    const own = Math.min(...outcome.slack);
    elite = [...elite, { script, slack: own }].sort((a, b) => a.slack - b.slack).slice(0, ELITE);
    options.onProgress?.(count, Math.min(...slack));
  }
  return { script: undefined, outcome: undefined, attempts, shrinks: 0, slack };
}

/** A strategy that throws fails, whichever assertions are given. */
function isFailure({ broken, error }: StrategyOutcome): boolean {
  return broken !== undefined || error !== undefined;
}

function isSame(a: StrategyOutcome, b: StrategyOutcome): boolean {
  return a.broken?.assertion === b.broken?.assertion && a.error?.message === b.error?.message;
}

const SHRINK_RUNS = 400;

async function shrinkScript(
  setup: StrategySetup,
  assertions: readonly StrategyAssertion[],
  first: MarketScript,
  failure: StrategyOutcome,
): Promise<{ script: MarketScript; outcome: StrategyOutcome; shrinks: number }> {
  let script = first;
  let outcome = failure;
  let shrinks = 0;
  const accepts = async (candidate: MarketScript): Promise<boolean> => {
    if (candidate.length === 0 || shrinks >= SHRINK_RUNS) return false;
    shrinks++;
    const next = await runStrategy(setup, candidate, assertions);
    if (!isSame(next, failure)) return false;
    script = candidate;
    outcome = next;
    return true;
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (let at = script.length - 1; at >= 0; at--) {
      if (await accepts(script.filter((_segment, place) => place !== at))) changed = true;
    }
    for (let at = 0; at < script.length; at++) {
      for (const smaller of smallerThan(script[at]!)) {
        if (await accepts(script.map((one, place) => (place === at ? smaller : one)))) {
          changed = true;
          break;
        }
      }
    }
  }
  return { script, outcome, shrinks };
}

/** Plainer segments first: calm, then shorter, then a rounder and smaller move. */
function smallerThan({ kind, bars, movePpm }: Segment): Segment[] {
  const list: Segment[] = [];
  if (kind !== "calm" && kind !== "gap") list.push({ kind: "calm", bars, movePpm: 0 });
  if (kind === "stall" || kind === "cascade") list.push({ kind: "trend", bars, movePpm });
  for (const fewer of [1, Math.floor(bars / 4), Math.floor(bars / 2), bars - 1]) {
    if (fewer >= 1 && fewer < bars) list.push({ kind, bars: fewer, movePpm });
  }
  const size = Math.abs(movePpm);
  const step = kind === "funding" ? 100 : 10_000;
  for (const less of [Math.floor(size / 2 / step) * step, Math.floor((size - 1) / step) * step]) {
    if (less > 0 && less < size) list.push({ kind, bars, movePpm: Math.sign(movePpm) * less });
  }
  return list;
}
