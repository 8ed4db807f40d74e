import { defineInvariant } from "../defineInvariant.ts";
import { AT } from "../ledger/fieldsOf.ts";

export const oracleIsPositive = defineInvariant({
  id: "oracleIsPositive",
  sentence: "No oracle price, external mark or candidate is negative, and none is later than its block.",
  rules: ["PRC-1"],
  catalogue: ["T10"],
  when: "events",
  kinds: ["oracleUpdated"],
  event(look, at) {
    const { data, block } = look;
    look.met++;
    const { market, price, external, candidate, confidence, timeMs } = AT.oracleUpdated;
    for (const field of [price, external, candidate, confidence]) {
      if (!(data[at + field]! >= 0)) return `market ${data[at + market]}: a price of ${data[at + field]} was taken`;
    }
    if (data[at + price] === 0 && data[at + confidence] !== 0)
      return `market ${data[at + market]}: no price was taken, with a confidence`;
    return data[at + timeMs]! <= block.timeMs
      ? undefined
      : `market ${data[at + market]}: a price of the future was taken`;
  },
});
