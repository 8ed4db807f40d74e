import { LIQUIDATION_STEP_KINDS } from "../../../protocol/liquidationStep.ts";
import { ROLE } from "../../../protocol/words.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

export const houseIsExempt = defineInvariant({
  id: "houseIsExempt",
  sentence: "House accounts are never liquidated.",
  rules: ["ACC"],
  when: "events",
  kinds: LIQUIDATION_STEP_KINDS,
  event(moment, at) {
    const account = moment.data[at + AT.liquidationStarted.account]! as AccountRow;
    moment.met++;
    return moment.state.accounts.role[account] === ROLE.house
      ? `account ${account} is a house account and is liquidated`
      : undefined;
  },
});
