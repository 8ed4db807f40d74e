import type { Preview } from "../../../client/api/schemas/preview.ts";
import { NONE } from "../../../ground/collections/table.ts";
import { AccountKey } from "../../../protocol/accountKey.ts";
import { type ActionName, DOMAIN_OF, type Payloads } from "../../../protocol/actions/index.ts";
import { createTransaction } from "../../../protocol/createTransaction.ts";
import type { Address } from "../../../protocol/fields.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { readEvents } from "../../../venue/engine/events/readEvents.ts";
import { findAccount } from "../../../venue/engine/state/accounts.ts";
import { forkState } from "../../../venue/engine/state/forkState.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { getCommittedNext } from "../../../venue/simulation/committedNonce.ts";
import { readRefusal, readResults } from "../../../venue/simulation/explain/receiptText.ts";
import { listOpenPositions, viewPosition } from "./positions.ts";
import { viewRisk } from "./risk.ts";

/** An action to preview. */
export interface PreviewedAction<A extends ActionName = ActionName> {
  readonly address: Address;
  readonly subaccount: number;
  readonly action: A;
  readonly payload: Payloads[A];
}

/**
 * The effect of an action, computed by the venue's own rules: two copies of it advance by a block, one with the action.
 * Effects of time are in both, so the difference is the action's. The cost grows with the whole venue, which is copied.
 */
export function viewPreview(state: State, { address, subaccount, action, payload }: PreviewedAction): Preview {
  const account = new AccountKey(address, subaccount);
  const nonceDomain = DOMAIN_OF[action];
  const transaction = createTransaction({
    action,
    account,
    payload,
    nonceDomain,
    nonce: getCommittedNext(state, { account: address, subaccount, signer: address, domain: nonceDomain }),
    network: state.genesis.network,
    validFrom: state.height + 1,
    validUntil: state.height + 1,
  });
  const before = forkState(state);
  applyBlock(before, nextBlock(state, []));
  const after = forkState(state);
  const result = applyBlock(after, nextBlock(state, [transaction]));
  const receipt = result.receipts.at(0);
  const events = readEvents(result.events, receipt.eventsFrom, receipt.eventsTo);
  return {
    status: receipt.status,
    ...readRefusal(before, transaction, receipt),
    results: readResults(after, transaction, receipt, events),
    fillCount: events.filter(({ kind }) => kind === "fill").length,
    before: viewSituation(before, account),
    after: viewSituation(after, account),
  };
}

function nextBlock({ height, timeMs }: State, transactions: readonly Transaction[]) {
  return { height: height + 1, timeMs: timeMs + 1, transactions };
}

function viewSituation(state: State, key: AccountKey): Preview["before"] {
  const account = findAccount(state, key);
  if (account === NONE) return { risk: null, positions: [] };
  return {
    risk: viewRisk(state, account),
    positions: listOpenPositions(state, account).map((at) => viewPosition(state, at)),
  };
}
