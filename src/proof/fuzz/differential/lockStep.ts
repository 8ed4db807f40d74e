import { AccountKey } from "../../../protocol/accountKey.ts";
import { isCarriedFault, readCarried } from "../../../protocol/carried.ts";
import { createTransaction } from "../../../protocol/createTransaction.ts";
import { events as protocolEvents } from "../../../protocol/events.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import { ORDER_OUTCOMES, type Receipt } from "../../../protocol/receipt.ts";
import type { RejectionNumbers } from "../../../protocol/rejections.ts";
import type { Block } from "../../../protocol/transaction.ts";
import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import { ORDERS_PER_TRANSACTION } from "../../../venue/engine/handler/defineHandler.ts";
import type { Probe } from "../../../venue/engine/probe.ts";
import { digestOf } from "../../../venue/engine/state/digest.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { BlockSteps, Stop } from "../../model/applyBlock.ts";
import { copyState, type KeptModel } from "../../model/copyState.ts";
import { createModel, type Model } from "../../model/createModel.ts";
import type { ModelReceipt, Numbers } from "../../model/receipts.ts";
import type { ModelTools } from "../../model/state.ts";
import { type Beginning, Beginnings } from "./beginnings.ts";
import { EventComparison } from "./compareEvents.ts";
import { listDifferences } from "./compareModel.ts";
import { describeSide, isSame, type Side } from "./comparison.ts";

/** The first difference between venue and model. */
export interface Difference {
  readonly height: number;
  /** Step or transaction of the block after which they differ. */
  readonly after: string;
  /** Index of the transaction. */
  readonly index?: number;
  readonly difference: string;
  /** The first difference and the others at the same moment. */
  readonly sides: readonly Side[];
}

/** Greatest magnitude of a stored quantity (NUM-3). */
const LIMIT = 9_000_000_000_000_000n;

/** Offset of the taker's order in a fill event, after the code of its kind. */
const TAKER_ORDER = 1 + Object.keys(protocolEvents.fill.fields).indexOf("takerOrder");

/** At most this many differences are reported for one moment. */
const SIDES_MOST = 24;

/** Copies a model's state, between two blocks. */
export function keepModel({ state: { tools: _tools, ...state } }: Model): KeptModel {
  return copyState(state);
}

/** How often states are compared: after every block, or also after every step and transaction in it. */
export type Grain = "block" | "step";

/**
 * Runs a venue and a model in lock step on the same blocks and compares them:
 *
 *     applyBlock(venue, block, both.probe);
 *     both.check(venue, block);                                   // the first difference
 *
 * or, with its own venue, `both.apply(block)`. An error in the model counts as a difference.
 */
export class LockStep {
  readonly #genesis: Genesis;
  readonly #tools: ModelTools;
  #model: Model;
  readonly probe: Probe;
  readonly #grain: Grain;
  /** The current venue. A restart replaces the object. */
  #venue: State;
  /**
   * Orders of this block that the venue cancelled without a fill. The model asks for them if it would fill such an
   * order (ORD-2).
   */
  readonly #killed = new Set<number>();
  #block: Block | undefined;
  #steps: BlockSteps | undefined;
  /** State from which the next block starts; undefined if the model continues. */
  #from: KeptModel | undefined;
  readonly #beginnings = new Beginnings();
  /** The beginning that this block shares with an earlier one, and the number of its steps that were compared. */
  #shared: { readonly from: KeptModel; readonly beginning: Beginning; compared: number } | undefined;
  #found: Difference | undefined;
  /** True once the model threw. It is not run any further. */
  #hasFailed = false;
  /** The model's receipts of the block, including those after the first difference. */
  readonly receipts: Map<number, ModelReceipt> = new Map();
  readonly #emitted = new EventComparison();

  /**
   * @param venue a venue to which the caller applies the blocks; by default the lock step has its own
   * @param from state of a model that matches this venue; it is copied
   */
  constructor(genesis: Genesis, grain: Grain = "block", venue: State = createVenue(genesis), from?: KeptModel) {
    this.#venue = venue;
    this.#genesis = genesis;
    this.#tools = {
      txId: (transaction) => digestOf(this.#venue, transaction),
      draftCarried: ({ account, subaccount, action, payload }, height) => {
        const read = readCarried(action, payload);
        if (isCarriedFault(read)) return undefined;
        const key = new AccountKey(account, subaccount);
        const { network } = genesis;
        return createTransaction({ ...read, account: key, nonce: 0, network, validFrom: height, validUntil: height });
      },
      isKilled: (orderId) => this.#killed.has(orderId),
    };
    this.#model = createModel(genesis, this.#tools, from === undefined ? undefined : copyState(from));
    this.#grain = grain;
    this.probe = {
      beforeBlock: (state, block, from) => this.#begin(state, block, from),
      afterTransaction: (state, index) => this.#advance(state, "transaction", index),
      afterStep: (state, step) => this.#advance(state, step),
    };
  }

  get model(): Model {
    return this.#model;
  }

  /**
   * Continues with another venue and the model that matches it, between two blocks: as a new lock step. The next block
   * sets the model to the state. Blocks that start from the same object share their beginnings.
   */
  startAgain(venue: State, from: KeptModel): void {
    this.#venue = venue;
    this.#from = from;
    this.#found = undefined;
    this.#hasFailed = false;
  }

  get venue(): State {
    return this.#venue;
  }

  /** Applies a block to both. Returns the first difference, if any. */
  apply(block: Block): Difference | undefined {
    applyBlock(this.#venue, block, this.probe);
    return this.check(this.#venue, block);
  }

  /** Returns the first difference after a block that the caller applied with the probe. */
  check(state: State, { height }: Block): Difference | undefined {
    if (this.#hasFailed) return this.#found;
    const found = this.#try(() => {
      this.#steps?.next();
      if (this.#found !== undefined) return undefined;
      return listDifferences(state, this.model.state, 1)[0];
    });
    if (found === undefined || this.#found !== undefined) return this.#found;
    return this.#describe(state, { height, after: "the block" }, found, true);
  }

  /** Lets the model finish a block in which the venue threw. */
  finish(): void {
    this.#try(() => {
      for (let stop = this.#steps?.next(); stop !== undefined; stop = this.#steps?.next())
        if (stop.step === "transaction") this.receipts.set(this.receipts.size, stop.receipt);
      return undefined;
    });
  }

  #begin(state: State, block: Block, from: number): void {
    this.receipts.clear();
    this.#venue = state;
    this.#emitted.begin(from);
    if (!this.#hasFailed) this.#found = undefined;
    this.#killed.clear();
    this.#block = block;
    this.#shared = undefined;
    if (this.#from === undefined) this.#steps = this.model.beginBlock(block);
    else this.#beginAt(this.#from, block);
    this.#from = undefined;
  }

  #beginAt(from: KeptModel, block: Block): void {
    const beginning = this.#grain === "block" ? this.#beginnings.open(from, block) : undefined;
    this.#model = createModel(this.#genesis, this.#tools, copyState(beginning?.state ?? from));
    this.#steps = this.model.beginBlock(block, beginning?.emitted.length);
    if (beginning !== undefined) this.#shared = { from, beginning, compared: 0 };
  }

  /** Returns the next stop of the model, and the number of its events up to there. */
  #next(): { readonly stop: Stop | undefined; readonly emitted: number } {
    const { state } = this.model;
    const emitted = this.#shared?.beginning.emitted[this.#shared.compared++];
    if (emitted !== undefined) return { stop: undefined, emitted };
    const stop = this.#steps!.next();
    if (stop?.step !== "transaction") this.#beginnings.note(state);
    return { stop, emitted: state.emitted.length };
  }

  /** Sets a model at the end of a shared beginning back to the step at which it differs from the venue. */
  #leaveShared(): void {
    if (this.#shared === undefined) return;
    const { from, beginning, compared } = this.#shared;
    this.#shared = undefined;
    if (compared > beginning.emitted.length) return;
    this.#model = createModel(this.#genesis, this.#tools, copyState(from));
    this.#steps = this.model.beginBlock(this.#block!);
    for (let step = 0; step < compared; step++) this.#steps.next();
  }

  #advance(state: State, step: string, index?: number): void {
    if (this.#hasFailed) return;
    this.#emitted.read(state);
    this.#noteKilled(state, index);
    const found = this.#try(() => {
      const { stop, emitted: end } = this.#next();
      const receipt = stop?.step === "transaction" ? stop.receipt : undefined;
      if (index !== undefined && receipt !== undefined) this.receipts.set(index, receipt);
      const emitted = this.#emitted.compare(state, this.model.state.emitted, end);
      if (this.#found !== undefined) return undefined;
      return (
        (index === undefined ? undefined : compareReceipts(state, index, receipt)) ??
        emitted ??
        (this.#grain === "step" ? listDifferences(state, this.model.state, 1, { isOver: false })[0] : undefined)
      );
    });
    if (found === undefined || this.#found !== undefined) return;
    this.#leaveShared();
    const { height, transactions } = this.#block!;
    const after = index === undefined ? step : `transaction ${index} (${transactions[index]?.action})`;
    this.#found = this.#describe(state, { height, after, ...(index === undefined ? {} : { index }) }, found);
  }

  /** @param found a difference, or the error of the model */
  #describe(
    state: State,
    place: Pick<Difference, "height" | "after" | "index">,
    found: Side | string,
    isOver = false,
  ): Difference {
    if (typeof found === "string") return { ...place, difference: found, sides: [] };
    let others: readonly Side[] = [];
    try {
      others = listDifferences(state, this.model.state, SIDES_MOST, { isOver }).filter(
        ({ what }) => what !== found.what,
      );
    } catch {
      // If a value cannot be compared any more, the first difference already explains it.
    }
    return { ...place, difference: describeSide(found), sides: [found, ...others] };
  }

  /** Records the orders that the venue killed: its cancellations so far, and the order that undid a batch. */
  #noteKilled({ events, receipts, consumed }: State, index: number | undefined): void {
    const cancelled = this.#emitted.placesOf("orderCancelled");
    if (cancelled.length > 0) {
      const filled = new Set(this.#emitted.placesOf("fill").map((at) => events.data[at + TAKER_ORDER]!));
      for (const at of cancelled) {
        const order = events.data[at + 1]!;
        // A reduce-only order that filled is cancelled for the part beyond the position.
        if (!filled.has(order)) this.#killed.add(order);
      }
    }
    if (index === undefined || receipts.code(index) !== "ORDER_KILLED") return;
    const first = (consumed - 1) * ORDERS_PER_TRANSACTION;
    this.#killed.add(first + Number(receipts.numbers.get(index)?.["leg"]));
  }

  #try(compare: () => Side | undefined): Side | string | undefined {
    try {
      return compare();
    } catch (error) {
      this.#hasFailed = true;
      return `the model failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
    }
  }
}

/** Compares status, code, order results, and those numbers of a rejection that the model also computes. */
function compareReceipts({ receipts }: State, index: number, model: ModelReceipt | undefined): Side | undefined {
  // Most receipts are plain: applied or rejected, without order results.
  const results = model?.results;
  if (model?.code === receipts.code(index) && model?.status === receipts.status(index)) {
    if (model?.numbers !== undefined) return compareNumbers(receipts.numbers.get(index), model.numbers);
    const outcome = receipts.outcomes[index]!;
    if (outcome === 0 && results === undefined && !receipts.results.has(index)) return undefined;
    const only = results?.length === 1 ? results[0]! : undefined;
    const isOne = outcome !== 0 && only !== undefined && only.code === undefined;
    if (isOne && only.orderId === receipts.orderIds[index] && only.status === ORDER_OUTCOMES[outcome - 1])
      return undefined;
  }
  const receipt = receipts.at(index);
  const [ours, theirs] = [describeReceipt(receipt), describeReceipt(model)];
  if (ours !== theirs) return { what: "receipt", venue: ours, model: theirs };
  for (const [place, { numbers }] of (results ?? []).entries()) {
    const differs = numbers === undefined ? undefined : compareNumbers(receipt.results?.[place]?.numbers, numbers);
    if (differs !== undefined) return { ...differs, what: `${differs.what}, result ${place + 1}` };
  }
  return undefined;
}

function compareNumbers(venue: RejectionNumbers = {}, model: Numbers): Side | undefined {
  for (const [name, theirs] of Object.entries(model)) {
    const ours = venue[name];
    // The venue reports a number that is out of range as the bound, or rounded.
    if (typeof theirs === "bigint" && (theirs > LIMIT || theirs < -LIMIT)) continue;
    if (!isSame(ours, theirs)) return { what: `receipt, ${name} (ACT-2)`, venue: String(ours), model: String(theirs) };
  }
  return undefined;
}

function describeReceipt(receipt: Receipt | ModelReceipt | undefined): string {
  if (receipt === undefined) return "none";
  return [receipt.status, receipt.code, ...(receipt.results ?? []).map(describeResult)].filter(Boolean).join(" ");
}

function describeResult({ orderId, status, code }: NonNullable<ModelReceipt["results"]>[number]): string {
  return `${orderId ?? "-"}:${status}${code === undefined ? "" : `:${code}`}`;
}
