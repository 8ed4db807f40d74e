import { setImmediate } from "node:timers/promises";
import type { AsOf } from "../../client/api/schemas/common.ts";
import { EVENT_KINDS, type VenueEvent } from "../../protocol/events.ts";
import { readEvent } from "../../venue/engine/events/readEvents.ts";
import type { State } from "../../venue/engine/state/state.ts";
import { viewAsOf } from "../host/asOf.ts";
import type { BlockEntry, VenueHost } from "../host/host.ts";
import { BookChanges } from "./bookChanges.ts";
import { FundingRates } from "./funding.ts";
import { GrantPasts } from "./grants.ts";
import { InsuranceChanges } from "./insurance.ts";
import { IntentPasts } from "./intents.ts";
import type { HistoryLimits } from "./limits.ts";
import { Liquidations } from "./liquidations.ts";
import type { Happening, Model } from "./model.ts";
import { OrderPasts } from "./orders.ts";
import { PositionPasts } from "./positions.ts";
import { Trades } from "./trades.ts";
import { walkEvents } from "./walkEvents.ts";

type Reaction = (event: VenueEvent, at: Happening) => void;

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

/** Longest slice of the first read of the history, ms. */
const SLICE_MS = 10;

/**
 * The history of a venue that lists read. It follows the host by requesting the unread blocks: on every read, and on
 * every block. After a revert it starts from scratch.
 *
 * After a restart there may be many blocks to read. `prepare` reads them in slices, with other work in between; a call
 * of `read` before its end reads the rest at once.
 */
export class History {
  readonly #host: VenueHost;
  readonly #limits: HistoryLimits;
  #models: Models | undefined;
  #reactions: readonly (readonly Reaction[])[] = [];
  #ends: readonly Model[] = [];
  #height = 0;
  #epoch = -1;
  #oldest = 0;
  #asOf: AsOf | undefined;
  /** The first read of the history, while it lasts. */
  #beginning: Iterator<void> | undefined;
  #preparing: Promise<void> | undefined;

  constructor(host: VenueHost, limits: HistoryLimits) {
    this.#host = host;
    this.#limits = limits;
    host.onBlock(() => {
      if (this.isReady) this.#follow();
    });
  }

  /** Whether `read` has only the newest blocks to read. */
  get isReady(): boolean {
    return this.#models !== undefined && this.#beginning === undefined && !this.#isLeft();
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
    while (!this.isReady) {
      const start = performance.now();
      if (this.#beginning === undefined || this.#isLeft()) this.#beginning = this.#begin();
      while (performance.now() - start < SLICE_MS) {
        if (this.#beginning.next().done === true) {
          this.#beginning = undefined;
          break;
        }
      }
      if (this.#beginning !== undefined) await setImmediate();
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
      if (this.#beginning === undefined || this.#isLeft()) this.#beginning = this.#begin();
      while (this.#beginning.next().done !== true);
      this.#beginning = undefined;
      return;
    }
    while (this.#height < host.state.height) {
      const entry = host.block(this.#height + 1);
      if (entry === undefined) break;
      this.#fold(entry);
    }
  }

  /** Yields after every block. The venue may advance meanwhile. */
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
    while (this.#height < host.state.height) {
      const entry = host.block(this.#height + 1);
      if (entry === undefined) break;
      this.#fold(entry);
      yield;
    }
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
    const list = Object.values(models) as Model[];
    this.#reactions = EVENT_KINDS.map((kind) =>
      list.flatMap((model) => (model.on[kind] === undefined ? [] : [model.on[kind] as unknown as Reaction])),
    );
    this.#ends = list.filter((model) => model.endSegment !== undefined);
    return models;
  }

  #fold(entry: BlockEntry): void {
    const { state } = this.#host;
    const { events, height, timeMs } = entry;
    walkEvents(
      entry,
      (at, place) => {
        const reactions = this.#reactions[events[at]!]!;
        if (reactions.length === 0) return;
        const event = readEvent(events, at);
        const happening: Happening = { ...place, entry, state };
        for (const react of reactions) react(event, happening);
      },
      () => {
        for (const model of this.#ends) model.endSegment!(height);
      },
    );
    this.#models!.books.endBlock({ height, timeMs, state });
    this.#height = height;
    this.#asOf = { height, timeMs, hash: entry.hash };
  }
}
