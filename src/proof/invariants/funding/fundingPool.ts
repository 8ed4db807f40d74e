import type { MarketRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { exactFunding } from "../machinery/exact/health.ts";
import { near } from "../machinery/tally.ts";

const LIMB = 4_503_599_627_370_496n; // 2^52

/** A market's funding pool, from its two doubles. */
export function readPool(state: State, market: MarketRow): bigint {
  const { poolHigh, poolLow } = state.markets;
  const low = BigInt(poolLow[market]!);
  return poolHigh[market] === 0 ? low : BigInt(poolHigh[market]!) * LIMB + low;
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
    /** Claims by market; undefined without a position. */
    const owed: (bigint | undefined)[] = [];
    for (let at = 0 as PositionRow; at < positions.rows.high; at++) {
      if (positions.signedLots[at] === 0 || !positions.rows.isLive(at)) continue;
      step.met++;
      const market = positions.market[at];
      owed[market] = (owed[market] ?? 0n) + exactFunding(state, at);
    }
    for (let market = 0 as MarketRow; market < markets.rows.high; market++) {
      const pool = readPool(state, market);
      const claims = owed[market];
      const all = claims === undefined ? pool : pool + claims;
      if (claims !== undefined) near(step, all);
      if (all < 0n) return `${state.marketNames[market]}: pool ${pool} with claims is ${all}`;
      if (markets.openInterest[market] === 0 && pool !== 0n) {
        return `${state.marketNames[market]}: ${pool} in the pool without open interest`;
      }
    }
    return undefined;
  },
});
