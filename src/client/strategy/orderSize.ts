/** Which sizes of an order a market takes. */
import type { Rejection } from "./facts.ts";
import { fromAmount, fromE8, roundToStep } from "./units.ts";

/** The market rules that limit the size of an order, in the venue's units. */
export interface SizeRules {
  /** 1e-8 base, like the smallest and the largest order. */
  readonly lotSize: number;
  readonly minSize: number;
  readonly maxSize: number;
  /** Smallest value of an order, 1e-6 USD. */
  readonly minNotional: number;
}

/** The smallest value is checked at the order's price, which may be a little below the mark. */
const PRICE_ROOM = 1.01;

/** Noise in the last digits of a size does not make it less than a lot; see `toSteps`. */
const TOLERANCE = 1e-6;

/**
 * Smallest order that a market takes at a price, units of base.
 *
 *     max(minSize, minNotional * 1.01 / price), rounded up to a lot
 *
 * @param price USD; 0 while there is none: then only `minSize` counts
 */
export function computeSmallestSize({ lotSize, minSize, minNotional }: SizeRules, price: number): number {
  const byValue = price === 0 ? 0 : (fromAmount(minNotional) * PRICE_ROOM) / price;
  return roundToStep(Math.max(fromE8(minSize), byValue, fromE8(lotSize)), lotSize, "up");
}

/** The greatest size on the grid that is at most `size` and the largest order; 0 below the smallest order. */
export function roundOrderSize(size: number, rules: SizeRules, price: number): number {
  const rounded = roundToStep(Math.min(size, fromE8(rules.maxSize)), rules.lotSize, "down");
  return rounded < computeSmallestSize(rules, price) ? 0 : rounded;
}

/**
 * Whether a size is less than one lot, so that no order can name it. False for `NaN`, which is a fault of the caller.
 */
export function isBelowLot(size: number, lotSize: number): boolean {
  return (size * 1e8) / lotSize < 1 - TOLERANCE;
}

const SMALL_CODES: ReadonlySet<string> = new Set(["SIZE_NOT_POSITIVE", "SIZE_TOO_SMALL", "NOTIONAL_TOO_SMALL"]);

/** The rejection with the smallest size of the market, where its code is about an order that is too small. */
export function withSmallestSize(rejection: Rejection, market: { readonly smallestSize: number }): Rejection {
  return SMALL_CODES.has(rejection.code) ? { ...rejection, smallestSize: market.smallestSize } : rejection;
}
