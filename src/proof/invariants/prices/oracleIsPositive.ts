import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

export const oracleIsPositive = defineInvariant({
  id: "oracleIsPositive",
  sentence: "No oracle price, reported mark or candidate price is negative, and none is later than its block.",
  rules: ["PRC-1"],
  catalogue: ["T10"],
  when: "events",
  kinds: ["oracleUpdated"],
  event(moment, at) {
    const { data, block } = moment;
    moment.met++;
    const { market, price, reported, candidate, confidence, timeMs } = AT.oracleUpdated;
    for (const field of [price, reported, candidate, confidence]) {
      if (!(data[at + field]! >= 0)) return `market ${data[at + market]}: a price of ${data[at + field]} was accepted`;
    }
    if (data[at + price] === 0 && data[at + confidence] !== 0)
      return `market ${data[at + market]}: a confidence was accepted without a price`;
    return data[at + timeMs]! <= block.timeMs
      ? undefined
      : `market ${data[at + market]}: a price of the future was accepted`;
  },
});
