import type { MarketRow } from "../../engine/state/schema.ts";
import { VALIDITY } from "../../protocol/validity.ts";
import { MARKET_STATUS } from "../../protocol/words.ts";
import { defineInvariant } from "../defineInvariant.ts";

const STATUSES: ReadonlySet<number> = new Set([
  MARKET_STATUS.postOnly,
  MARKET_STATUS.active,
  MARKET_STATUS.cancelOnly,
  MARKET_STATUS.reduceOnly,
]);

export const fundsWhereAllowed = defineInvariant({
  id: "fundsWhereAllowed",
  sentence:
    "Premiums are sampled and funding is paid only at a price that allows it, outside gaps, in markets that fund.",
  rules: ["PRC-1", "PRC-4", "MKT"],
  catalogue: ["F04"],
  when: "events",
  kinds: ["fundingSampled", "fundingAccrued"],
  event(look, at) {
    const { data, state } = look;
    const market = data[at + 1]! as MarketRow;
    look.met++;
    const { gap, validity } = state.markets;
    const { status, pauseFund } = state.parameters[market]!;
    if (gap[market] !== 0) return `market ${market} funds in a gap`;
    if (validity[market] < VALIDITY.stale) return `market ${market} funds at a price of validity ${validity[market]}`;
    if (pauseFund !== 0 || !STATUSES.has(status)) return `market ${market} funds in status ${status}`;
    return undefined;
  },
});
