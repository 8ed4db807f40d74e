import { findActor } from "../engine/admission.ts";
import type { AccountRow } from "../engine/state/schema.ts";
import { ROLE } from "../protocol/words.ts";
import { defineTransactionInvariant } from "./defineInvariant.ts";
import { type ExactHealth, exactHealth } from "./exact/health.ts";

export const marginAfterAction = defineTransactionInvariant({
  id: "marginAfterAction",
  sentence:
    "After an accepted action its account covers the initial requirement, or, below it before, is no nearer liquidation.",
  rules: ["MRG-4", "ACT-1"],
  when: "transaction",
  check(state, { before, block, result, index }) {
    if (result.receipts.status(index) !== "applied") return undefined;
    const account = findActor(before, block.transactions[index]!) as AccountRow;
    if (account < 0 || state.accounts.role[account] === ROLE.house) return undefined;
    const then = exactHealth(before, account);
    const now = exactHealth(state, account);
    if (now.equity >= now.initial && now.equity >= 0n) return undefined;
    if (isNoWorse(then, now)) return undefined;
    const { action } = block.transactions[index]!;
    return `${action} of account ${account} took ${show(then)} to ${show(now)}`;
  },
});

/** The second half of MRG-4: below before, the ratio does not fall and the requirement does not rise. */
function isNoWorse(then: ExactHealth, now: ExactHealth): boolean {
  if (then.equity >= then.initial) return false;
  if (now.initial > then.initial) return false;
  if (now.maintenance === 0n) return now.equity >= 0n || (then.maintenance === 0n && now.equity >= then.equity);
  if (then.maintenance === 0n) return false;
  return now.equity * then.maintenance >= then.equity * now.maintenance;
}

function show({ equity, initial, maintenance }: ExactHealth): string {
  return `equity ${equity} of initial ${initial} and maintenance ${maintenance}`;
}
