import { ORDERS_PER_TRANSACTION } from "../../engine/actions/defineHandler.ts";
import { applyBlock } from "../../engine/applyBlock.ts";
import { digestOf } from "../../engine/digest.ts";
import { readEvents } from "../../engine/events/readEvents.ts";
import { createVenue } from "../../engine/genesis.ts";
import type { Probe } from "../../engine/probe.ts";
import type { State } from "../../engine/state/state.ts";
import { createModel, type Model } from "../../model/createModel.ts";
import type { ModelReceipt } from "../../model/receipts.ts";
import { AccountKey } from "../../protocol/accountKey.ts";
import { isCarriedFault, readCarried } from "../../protocol/carried.ts";
import { createTransaction } from "../../protocol/createTransaction.ts";
import type { Genesis } from "../../protocol/genesis.ts";
import type { Receipt } from "../../protocol/receipt.ts";
import type { Block } from "../../protocol/transaction.ts";
import { compareModel } from "./compareModel.ts";

/** Where venue and model first differ. */
export interface Difference {
  readonly height: number;
  /** After which step, or which transaction, of the block. */
  readonly after: string;
  readonly difference: string;
}

/** How often states are compared: after every block, or after every step and transaction of it. */
export type Grain = "block" | "step";

/** A venue and a model that apply the same blocks, and are compared as they go. */
export class LockStep {
  readonly venue: State;
  readonly model: Model;
  readonly #grain: Grain;
  /** Orders of this block that the venue cancelled without a fill: the model asks where it would have filled one (ORD-2). */
  readonly #killed = new Set<number>();

  constructor(genesis: Genesis, grain: Grain = "block") {
    this.venue = createVenue(genesis);
    this.model = createModel(genesis, {
      txId: (transaction) => digestOf(this.venue, transaction),
      draftCarried: ({ account, subaccount, action, payload }, height) => {
        const read = readCarried(action, payload);
        if (isCarriedFault(read)) return undefined;
        const key = new AccountKey(account, subaccount);
        const { network } = genesis;
        return createTransaction({ ...read, account: key, nonce: 0, network, validFrom: height, validUntil: height });
      },
      isKilled: (orderId) => this.#killed.has(orderId),
    });
    this.#grain = grain;
  }

  /** Notes what the venue killed: its cancellations up to now, and the order that undid a batch. */
  #noteKilled(from: number, index: number | undefined): void {
    const { events, receipts } = this.venue;
    for (const event of readEvents(events.data, from, events.length)) {
      if (event.kind === "orderCancelled") this.#killed.add(event.order);
    }
    if (index === undefined || receipts.code(index) !== "ORDER_KILLED") return;
    const first = (this.venue.consumed - 1) * ORDERS_PER_TRANSACTION;
    this.#killed.add(first + Number(receipts.numbers.get(index)?.["leg"]));
  }

  /** Applies a block to both; the first difference, undefined where there is none. */
  apply(block: Block): Difference | undefined {
    const steps = this.model.stepBlock(block);
    let found: Difference | undefined;
    let from = this.venue.events.length;
    this.#killed.clear();
    const advance = (after: string, index?: number) => {
      if (found !== undefined) return;
      this.#noteKilled(from, index);
      from = this.venue.events.length;
      const stop = steps.next().value;
      const receipt = "step" in stop && stop.step === "transaction" ? stop.receipt : undefined;
      const difference =
        (index === undefined ? undefined : compareReceipts(this.venue.receipts.at(index), receipt)) ??
        (this.#grain === "step" ? compareModel(this.venue, this.model.state) : undefined);
      if (difference !== undefined) found = { height: block.height, after, difference };
    };
    const probe: Probe = {
      beforeBlock: (_state, _block, start) => {
        from = start;
      },
      afterTransaction: (_, index) => advance(`transaction ${index} (${block.transactions[index]?.action})`, index),
      afterStep: (_, step) => advance(step),
    };
    applyBlock(this.venue, block, probe);
    if (found !== undefined) return found;
    steps.next();
    const difference = compareModel(this.venue, this.model.state);
    return difference === undefined ? undefined : { height: block.height, after: "the block", difference };
  }
}

/** Status, code and what became of orders. */
export function compareReceipts(venue: Receipt, model: ModelReceipt | undefined): string | undefined {
  const tell = (receipt: ModelReceipt | undefined) =>
    receipt === undefined
      ? "none"
      : [receipt.status, receipt.code, ...(receipt.results ?? []).map(tellResult)].filter(Boolean).join(" ");
  const [ours, theirs] = [tell(venue), tell(model)];
  return ours === theirs ? undefined : `receipt: venue ${ours}, model ${theirs}`;
}

function tellResult({ orderId, status, code }: NonNullable<ModelReceipt["results"]>[number]): string {
  return `${orderId ?? "-"}:${status}${code === undefined ? "" : `:${code}`}`;
}
