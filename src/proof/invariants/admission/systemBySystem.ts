import { NONE } from "../../../ground/collections/table.ts";
import { isSystem } from "../../../venue/engine/admission.ts";
import { defineInvariant } from "../defineInvariant.ts";

export const systemBySystem = defineInvariant({
  id: "systemBySystem",
  sentence: "Money comes in, prices are reported and markets change by system transactions alone.",
  rules: ["NET-3", "ACT"],
  catalogue: ["G11"],
  when: "events",
  kinds: [
    "deposited",
    "minted",
    "oracleUpdated",
    "sourceReported",
    "marketCreated",
    "marketChanged",
    "marketSettled",
    "printed",
  ],
  event(moment) {
    const { transaction, index } = moment;
    moment.met++;
    if (index !== NONE && transaction !== undefined && isSystem(transaction.code)) return undefined;
    return `transaction ${index}: ${transaction?.action ?? moment.step} did what only the authorities may`;
  },
});
