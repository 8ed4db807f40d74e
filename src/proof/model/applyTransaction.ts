import type { ActionName, Payloads } from "../../protocol/actions/index.ts";
import type { Transaction } from "../../protocol/transaction.ts";
import { findAccount } from "./accounts.ts";
import type { Handler } from "./actions/handler.ts";
import { TABLE } from "./actions/table.ts";
import { admit } from "./admission/admit.ts";
import { nextNonce, useNonce } from "./admission/nonces.ts";
import { checkCovered } from "./authorization/admit.ts";
import { forgetRefusal, type ModelReceipt, type Outcome } from "./receipts.ts";
import type { Actor, Context, ModelState } from "./state.ts";

/** Ids reserved for each committed transaction: orders and intents are numbered in their order (ORD-4). */
export const IDS_PER_TRANSACTION = 64;

/** Applies one transaction: admission, then its nonce, then its action (ACT, NON-3). */
export function applyTransaction(state: ModelState, transaction: Transaction): ModelReceipt {
  const admitted = admit(state, transaction);
  if ("code" in admitted) return { status: "invalid", code: admitted.code };
  forgetRefusal(state);
  const { code, results } = execute(state, transaction, admitted.actor);
  if (code !== undefined) {
    const { refusal } = state;
    return { status: "rejected", code, ...(refusal?.code === code ? { numbers: refusal.numbers } : {}) };
  }
  return { status: "applied", ...(results === undefined ? {} : { results }) };
}

/**
 * An admitted transaction commits. A transaction that it carries is applied next, and its result is that of both
 * (NET-3).
 */
function execute(state: ModelState, transaction: Transaction, actor: Actor | undefined): Outcome {
  const { header } = transaction;
  useNonce(state, transaction);
  state.committed++;
  let carried: Transaction | undefined;
  const context: Context = {
    actor,
    signer: header.signer,
    domain: header.nonceDomain,
    firstId: state.committed * IDS_PER_TRANSACTION,
    txId: () => state.tools.txId(transaction),
    carry: (draft) => {
      carried = draft;
    },
  };
  const outcome = act(state, context, transaction, actor);
  if (carried === undefined || outcome.code !== undefined) return outcome;
  const { account } = carried.header;
  const nonce = nextNonce(state, carried);
  const found = findAccount(state, account.address, account.subaccount);
  if (found === undefined) throw new Error("a carried transaction has no account");
  return execute(state, { ...carried, header: { ...carried.header, nonce } }, { account: found, grant: undefined });
}

function act(state: ModelState, context: Context, transaction: Transaction, actor: Actor | undefined): Outcome {
  if (actor?.grant !== undefined) {
    const code = checkCovered(state, actor.account, actor.grant, transaction);
    if (code !== undefined) return { code };
  }
  const { apply } = TABLE[transaction.action] as { readonly apply: Handler<ActionName> };
  return apply(state, context, transaction.payload as Payloads[ActionName]);
}
