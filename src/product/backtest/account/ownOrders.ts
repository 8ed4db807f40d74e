import { marketOf, type OwnRejection } from "../../../client/strategy/blockFacts.ts";
import type { TransactionId, TriggerKind } from "../../../client/strategy/facts.ts";
import { NONE } from "../../../ground/collections/table.ts";
import type { Payloads } from "../../../protocol/actions/index.ts";
import type { Receipts } from "../../../protocol/receipt.ts";
import { INTENT_KIND } from "../../../protocol/words.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { SealedBlock } from "../../../venue/simulation/observer.ts";
import type { Recorder } from "../../report/input.ts";
import { BacktestError } from "../errors.ts";

interface OwnOrder {
  readonly id: TransactionId;
  /** Of the intent that placed it; undefined for an order of a transaction. */
  readonly intent: TriggerKind | undefined;
  /** Lots. */
  remaining: number;
}

/** An intent of the strategy. */
export interface OwnIntent {
  readonly id: TransactionId;
  readonly kind: TriggerKind;
}

/** Actions that enter or change an order; the others cancel, or choose a leverage. */
export const ORDER_ACTIONS: ReadonlySet<string> = new Set(["placeOrder", "closePosition", "amendOrder", "placeIntent"]);

/** Which transaction an order of the strategy came from, and how many lots of it are open, as fills report them. */
export class OwnOrders {
  readonly #orders = new Map<number, OwnOrder>();
  readonly #intents = new Map<number, OwnIntent>();
  readonly #lotSizes: ReadonlyMap<string, number>;
  /** Orders of this block that may have ended without an event of their own: they entered, or were filled as takers. */
  readonly #unsettled = new Set<number>();

  /** @param lotSizes by market name, 1e-8 base */
  constructor(lotSizes: ReadonlyMap<string, number>) {
    this.#lotSizes = lotSizes;
  }

  /** Orders that are not known to have ended. */
  get open(): number {
    return this.#orders.size;
  }

  /** Intents that have not ended. */
  get armed(): number {
    return this.#intents.size;
  }

  /** The transaction of an order; empty for an order that is not known. */
  nameOf(order: number): TransactionId {
    return this.#orders.get(order)?.id ?? "";
  }

  /**
   * Reads the receipts of the strategy's transactions in a block; returns those that were rejected.
   *
   * @param places of its transactions in the block
   */
  readReceipts(block: SealedBlock, receipts: Receipts, places: readonly number[], recorder: Recorder): OwnRejection[] {
    const rejections: OwnRejection[] = [];
    for (const index of places) {
      const { action, payload, header } = block.transactions[index]!;
      const status = receipts.status(index);
      if (status === "invalid") {
        throw new BacktestError(
          "REPLAY_REFUSED",
          `transaction ${header.clientTxId} is invalid: ${receipts.code(index)}`,
        );
      }
      if (status === "rejected") {
        const code = receipts.code(index)!;
        recorder.recordRejection(code, block.timeMs, ORDER_ACTIONS.has(action));
        rejections.push({ id: header.clientTxId, timeMs: block.timeMs, code, market: marketOf(payload) });
        continue;
      }
      const order = receipts.orderId(index);
      if (action === "placeOrder") {
        recorder.recordOrder("placed");
        const { market, size } = payload as Payloads["placeOrder"];
        if (order !== undefined) this.#add(order, header.clientTxId, size / this.#lotSizes.get(market)!);
      } else if (action === "closePosition") {
        recorder.recordOrder("placed");
        if (order !== undefined) this.#add(order, header.clientTxId, 0);
      } else if (action === "amendOrder") {
        recorder.recordOrder("amended");
      } else if (action === "placeIntent") {
        const { market, size, kind } = payload as Payloads["placeIntent"];
        if (order === undefined || (kind !== INTENT_KIND.oto && kind !== INTENT_KIND.otoco)) continue;
        recorder.recordOrder("placed");
        this.#add(order, header.clientTxId, size / this.#lotSizes.get(market)!);
      }
    }
    return rejections;
  }

  #add(order: number, id: TransactionId, remaining: number, intent?: TriggerKind): void {
    this.#orders.set(order, { id, remaining, intent });
    this.#unsettled.add(order);
  }

  /** An intent was placed. */
  arm(intent: number, own: OwnIntent): void {
    this.#intents.set(intent, own);
  }

  /** An intent fired: its order, which has its number, comes next. Returns the intent. */
  trigger(intent: number, lots: number): OwnIntent | undefined {
    const own = this.#intents.get(intent);
    if (own !== undefined) this.#add(intent, own.id, lots, own.kind);
    return own;
  }

  /** An intent ended; its order may still rest. Returns the intent. */
  end(intent: number): OwnIntent | undefined {
    const own = this.#intents.get(intent);
    this.#intents.delete(intent);
    return own;
  }

  /** An order rests with this many lots. */
  rest(order: number, remaining: number): void {
    const own = this.#orders.get(order);
    if (own !== undefined) own.remaining = remaining;
  }

  /**
   * Takes in a fill.
   *
   * @param left lots that the fill left of a resting order; undefined for a taker
   * @returns    the order with the lots that are left; its transaction is empty for an order that is not known
   */
  fill(order: number, lots: number, left: number | undefined): OwnOrder {
    const own = this.#orders.get(order);
    if (own === undefined) return { id: "", remaining: 0, intent: undefined };
    own.remaining = left ?? Math.max(0, own.remaining - lots);
    if (left === 0) this.#orders.delete(order);
    // An amended order may be filled whole as a taker.
    else if (left === undefined) this.#unsettled.add(order);
    return own;
  }

  /** The order is gone. Returns it; undefined for an order that no transaction of the strategy entered. */
  remove(order: number): Pick<OwnOrder, "id" | "intent"> | undefined {
    const own = this.#orders.get(order);
    this.#orders.delete(order);
    return own;
  }

  /** After the events of a block: forgets the orders that ended in it without an event, filled whole as takers. */
  settle({ orders, orderIndex }: State): void {
    if (this.#unsettled.size === 0) return;
    for (const order of this.#unsettled) if (orderIndex.find(orders, order) === NONE) this.#orders.delete(order);
    this.#unsettled.clear();
  }
}
