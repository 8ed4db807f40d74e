import { INSURANCE_CAUSE } from "../../../protocol/events.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

export const insuranceByCause = defineInvariant({
  id: "insuranceByCause",
  sentence:
    "The insurance fund receives only donations and liquidation fees. It pays only for liquidations, settlements and bad debt.",
  rules: ["LIQ-2", "LIQ-4", "LIQ-6", "MKT"],
  catalogue: ["L08"],
  when: "events",
  kinds: ["insuranceChanged"],
  event(moment, at) {
    const { data, step, transaction } = moment;
    moment.met++;
    const delta = data[at + AT.insuranceChanged.delta]!;
    const cause = data[at + AT.insuranceChanged.cause]!;
    const income =
      cause === INSURANCE_CAUSE.seed || cause === INSURANCE_CAUSE.funded || cause === INSURANCE_CAUSE.liquidationFee;
    if (income ? delta < 0 : delta > 0)
      return `market ${data[at + AT.insuranceChanged.market]}: insurance moved by ${delta} for cause ${cause}`;
    const given = transaction?.action === "fundInsurance";
    const closing = step === "riskPassed" || transaction?.action === "settleMarket";
    if (cause === INSURANCE_CAUSE.debtRepaid || (cause === INSURANCE_CAUSE.funded ? given : closing)) return undefined;
    return `market ${data[at + AT.insuranceChanged.market]}: insurance moved by ${delta} in ${transaction?.action ?? step}`;
  },
});
