import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";

export const poolWithoutInterest = defineInvariant({
  id: "poolWithoutInterest",
  sentence: "A funding pool is empty when its market has no open interest.",
  rules: ["POS-4"],
  catalogue: ["F01"],
  when: "transaction",
  kinds: ["positionChanged", "fundingSettled"],
  touched(moment) {
    const { ledger, state } = moment;
    const { openInterest, poolHigh, poolLow } = state.markets;
    for (let at = 0; at < ledger.markets.count; at++) {
      const market = ledger.markets.list[at]! as MarketRow;
      if (openInterest[market] !== 0) continue;
      moment.met++;
      if (poolHigh[market] !== 0 || poolLow[market] !== 0)
        return `${state.marketNames[market]}: ${poolLow[market]} in the pool without open interest`;
    }
    return undefined;
  },
});
