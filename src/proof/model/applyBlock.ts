import type { ActionName } from "../../protocol/actions/index.ts";
import type { Block, Transaction } from "../../protocol/transaction.ts";
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

/** The point of a block between two of its steps; after a transaction, its receipt. */
export type Stop =
  | { readonly step: "opened" | "pricesMoved" | "fundingAccrued" | "expired" | "riskPassed" | "triggersFired" }
  | { readonly step: "transaction"; readonly index: number; readonly receipt: ModelReceipt };

/** Applies one block in the order of BLK and stops after each step, for comparison in lock step. */
export function* stepBlock(state: ModelState, block: Block): Generator<Stop, ModelReceipt[]> {
  const receipts: ModelReceipt[] = [];
  const systemCount = block.transactions.filter(({ action }) => isSystem(action)).length;
  openBlock(state, block);
  yield { step: "opened" };
  yield* applyAll(block.transactions.slice(0, systemCount));
  movePrices(state);
  yield { step: "pricesMoved" };
  sampleAndSettleFunding(state);
  yield { step: "fundingAccrued" };
  expire(state);
  yield { step: "expired" };
  passRisk(state);
  yield { step: "riskPassed" };
  yield* applyAll(block.transactions.slice(systemCount));
  fireIntents(state);
  yield { step: "triggersFired" };
  closeBlock(state);
  return receipts;

  function* applyAll(transactions: readonly Transaction[]): Generator<Stop> {
    for (const transaction of transactions) {
      const receipt = applyTransaction(state, transaction);
      receipts.push(receipt);
      yield { step: "transaction", index: receipts.length - 1, receipt };
    }
  }
}

/** Applies one block without stops. */
export function applyBlock(state: ModelState, block: Block): ModelReceipt[] {
  const steps = stepBlock(state, block);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Whether a transaction comes before the users' transactions (NET-2); an impersonation comes among them. */
function isSystem(action: ActionName): boolean {
  return TABLE[action].domain === "system" && action !== "devnetImpersonate";
}
