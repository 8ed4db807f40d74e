import type { ActionName } from "../../protocol/actions/index.ts";
import type { Block } from "../../protocol/transaction.ts";
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
  | { readonly step: (typeof STEPS)[number]["step"] }
  | { readonly step: "transaction"; readonly index: number; readonly receipt: ModelReceipt };

/** Steps that are no transactions, in the order of BLK. */
const STEPS = [
  { step: "opened", apply: openBlock },
  { step: "pricesMoved", apply: movePrices },
  { step: "fundingAccrued", apply: sampleAndSettleFunding },
  { step: "expired", apply: expire },
  { step: "riskPassed", apply: passRisk },
  { step: "triggersFired", apply: fireIntents },
] as const;

/** Number of steps before the users' transactions. */
export const STEPS_BEFORE_USERS = 5;

/**
 * One block in the order of BLK. It stops after each step and each transaction, for comparison in lock step. A plain
 * object, not a generator: a search makes one for every block.
 */
export class BlockSteps {
  readonly receipts: ModelReceipt[] = [];
  readonly #state: ModelState;
  readonly #block: Block;
  readonly #systemCount: number;
  #done: number;

  /** @param done steps that were already applied to the state, none of them a transaction */
  constructor(state: ModelState, block: Block, done = 0) {
    this.#state = state;
    this.#block = block;
    this.#systemCount = countSystem(block);
    this.#done = done;
  }

  /** Applies the next step or transaction; undefined after the end of the block. */
  next(): Stop | undefined {
    const { transactions } = this.#block;
    const { length } = this.receipts;
    if (length < this.#countDue()) {
      const receipt = applyTransaction(this.#state, transactions[length]!);
      this.receipts.push(receipt);
      return { step: "transaction", index: length, receipt };
    }
    const step = STEPS[this.#done];
    if (step !== undefined) step.apply(this.#state, this.#block);
    else if (this.#done === STEPS.length) closeBlock(this.#state);
    this.#done++;
    return step;
  }

  /** Number of transactions that come before the next step. */
  #countDue(): number {
    if (this.#done === 0) return 0;
    return this.#done < STEPS_BEFORE_USERS ? this.#systemCount : this.#block.transactions.length;
  }
}

/** Applies one block without stops. */
export function applyBlock(state: ModelState, block: Block): ModelReceipt[] {
  const steps = new BlockSteps(state, block);
  while (steps.next() !== undefined);
  return steps.receipts;
}

/** Number of transactions before the users' transactions: they come first (NET-2). */
export function countSystem({ transactions }: Block): number {
  let count = 0;
  for (const { action } of transactions) if (isSystem(action)) count++;
  return count;
}

/** Whether a transaction comes before the users' transactions (NET-2); an impersonation comes among them. */
function isSystem(action: ActionName): boolean {
  return TABLE[action].domain === "system" && action !== "devnetImpersonate";
}
