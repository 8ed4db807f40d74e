import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

export const fillNeverPays = defineInvariant({
  id: "fillNeverPays",
  sentence:
    "The venue never pays for a fill: the taker's fee is not negative, and the maker's rebate is at most that fee.",
  rules: ["ORD-7"],
  catalogue: ["G07"],
  when: "events",
  kinds: ["fill"],
  event(moment, at) {
    const { data } = moment;
    moment.met++;
    const taker = data[at + AT.fill.takerFee]!;
    const maker = data[at + AT.fill.makerFee]!;
    if (taker >= 0 && maker + taker >= 0) return undefined;
    return `order ${data[at + AT.fill.makerOrder]}: the maker pays ${maker}, the taker ${taker}`;
  },
});
