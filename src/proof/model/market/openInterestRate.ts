import { divCeil, max } from "../arithmetic.ts";
import { notionalOf } from "../margin/valuation.ts";
import type { Market, ModelState } from "../state.ts";
import { PPM } from "../words.ts";

/** Sum of longs, lots. */
export function openInterestOf(state: ModelState, market: Market): bigint {
  return state.accounts.reduce(
    (lots, { positions }) => lots + max(0n, positions.get(market.ordinal)?.signedLots ?? 0n),
    0n,
  );
}

/**
 * The least initial rate required by open interest, ppm: the first tier's up to `openInterestLower`, 1 from
 * `openInterestUpper` on, a line between them, rounded up; 0 if it is not above the first tier's (MRG-1).
 */
export function computeOpenInterestRate(market: Market, openLots: bigint): bigint {
  const { openInterestLower, openInterestUpper, tiers } = market.parameters;
  if (openInterestUpper === 0n) return 0n;
  const notional = notionalOf(market, openLots);
  if (notional <= openInterestLower) return 0n;
  const base = tiers[0]!.initialRate;
  if (base === PPM) return 0n;
  if (notional >= openInterestUpper) return PPM;
  return base + divCeil((PPM - base) * (notional - openInterestLower), openInterestUpper - openInterestLower);
}
