import type { ActionName } from "../protocol/actions/index.ts";
import type { Bytes32 } from "../protocol/fields.ts";
import type { Block, Transaction } from "../protocol/transaction.ts";
import { TABLE } from "./actions/table.ts";
import { applyTransaction } from "./applyTransaction.ts";
import { expire } from "./expiry/stepExpiry.ts";
import { sampleAndSettleFunding } from "./funding/stepFunding.ts";
import { fireIntents } from "./intents/stepIntents.ts";
import { passRisk } from "./liquidation/stepRisk.ts";
import { movePrices } from "./prices/stepPrices.ts";
import type { ModelReceipt } from "./receipts.ts";
import type { ModelState } from "./state.ts";
import { closeBlock } from "./steps/closeBlock.ts";
import { openBlock } from "./steps/openBlock.ts";

/** One block, in the order of BLK. */
export function applyBlock(
  state: ModelState,
  block: Block,
  txId: (transaction: Transaction) => Bytes32,
): ModelReceipt[] {
  const system = block.transactions.filter(({ action }) => isSystem(action));
  const users = block.transactions.slice(system.length);
  openBlock(state, block);
  const receipts = system.map((transaction) => applyTransaction(state, transaction, txId));
  movePrices(state);
  sampleAndSettleFunding(state);
  expire(state);
  passRisk(state);
  receipts.push(...users.map((transaction) => applyTransaction(state, transaction, txId)));
  fireIntents(state);
  closeBlock(state);
  return receipts;
}

/** Stands before the users' transactions (NET-2); one that carries a user's stands among them. */
function isSystem(action: ActionName): boolean {
  return TABLE[action].domain === "system" && action !== "devnetImpersonate";
}
