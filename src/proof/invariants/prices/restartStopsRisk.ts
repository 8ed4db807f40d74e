import { EVENT_CODES } from "../../../protocol/events.ts";
import { VALIDITY } from "../../../protocol/validity.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

export const restartStopsRisk = defineInvariant({
  id: "restartStopsRisk",
  sentence:
    "No position is liquidated while its market restarts after a halt, or at a missing, uncertain or unconfirmed price.",
  rules: ["PRC-1", "PRC-4"],
  when: "events",
  kinds: ["deleveraged", "fill"],
  event(moment, at) {
    const { data, state, step } = moment;
    if (step !== "riskPassed") return undefined;
    const market = data[at + (data[at] === EVENT_CODES.fill ? AT.fill.market : AT.deleveraged.market)]! as MarketRow;
    moment.met++;
    const { restarting, validity } = state.markets;
    if (restarting[market] !== 0) return `market ${market} is liquidated while restarting after a halt`;
    return validity[market] >= VALIDITY.tooUncertain
      ? undefined
      : `market ${market} is liquidated at a price of validity ${validity[market]}`;
  },
});
