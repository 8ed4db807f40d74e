import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { listMarkets, listPositions } from "../../../venue/engine/state/walk.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { exactFunding } from "../machinery/exact/health.ts";
import { near } from "../machinery/tally.ts";

const LIMB = 4_503_599_627_370_496n; // 2^52

/** A market's funding pool, from its two doubles. */
export function readPool(state: State, market: MarketRow): bigint {
  return BigInt(state.markets.poolHigh[market]!) * LIMB + BigInt(state.markets.poolLow[market]!);
}

export const fundingPool = defineInvariant({
  id: "fundingPool",
  sentence: "A funding pool plus all claims on positions is never negative, and without open interest it is empty.",
  rules: ["POS-4", "FND-3"],
  catalogue: ["F01"],
  when: "block",
  slack: "quote units",
  sweep(state, step) {
    const { positions, markets } = state;
    const owed = new Map<MarketRow, bigint>();
    for (const at of listPositions(state)) {
      const market = positions.market[at]!;
      if (positions.signedLots[at] !== 0) step.met++;
      if (positions.signedLots[at] !== 0) owed.set(market, (owed.get(market) ?? 0n) + exactFunding(state, at));
    }
    for (const market of listMarkets(state)) {
      const pool = readPool(state, market);
      const all = pool + (owed.get(market) ?? 0n);
      if (owed.has(market)) near(step, all);
      if (all < 0n) return `${state.marketNames[market]}: pool ${pool} with claims is ${all}`;
      if (markets.openInterest[market] === 0 && pool !== 0n) {
        return `${state.marketNames[market]}: ${pool} in the pool without open interest`;
      }
    }
    return undefined;
  },
});
