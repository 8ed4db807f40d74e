import { findActor } from "../engine/admission.ts";
import { writeCanonical } from "../engine/commitment/canonical.ts";
import type { AccountRow } from "../engine/state/schema.ts";
import { forkState, type State } from "../engine/state/state.ts";
import type { Transaction } from "../protocol/transaction.ts";
import { defineTransactionInvariant } from "./defineInvariant.ts";

export const rejectedChangesNothing = defineTransactionInvariant({
  id: "rejectedChangesNothing",
  sentence: "A rejected transaction changes nothing but its nonce, an inadmissible one nothing at all.",
  rules: ["NON-3", "ACT-1"],
  when: "transaction",
  check(state, { before, block, result, index }) {
    const status = result.receipts.status(index);
    if (status === "applied") return undefined;
    const undone = forkState(state);
    const transaction = block.transactions[index]!;
    if (status === "rejected") takeNonceBack(undone, transaction);
    const then = writeCanonical(before);
    const now = writeCanonical(undone);
    if (then.length === now.length && then.every((byte, place) => byte === now[place])) return undefined;
    return `${transaction.action} is ${status} (${result.receipts.code(index)}) and changed the venue`;
  },
});

function takeNonceBack(state: State, transaction: Transaction): void {
  const { accounts } = state;
  const account = findActor(state, transaction) as AccountRow;
  state.consumed--;
  switch (transaction.header.nonceDomain) {
    case "trading":
      accounts.nonceTrading[account]!--;
      return;
    case "risk":
      accounts.nonceRisk[account]!--;
      return;
    case "funds":
      accounts.nonceFunds[account]!--;
      return;
    default:
      accounts.nonceAdmin[account]!--;
  }
}
