import { NONE } from "../../../ground/collections/table.ts";
import { listMoves } from "../../../protocol/events.ts";
import { isSystem } from "../../../venue/engine/authorization/admission.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";

export const systemBySystem = defineInvariant({
  id: "systemBySystem",
  sentence: "Only system transactions bring money in, report prices and change markets.",
  rules: ["NET-3", "ACT"],
  catalogue: ["G11"],
  when: "events",
  kinds: [
    ...listMoves("in"),
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
    return `transaction ${index}: ${transaction?.action ?? moment.step} did an action of the authorities`;
  },
});
