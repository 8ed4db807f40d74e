import type { Ticks } from "../../ground/math/fixed.ts";
import type { VenueEvent } from "../../protocol/events.ts";
import type { MarketRow } from "../../venue/engine/state/schema.ts";
import type { State } from "../../venue/engine/state/state.ts";
import { measureLevel } from "../../venue/reads/book.ts";
import { getOrAdd } from "./getOrAdd.ts";
import type { Happening, Model, Reactions } from "./model.ts";
import type { OrderPasts } from "./orders.ts";
import { Queue } from "./queue.ts";

/** Number of blocks whose changes of books are kept. */
export const BOOK_BLOCKS = 2_000;
/** Most levels in the kept changes of all books. */
const LEVELS_MOST = 500_000;

/**
 * Key of a book level: its price in ticks for an ask, the negative of that for a bid. So on both sides the best price
 * has the smallest key.
 */
export type LevelKey = number;

/** Resting size at a price. */
export interface Level {
  readonly lots: number;
  readonly orders: number;
}

/** Levels of one book that a block changed, as they were before it: key, lots and orders of each in a row. */
export interface BookChange {
  readonly height: number;
  readonly timeMs: number;
  readonly market: number;
  readonly levels: readonly number[];
}

/** Resolves an order's market and price where it rests, or rested. */
export type FindResting = (id: number) => { readonly market: number; readonly ticks: number } | undefined;

const NOTHING: Level = { lots: 0, orders: 0 };

/** Levels that the events of one block name; their content is read from the state. */
export class TouchedLevels {
  readonly ofMarket = new Map<number, Set<number>>();
  /** Markets of the orders that the block opened. */
  readonly #opened = new Map<number, number>();

  /** @param find looks up the state before the event, or before its block */
  add(event: VenueEvent, find: FindResting): void {
    switch (event.kind) {
      case "fill":
        this.#mark(event.market, event.price);
        break;
      case "orderOpened":
        this.#opened.set(event.order, event.market);
        this.#mark(event.market, event.price);
        break;
      case "orderAmended": {
        const market = this.#markOrder(event.order, find) ?? this.#opened.get(event.order);
        if (market !== undefined) this.#mark(market, event.price);
        break;
      }
      case "orderResized":
      case "orderCancelled":
        this.#markOrder(event.order, find);
        break;
    }
  }

  clear(): void {
    this.ofMarket.clear();
    this.#opened.clear();
  }

  /** An order that is not found has not rested before: its opening event has its first price. */
  #markOrder(id: number, find: FindResting): number | undefined {
    const order = find(id);
    if (order !== undefined) this.#mark(order.market, order.ticks);
    return order?.market;
  }

  #mark(market: number, ticks: number): void {
    if (ticks > 0) getOrAdd(this.ofMarket, market, () => new Set()).add(ticks);
  }
}

/** Content of a level: empty on the side where the price is not. */
export function readLevel(state: State, market: MarketRow, key: LevelKey): Level {
  const price = Math.abs(key) as Ticks;
  const book = state.books[market];
  if (book === undefined || key < 0 !== price <= book.bestBid) return NOTHING;
  return measureLevel(state, market, price);
}

/**
 * The former content of the touched levels, for those that a block changed.
 *
 * @param keep receives their present content
 */
export function diffLevels(
  ticks: Iterable<number>,
  before: (key: LevelKey) => Level,
  after: (key: LevelKey) => Level,
  keep: (key: LevelKey, level: Level) => void = () => {},
): number[] {
  const levels: number[] = [];
  const compare = (key: LevelKey) => {
    const was = before(key);
    const is = after(key);
    if (was.lots === is.lots && was.orders === is.orders) return;
    levels.push(key, was.lots, was.orders);
    keep(key, is);
  };
  for (const price of ticks) {
    compare(price);
    compare(-price);
  }
  return levels;
}

/**
 * Books of the last blocks: every present level, and the changes of each block, so that the book of an earlier height
 * can be rebuilt. It starts with the service; earlier changes are added on the first request for them.
 */
export class BookChanges implements Model {
  readonly #orders: OrderPasts;
  readonly #touched = new TouchedLevels();
  readonly #books = new Map<number, Map<LevelKey, Level>>();
  #changes = new Queue<BookChange>();
  #levels = 0;
  #isFollowing = false;
  /** The changes of blocks above this height are known. */
  fromHeight = 0;
  /** Whether the blocks before the start of the service were searched. */
  isRebuilt = false;

  /** @param orders must receive each event after this model */
  constructor(orders: OrderPasts) {
    this.#orders = orders;
  }

  readonly on: Reactions = {
    fill: (event) => this.#touch(event),
    orderOpened: (event) => this.#touch(event),
    orderAmended: (event) => this.#touch(event),
    orderResized: (event) => this.#touch(event),
    orderCancelled: (event) => this.#touch(event),
  };

  settle(state: State): void {
    this.fromHeight = state.height;
    state.books.forEach((book, at) => {
      const market = at as MarketRow;
      const levels = this.levelsOf(at);
      for (let price = book.bestBid; price > 0; price = book.below(price)) {
        levels.set(-price, measureLevel(state, market, price));
      }
      for (let price = book.bestAsk; price > 0; price = book.above(price)) {
        levels.set(price, measureLevel(state, market, price));
      }
    });
    this.#isFollowing = true;
  }

  endBlock({ height, timeMs, state }: Pick<Happening, "height" | "timeMs" | "state">): void {
    if (!this.#isFollowing) return;
    for (const [market, ticks] of this.#touched.ofMarket) {
      const book = this.levelsOf(market);
      const after = (key: LevelKey) => readLevel(state, market as MarketRow, key);
      const before = (key: LevelKey) => book.get(key) ?? NOTHING;
      const levels = diffLevels(ticks, before, after, (key, level) => {
        if (level.orders === 0) book.delete(key);
        else book.set(key, level);
      });
      if (levels.length === 0) continue;
      this.#changes.push({ height, timeMs, market, levels });
      this.#levels += levels.length / 3;
    }
    this.#touched.clear();
    this.#forget(height - BOOK_BLOCKS);
  }

  /** The present levels of a book. */
  levelsOf(market: number): Map<LevelKey, Level> {
    return getOrAdd(this.#books, market, () => new Map());
  }

  /** Changes of a book by blocks above a height, newest first. */
  *changesOf(market: number, aboveHeight: number): Generator<BookChange> {
    for (const change of this.#changes.newestFirst()) {
      if (change.height <= aboveHeight) return;
      if (change.market === market) yield change;
    }
  }

  /** Cost of rebuilding a book at a height: its levels, and those of the changes since. */
  costOf(market: number, aboveHeight: number): number {
    let cost = this.levelsOf(market).size;
    for (const { levels } of this.changesOf(market, aboveHeight)) cost += levels.length / 3;
    return cost;
  }

  /** Adds changes from before the known blocks, oldest first. */
  rebuildOldBooks(fromHeight: number, changes: readonly BookChange[]): void {
    const all = new Queue<BookChange>();
    for (const change of changes) all.push(change);
    for (let at = 0; at < this.#changes.length; at++) all.push(this.#changes.at(at)!);
    this.#changes = all;
    this.#levels += changes.reduce((sum, { levels }) => sum + levels.length / 3, 0);
    this.fromHeight = fromHeight;
    this.#forget(fromHeight);
  }

  #touch(event: VenueEvent): void {
    if (this.#isFollowing) this.#touched.add(event, (id) => this.#orders.find(id));
  }

  #forget(height: number): void {
    const changes = this.#changes;
    if (height > this.fromHeight) this.fromHeight = height;
    for (;;) {
      const oldest = changes.peek();
      if (oldest === undefined || (oldest.height > this.fromHeight && this.#levels <= LEVELS_MOST)) return;
      if (oldest.height > this.fromHeight) this.isRebuilt = true; // there is no room for more
      changes.shift();
      this.#levels -= oldest.levels.length / 3;
      this.fromHeight = Math.max(this.fromHeight, oldest.height);
    }
  }
}
