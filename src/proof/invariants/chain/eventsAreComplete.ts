import { defineInvariant } from "../machinery/defineInvariant.ts";
import { compareAll, compareTouched } from "../machinery/ledger/compare.ts";

export const eventsAreComplete = defineInvariant({
  id: "eventsAreComplete",
  sentence: "Accounts, positions, orders, markets and totals change only by the events of the transaction or step.",
  rules: ["EVT-3", "ACT-1"],
  catalogue: ["G05", "T05"],
  when: "transaction",
  touched(moment) {
    moment.met++;
    const { ledger, state } = moment;
    return ledger.fault ?? (moment.thorough ? compareAll(ledger, state) : compareTouched(ledger, state));
  },
});
