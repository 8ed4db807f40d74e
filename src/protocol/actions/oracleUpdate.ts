import { defineAction } from "../action.ts";
import { refuse } from "../fieldRules.ts";
import { list, market, optionalPrice, optionalRate, optionalTime, price, record, text } from "../fields.ts";
import { FUNDING_METHODS } from "../words.ts";

/** Ways by which a market makes its own funding rate. */
const OWN_FUNDING = FUNDING_METHODS.filter((method) => method !== "reported");

/** One source's report of a market's price. */
export const sourcePrice = record(
  "SourcePrice",
  {
    source: text("Name of the source, as in the market's parameter `sources`."),
    price: price("Reported price."),
    confidence: optionalPrice("Half the width of its confidence interval; empty if it reports none."),
    time: optionalTime("When it saw the price, in ms; 0 for now."),
  },
  "One source's report of a market's price.",
);

/** Reports reference prices of a market; a recorded replay reports mark and funding rate with it. */
export const oracleUpdate = defineAction({
  name: "oracleUpdate",
  code: 10,
  domain: "system",
  scope: "authority",
  authority: "oracle",
  doc: "Reports reference prices of a market; a recorded replay reports mark and funding rate with it.",
  needsCollateral: false,
  readsUnsettledFunding: false,
  weight: 0,
  fields: {
    market: market(),
    price: optionalPrice("Oracle price of a market without sources; empty if the update reports no price."),
    sources: list(sourcePrice, 32, "Reports of a market's sources."),
    mark: optionalPrice("Recorded or reported mark; empty for none."),
    fundingRate: optionalRate("Recorded funding rate, settled in this block where the market's funding is reported."),
    settleFunding: { kind: "flag", doc: "The funding rate is to be settled in this block." },
  },
  rules: [
    ...refuse(["mark"], { market: { markMethod: ["oracle", "book"] }, code: "FIELD_REFUSED" }),
    ...refuse(["fundingRate"], { market: { fundingMethod: OWN_FUNDING }, code: "FIELD_REFUSED" }),
    ...refuse(["fundingRate"], { when: { settleFunding: ["false"] }, code: "FIELD_REFUSED" }),
    ...refuse(["settleFunding"], { market: { fundingMethod: OWN_FUNDING }, code: "FIELD_REFUSED" }),
  ],
});
