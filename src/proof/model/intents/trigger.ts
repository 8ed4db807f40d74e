import { abs, divCeil, max, min } from "../arithmetic.ts";
import type { Intent, Market } from "../state.ts";
import { LIMIT, PPB } from "../words.ts";

/** Lowest and highest value of a price in a block, and the value before it; 1e-8 USD (INT-1). */
export interface Range {
  readonly low: bigint;
  readonly high: bigint;
  readonly before: bigint;
}

type Watching = Pick<Intent, "kind" | "side">;

/** Stops that sell and take-profits that buy fire when the price falls to them; a trailing stop is a stop. */
export function firesOnFall({ kind, side }: Watching): boolean {
  return (side === "sell") === (kind !== "takeProfit");
}

/** Whether the range reached or passed the trigger. */
export function isReached(
  intent: Watching & Pick<Intent, "trigger">,
  { low, high }: Pick<Range, "low" | "high">,
): boolean {
  return firesOnFall(intent) ? low <= intent.trigger : high >= intent.trigger;
}

/**
 * The trigger of a trailing stop at a best price: an absolute distance, or a ratio rounded down; within the storable
 * range.
 */
export function computeTrailTrigger(
  { side, trail, trailRate }: Pick<Intent, "side" | "trail" | "trailRate">,
  extreme: bigint,
): bigint {
  const distance = trail !== 0n ? trail : (extreme * trailRate) / PPB;
  return side === "sell" ? max(0n, extreme - distance) : min(LIMIT, extreme + distance);
}

/** The best price of a trailing stop after a block. */
export function computeExtreme({ side, extreme }: Pick<Intent, "side" | "extreme">, { low, high }: Range): bigint {
  if (side === "sell") return high > extreme ? high : extreme;
  return low < extreme ? low : extreme;
}

/** Compares |trigger - value before| / value before of two by cross-multiplication: negative if the first is nearer. */
export function compareDistance(
  a: { readonly trigger: bigint; readonly before: bigint },
  b: { readonly trigger: bigint; readonly before: bigint },
): number {
  const difference = abs(a.trigger - a.before) * b.before - abs(b.trigger - b.before) * a.before;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Size of a slice: the scheduled amount so far less the filled amount, at most three even slices (INT-4). */
export function computeSlice(total: bigint, filled: bigint, slices: bigint, due: bigint): bigint {
  const target = (total * due) / slices;
  return min(max(0n, target - filled), 3n * divCeil(total, slices));
}

/** The current price that an intent watches; 0 if it does not exist. */
export function watchedPrice({ mark, index, last, parameters }: Market, source: Intent["source"]): bigint {
  if (source !== "last") return source === "mark" ? mark : index;
  return min(last * parameters.tickSize, LIMIT);
}
