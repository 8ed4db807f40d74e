import { marketOf, type OwnRejection } from "../../../client/strategy/blockFacts.ts";
import type { TransactionId } from "../../../client/strategy/facts.ts";
import { NONE } from "../../../ground/collections/table.ts";
import type { Payloads } from "../../../protocol/actions/index.ts";
import type { Receipts } from "../../../protocol/receipt.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { SealedBlock } from "../../../venue/simulation/observer.ts";
import type { Recorder } from "../../report/input.ts";
import { BacktestError } from "../errors.ts";

interface OwnOrder {
  readonly id: TransactionId;
  /** Lots. */
  remaining: number;
}

/** Actions that enter or change an order; the others cancel, or choose a leverage. */
const ORDER_ACTIONS: ReadonlySet<string> = new Set(["placeOrder", "closePosition", "amendOrder"]);

/** Which transaction an order of the strategy came from, and how many lots of it are open, as fills report them. */
export class OwnOrders {
  readonly #orders = new Map<number, OwnOrder>();
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

  /** Reads the receipts of the strategy's transactions in a block; returns those that were rejected. */
  readReceipts(block: SealedBlock, receipts: Receipts, first: number, recorder: Recorder): OwnRejection[] {
    const rejections: OwnRejection[] = [];
    for (let index = first; index < block.transactions.length; index++) {
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
      const order = receipts.at(index).results?.[0]?.orderId;
      if (action === "placeOrder") {
        recorder.recordOrder("placed");
        const { market, size } = payload as Payloads["placeOrder"];
        if (order !== undefined) this.#add(order, header.clientTxId, size / this.#lotSizes.get(market)!);
      } else if (action === "closePosition") {
        recorder.recordOrder("placed");
        if (order !== undefined) this.#add(order, header.clientTxId, 0);
      } else if (action === "amendOrder") {
        recorder.recordOrder("amended");
      }
    }
    return rejections;
  }

  #add(order: number, id: TransactionId, remaining: number): void {
    this.#orders.set(order, { id, remaining });
    this.#unsettled.add(order);
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
   * @returns    the order's transaction, empty for none, and the lots that are left
   */
  fill(order: number, lots: number, left: number | undefined): { id: TransactionId; remaining: number } {
    const own = this.#orders.get(order);
    if (own === undefined) return { id: "", remaining: 0 };
    own.remaining = left ?? Math.max(0, own.remaining - lots);
    if (left === 0) this.#orders.delete(order);
    // An amended order may be filled whole as a taker.
    else if (left === undefined) this.#unsettled.add(order);
    return { id: own.id, remaining: own.remaining };
  }

  /** The order is gone. Returns its transaction; empty for an order that no transaction of the strategy entered. */
  remove(order: number): TransactionId {
    const own = this.#orders.get(order);
    this.#orders.delete(order);
    return own?.id ?? "";
  }

  /** After the events of a block: forgets the orders that ended in it without an event, filled whole as takers. */
  settle({ orders, orderIndex }: State): void {
    for (const order of this.#unsettled) if (orderIndex.find(orders, order) === NONE) this.#orders.delete(order);
    this.#unsettled.clear();
  }
}
