import type { ActionName, Payloads } from "../protocol/actions/index.ts";
import type { Bytes32 } from "../protocol/fields.ts";
import type { Transaction } from "../protocol/transaction.ts";
import type { Handler } from "./actions/handler.ts";
import { TABLE } from "./actions/table.ts";
import { admit } from "./admission/admit.ts";
import { useNonce } from "./admission/nonces.ts";
import { checkCovered } from "./authorization/admit.ts";
import type { ModelReceipt, Outcome } from "./receipts.ts";
import type { Actor, Context, ModelState } from "./state.ts";

/** Ids set aside for each committed transaction: orders and intents are named in their order (ORD-4). */
export const IDS_PER_TRANSACTION = 64;

/** One transaction: admitted or not, its nonce used, and then what the action says (ACT, NON-3). */
export function applyTransaction(
  state: ModelState,
  transaction: Transaction,
  txId: (transaction: Transaction) => Bytes32,
): ModelReceipt {
  const admitted = admit(state, transaction);
  if ("code" in admitted) return { status: "invalid", code: admitted.code };
  useNonce(state, transaction);
  state.committed++;
  const { header } = transaction;
  const context: Context = {
    actor: admitted.actor,
    signer: header.signer,
    domain: header.nonceDomain,
    firstId: state.committed * IDS_PER_TRANSACTION,
    txId: () => txId(transaction),
  };
  const outcome = act(state, context, transaction, admitted.actor);
  if (outcome.code !== undefined) return { status: "rejected", code: outcome.code };
  return { status: "applied", ...(outcome.results === undefined ? {} : { results: outcome.results }) };
}

function act(state: ModelState, context: Context, transaction: Transaction, actor: Actor | undefined): Outcome {
  if (actor?.grant !== undefined) {
    const code = checkCovered(state, actor.account, actor.grant, transaction);
    if (code !== undefined) return { code };
  }
  const { apply } = TABLE[transaction.action] as { readonly apply: Handler<ActionName> };
  return apply(state, context, transaction.payload as Payloads[ActionName]);
}
