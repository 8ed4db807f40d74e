import { type Lots, mulDivFloor } from "../../../ground/math/fixed.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { INITIAL_MARGIN_METHOD, SIDE } from "../../../protocol/words.ts";
import type { MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/**
 * Parts of an order after which an exposure that shrinks is the smallest above a tier's bound, rising (MRG-4). In a
 * `stepped` market initial margin falls at once below that exposure. So an account that covers it before and after the
 * order may lack it there. Within a tier margin is convex, so no other part needs a check.
 *
 * @param exposures signed lots of each side without the order
 * @returns lots of the order, above 0 and below all of it; none in a `continuous` market
 */
export function listParts(
  state: State,
  market: MarketRow,
  side: number,
  lots: number,
  exposures: readonly number[],
): readonly number[] {
  const rules = state.parameters[market]!;
  if (rules.initialMarginMethod !== INITIAL_MARGIN_METHOD.stepped || rules.tiers.length === 1) return NONE_LISTED;
  const parts: number[] = [];
  for (const exposure of exposures) {
    if (exposure === 0 || exposure > 0 === (side === SIDE.buy)) continue;
    for (const { from } of rules.tiers) {
      if (from === 0) continue;
      const part = Math.abs(exposure) - findLotsAbove(rules, from, state.markets.mark[market]);
      if (part > 0 && part < lots && !parts.includes(part)) parts.push(part);
    }
  }
  return parts.sort((a, b) => a - b);
}

/** Smallest number of lots whose notional is above a bound; `NaN` beyond what is storable. */
function findLotsAbove(rules: MarketParameters, bound: number, mark: number): Lots {
  return (mulDivFloor(bound, rules.lotDenominator, mark * rules.lotNumerator) + 1) as Lots;
}

const NONE_LISTED: readonly number[] = [];
