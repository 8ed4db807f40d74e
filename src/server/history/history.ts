import { setImmediate } from "node:timers/promises";
import type { AsOf } from "../../client/api/schemas/common.ts";
import type { State } from "../../venue/engine/state/state.ts";
import { viewAsOf } from "../host/asOf.ts";
import type { BlockEntry, VenueHost } from "../host/host.ts";
import { BlockFold, Reactions } from "./blockFold.ts";
import { BookChanges } from "./bookChanges.ts";
import { FundingRates } from "./funding.ts";
import { GrantPasts } from "./grants.ts";
import { InsuranceChanges } from "./insurance.ts";
import { IntentPasts } from "./intents.ts";
import type { HistoryLimits } from "./limits.ts";
import { Liquidations } from "./liquidations.ts";
import type { Model } from "./model.ts";
import { OrderPasts } from "./orders.ts";
import { PositionPasts } from "./positions.ts";
import { SLICE_MS } from "./slices.ts";
import { Trades } from "./trades.ts";

/** Data that the state does not keep, folded from the events of blocks, with a bound on each kind (EVT-3). */
export interface Models {
  readonly books: BookChanges;
  readonly orders: OrderPasts;
  readonly intents: IntentPasts;
  readonly trades: Trades;
  readonly positions: PositionPasts;
  readonly funding: FundingRates;
  readonly liquidations: Liquidations;
  readonly insurance: InsuranceChanges;
  readonly grants: GrantPasts;
}

/** Events between two reads of the clock, in a large block. */
const SLICE_EVENTS = 1_000;

/**
 * The history of a venue that lists read. It follows the host by requesting the unread blocks: on every read, and on
 * every block. After a revert it starts from scratch.
 *
 * After a restart there may be many blocks to read, and a single block may have a million events. `prepare` reads them
 * in slices, with other work in between; a call of `read` before its end reads the rest at once. So every read belongs
 * to the newest block.
 */
export class History {
  readonly #host: VenueHost;
  readonly #limits: HistoryLimits;
  #models: Models | undefined;
  #reactions = new Reactions([]);
  #height = 0;
  #epoch = -1;
  #oldest = 0;
  #asOf: AsOf | undefined;
  /** The read in progress: of the history from its start, or of a large block. */
  #reading: Iterator<void> | undefined;
  #preparing: Promise<void> | undefined;
  /** The read that begins is of a large block. */
  #isLarge = false;

  constructor(host: VenueHost, limits: HistoryLimits) {
    this.#host = host;
    this.#limits = limits;
    host.onBlock((entry) => {
      if (!this.isReady) return undefined;
      if (entry.events.length <= limits.valuesAtOnce) {
        this.#follow();
        return undefined;
      }
      // The host waits, so the state remains that of this block.
      this.#reading = this.#readOn();
      this.#isLarge = true;
      return this.prepare();
    });
  }

  /** Whether `read` has only the newest blocks to read. */
  get isReady(): boolean {
    return this.#models !== undefined && this.#reading === undefined && !this.#isLeft();
  }

  /** The read in progress; undefined for none. */
  get preparing(): Promise<void> | undefined {
    return this.isReady ? undefined : this.#preparing;
  }

  /** Reads the history in slices, so that a later `read` is fast. */
  prepare(): Promise<void> {
    this.#preparing ??= this.#prepare().finally(() => {
      this.#preparing = undefined;
    });
    return this.#preparing;
  }

  async #prepare(): Promise<void> {
    // The block itself has taken long: other work comes before the first slice.
    if (this.#isLarge) await setImmediate();
    this.#isLarge = false;
    while (!this.isReady) {
      const start = performance.now();
      if (this.#reading === undefined || this.#isLeft()) this.#reading = this.#begin();
      while (performance.now() - start < SLICE_MS) {
        if (this.#reading.next().done === true) {
          this.#reading = undefined;
          break;
        }
      }
      if (this.#reading !== undefined) await setImmediate();
    }
  }

  /** Whether the read blocks are no longer the chain's, or older ones are missing. */
  #isLeft(): boolean {
    return this.#epoch !== this.#host.epoch || this.#height + 1 < this.#host.oldestHeight;
  }

  /** The models at the newest block, with its height. */
  read(): Models & { readonly asOf: AsOf; readonly state: State; readonly epoch: number; readonly oldest: number } {
    this.#follow();
    const models = this.#models!;
    return { ...models, asOf: this.#asOf!, state: this.#host.state, epoch: this.#epoch, oldest: this.#oldest };
  }

  #follow(): void {
    const host = this.#host;
    if (!this.isReady) {
      if (this.#reading === undefined || this.#isLeft()) this.#reading = this.#begin();
      while (this.#reading.next().done !== true);
      this.#reading = undefined;
      return;
    }
    if (this.#height < host.state.height) for (const _ of this.#readOn());
  }

  /** Reads the blocks that are not read yet. Yields after every block, and within a large one. */
  *#readOn(): Generator<void> {
    const host = this.#host;
    while (this.#height < host.state.height) {
      const entry = host.block(this.#height + 1);
      if (entry === undefined) break;
      yield* this.#fold(entry);
      yield;
    }
  }

  /** Reads the history from its start. The venue may advance meanwhile. */
  *#begin(): Generator<void> {
    const host = this.#host;
    this.#epoch = host.epoch;
    this.#height = Math.max(0, host.oldestHeight - 1);
    const first = yield* this.#findFirst();
    const complete = first <= 1;
    this.#models = this.#createModels(complete);
    this.#height = first - 1;
    this.#oldest = complete ? 0 : first;
    this.#asOf = viewAsOf(host);
    yield* this.#readOn();
    for (const model of Object.values(this.#models) as Model[]) model.settle?.(host.state, complete);
  }

  /** The oldest block to read at the start: as many as the limits allow, and at least the newest. */
  *#findFirst(): Generator<void, number> {
    const { state, oldestHeight } = this.#host;
    const { blocks, transactions } = this.#limits;
    const least = Math.max(oldestHeight, state.height - blocks + 1, 1);
    let first = state.height + 1;
    for (let count = 0; first > least; first--) {
      const entry = this.#host.block(first - 1);
      if (entry === undefined) break;
      count += entry.ids.length;
      if (count > transactions && first <= state.height) break;
      yield;
    }
    return first;
  }

  #createModels(complete: boolean): Models {
    const limits = this.#limits;
    const positions = new PositionPasts(complete);
    const sizeOf = (account: number, market: number) => positions.signedLotsOf(account, market);
    const intents = new IntentPasts(limits.endedIntents);
    const orders = new OrderPasts(limits.closedOrders, intents);
    const models: Models = {
      // It resolves orders as they were before the event.
      books: new BookChanges(orders),
      intents,
      orders,
      trades: new Trades(limits.trades, sizeOf),
      liquidations: new Liquidations(limits.liquidations, sizeOf),
      positions,
      funding: new FundingRates(limits.fundingRates),
      insurance: new InsuranceChanges(limits.insuranceChanges),
      grants: new GrantPasts(),
    };
    this.#reactions = new Reactions(Object.values(models) as Model[]);
    return models;
  }

  *#fold(entry: BlockEntry): Generator<void> {
    const { state } = this.#host;
    const { height, timeMs } = entry;
    const fold = new BlockFold(entry, state, this.#reactions);
    while (!fold.fold(SLICE_EVENTS)) yield;
    this.#models!.books.endBlock({ height, timeMs, state });
    this.#height = height;
    this.#asOf = { height, timeMs, hash: entry.hash };
  }
}
