import { defineAction } from "../action.ts";
import { market, optionalPrice, optionalRate, optionalText } from "../fields.ts";

/** Reports reference prices of a market; a recorded replay reports mark and funding rate with it. */
export const oracleUpdate = defineAction({
  name: "oracleUpdate",
  domain: "system",
  scope: "authority",
  authority: "oracle",
  doc: "Reports reference prices of a market; a recorded replay reports mark and funding rate with it.",
  fields: {
    market: market(),
    source: optionalText("Name of the source; empty for the only one."),
    price: optionalPrice("Oracle price; empty where only a mark or a rate is reported."),
    mark: optionalPrice("Recorded or external mark; empty for none."),
    fundingRate: optionalRate("Recorded funding rate, settled in this block where the market's funding is external."),
    settleFunding: { kind: "flag", doc: "The funding rate is to be settled in this block." },
  },
});
