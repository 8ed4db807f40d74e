import { NONE } from "../../../ground/collections/table.ts";
import { MARKET_STATUS } from "../../../protocol/words.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

const TRADING: ReadonlySet<number> = new Set([MARKET_STATUS.active, MARKET_STATUS.reduceOnly]);

export const closedMarketsRest = defineInvariant({
  id: "closedMarketsRest",
  sentence:
    "Users trade only in active or reduce-only markets, while trading is not paused and the market is not restarting after a halt.",
  rules: ["MKT", "PRC-4"],
  when: "events",
  kinds: ["fill"],
  event(moment, at) {
    const { data, state, actor } = moment;
    if (actor === NONE) return undefined;
    moment.met++;
    const market = data[at + AT.fill.market]! as MarketRow;
    const { status, pauseTrade } = state.parameters[market]!;
    if (!TRADING.has(status) || pauseTrade !== 0)
      return `market ${market} trades in status ${status}, pause ${pauseTrade}`;
    return state.markets.restarting[market] === 0 ? undefined : `market ${market} trades while restarting after a halt`;
  },
});
