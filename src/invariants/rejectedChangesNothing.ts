import { NONE } from "../collections/table.ts";
import { findActor, findGrant } from "../engine/admission.ts";
import { findLane } from "../engine/authorization/lanes.ts";
import { writeCanonical } from "../engine/commitment/canonical.ts";
import type { AccountRow, AuthorizationRow } from "../engine/state/schema.ts";
import { forkState, type State } from "../engine/state/state.ts";
import { DOMAINS } from "../protocol/action.ts";
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
    if (status === "rejected") takeNonceBack(undone, before, transaction);
    const then = writeCanonical(before);
    const now = writeCanonical(undone);
    if (then.length === now.length && then.every((byte, place) => byte === now[place])) return undefined;
    return `${transaction.action} is ${status} (${result.receipts.code(index)}) and changed the venue`;
  },
});

function takeNonceBack(state: State, before: State, transaction: Transaction): void {
  const { accounts } = state;
  const account = findActor(state, transaction) as AccountRow;
  state.consumed--;
  const grant = findGrant(state, transaction);
  if (grant !== NONE) {
    takeLaneBack(state, before, account, grant, transaction);
    return;
  }
  switch (transaction.header.nonceDomain) {
    case "trading":
      if (state.nonceWindow === 0) accounts.nonceTrading[account]!--;
      else {
        accounts.nonceTrading[account] = before.accounts.nonceTrading[account]!;
        state.ownerNonces = before.ownerNonces.copy();
      }
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

/** Takes back an agent's nonce, and the lane where this was its first. */
function takeLaneBack(
  state: State,
  before: State,
  account: AccountRow,
  grant: AuthorizationRow,
  { header }: Transaction,
): void {
  const { lanes } = state;
  const lane = findLane(state, account, state.authorizations.agent[grant]!);
  const columns = [lanes.nonceTrading, lanes.nonceRisk, lanes.nonceFunds, lanes.nonceAdmin];
  if (state.nonceWindow === 0 || header.nonceDomain !== "trading")
    columns[DOMAINS.indexOf(header.nonceDomain)]![lane]!--;
  else {
    lanes.nonceTrading[lane] = lane < before.lanes.rows.high ? before.lanes.nonceTrading[lane]! : 0;
    state.agentNonces = before.agentNonces.copy();
  }
  if (columns.every((column) => column[lane] === 0) && lane === lanes.rows.high - 1) lanes.rows.high--;
}
