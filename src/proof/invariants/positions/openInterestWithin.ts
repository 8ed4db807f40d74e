import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { near } from "../machinery/tally.ts";

export const openInterestWithin = defineInvariant({
  id: "openInterestWithin",
  sentence: "Trades that raise open interest keep it within the market's limit.",
  rules: ["ORD-5"],
  when: "transaction",
  kinds: ["fill"],
  slack: "lots",
  touched(moment) {
    const { ledger, state } = moment;
    const now = ledger.now.markets.openInterest;
    const was = ledger.was.markets.openInterest;
    for (let at = 0; at < ledger.markets.count; at++) {
      const market = ledger.markets.list[at]! as MarketRow;
      if (now[market] <= was[market]) continue;
      moment.met++;
      const most: number = state.parameters[market]!.openInterestLimitLots;
      near(moment, most - now[market]);
      if (now[market] > most) return `market ${market}: open interest rose to ${now[market]} of ${most} lots`;
    }
    return undefined;
  },
});
