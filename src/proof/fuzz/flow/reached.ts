import { ACTION_NAMES } from "../../../protocol/actions/index.ts";
import {
  BALANCE_CAUSES,
  CANCEL_CAUSES,
  CLOSE_KINDS,
  INSURANCE_CAUSES,
  INTENT_CAUSES,
  ISOLATED_CAUSES,
  LIQUIDATION_STAGES,
} from "../../../protocol/events.ts";
import type { Block } from "../../../protocol/transaction.ts";
import { AUTHORIZATION_STATUSES } from "../../../protocol/words.ts";
import type { BlockResult } from "../../../venue/engine/applyBlock.ts";
import { readEvents } from "../../../venue/engine/events/readEvents.ts";

/**
 * Counts the cases that flows reached, by name: outcomes as `placeOrder applied`, events as `event fill`, their causes
 * as `orderCancelled selfTrade`. A search that never reaches the interesting cases proves nothing.
 */
export class Reached {
  readonly counts = new Map<string, number>();
  transactions = 0;

  add(block: Block, result: BlockResult): void {
    const { receipts } = result;
    this.transactions += block.transactions.length;
    block.transactions.forEach(({ action }, index) => {
      this.#count(`${action} ${receipts.code(index) ?? "applied"}`);
    });
    for (const event of readEvents(result.events, result.from, result.to)) {
      this.#count(`event ${event.kind}`);
      if (event.kind === "orderCancelled" || event.kind === "orderResized")
        this.#count(`${event.kind} ${CANCEL_CAUSES[event.cause]}`);
      else if (event.kind === "insuranceChanged") this.#count(`${event.kind} ${INSURANCE_CAUSES[event.cause]}`);
      else if (event.kind === "balanceChanged") this.#count(`${event.kind} ${BALANCE_CAUSES[event.cause]}`);
      else if (event.kind === "liquidationStage") this.#count(`${event.kind} ${LIQUIDATION_STAGES[event.stage]}`);
      else if (event.kind === "intentCancelled") this.#count(`${event.kind} ${INTENT_CAUSES[event.cause]}`);
      else if (event.kind === "isolatedMarginChanged") this.#count(`${event.kind} ${ISOLATED_CAUSES[event.cause]}`);
      else if (event.kind === "authorizationChanged")
        this.#count(`${event.kind} ${AUTHORIZATION_STATUSES[event.status]}`);
      else if (event.kind === "deleveraged") this.#count(`${event.kind} ${CLOSE_KINDS[event.way]}`);
    }
  }

  merge(other: Reached): void {
    this.transactions += other.transactions;
    for (const [name, count] of other.counts) this.counts.set(name, (this.counts.get(name) ?? 0) + count);
  }

  /** How often a code was returned, over all actions. */
  countOf(code: string): number {
    let sum = 0;
    for (const action of ACTION_NAMES) sum += this.counts.get(`${action} ${code}`) ?? 0;
    return sum;
  }

  #count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }
}
