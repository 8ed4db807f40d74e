import { NONE } from "../../../ground/collections/table.ts";
import { MARKET_STATUS } from "../../../protocol/words.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";

export const reduceOnlyMarkets = defineInvariant({
  id: "reduceOnlyMarkets",
  sentence: "In a reduce-only market no taker's position grows.",
  rules: ["MKT"],
  when: "transaction",
  kinds: ["fill"],
  moments: ["transaction"],
  touched(moment) {
    const { state, ledger, actor } = moment;
    if (actor === NONE) return undefined;
    for (let at = 0; at < ledger.markets.count; at++) {
      const market = ledger.markets.list[at]! as MarketRow;
      if (state.parameters[market]!.status !== MARKET_STATUS.reduceOnly) continue;
      const row = ledger.positionRows.find(actor, market);
      if (row === NONE) continue;
      moment.met++;
      const was: number = ledger.was.positions.signedLots[row];
      const now: number = ledger.now.positions.signedLots[row];
      if (Math.abs(now) > Math.abs(was) || (now !== 0 && now > 0 !== was > 0))
        return `account ${actor} went from ${was} to ${now} lots in a reduce-only market`;
    }
    return undefined;
  },
});
