import type { AccountRow } from "../engine/state/schema.ts";
import type { State } from "../engine/state/state.ts";
import { ROLE } from "../protocol/words.ts";
import { defineInvariant } from "./defineInvariant.ts";
import { listAccounts, positionsOf } from "./exact/walk.ts";

export const noFlatDebt = defineInvariant({
  id: "noFlatDebt",
  sentence: "An account that is flat and in debt when a risk pass begins is no longer after it, unless it is queued.",
  rules: ["LIQ-6", "LIQ-7"],
  when: "block",
  check(state, { before }) {
    for (const account of listAccounts(before)) {
      if (!isFlatInDebt(before, account) || !isFlatInDebt(state, account)) continue;
      if (state.accounts.queuedSince[account] !== 0) continue;
      return `account ${account} is still flat with ${state.accounts.collateral[account]}`;
    }
    return undefined;
  },
});

function isFlatInDebt(state: State, account: AccountRow): boolean {
  const { accounts, positions } = state;
  if (accounts.role[account] !== ROLE.normal || accounts.collateral[account]! >= 0) return false;
  return positionsOf(state, account).every((at) => positions.size[at] === 0);
}
