import { ROLES } from "../../../protocol/words.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";

export const rolesNeverChange = defineInvariant({
  id: "rolesNeverChange",
  sentence: "Accounts keep their roles from genesis, all other accounts have none, and no account is ever removed.",
  rules: ["ACC"],
  when: "block",
  sweep(state, step) {
    const { accounts } = state;
    const { before } = step;
    for (let row = 0 as AccountRow; row < accounts.rows.high; row++) {
      if (!accounts.rows.isLive(row)) return `account ${row} was removed`;
      step.met++;
      const role = accounts.role[row];
      if (row < before.accounts.rows.high ? role !== before.accounts.role[row] : role !== 0)
        return `account ${row} is ${ROLES[role] ?? role}`;
    }
    return accounts.rows.high >= before.accounts.rows.high ? undefined : `account ${accounts.rows.high} was removed`;
  },
});
