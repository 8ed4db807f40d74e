import type { Side } from "../../../client/strategy/facts.ts";
import { NONE } from "../../../ground/collections/table.ts";
import type { PriceE8, Ticks } from "../../../ground/math/fixed.ts";
import { MarkedTables } from "../../../venue/engine/margin/markedTables.ts";
import type { MarginTables } from "../../../venue/engine/state/marginTables.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { HouseLevel, PassedHouse } from "../../replay/houseState.ts";

/** The last instant of the data, as far as the venue does not have it. */
export interface PassedInstant {
  /** Its time; undefined where it has a block. That block may have left the house's quotes for a later one. */
  readonly passedMs: number | undefined;
  /** By market. */
  readonly houses: readonly PassedHouse[];
  /** Whether an order of another account than the house rests: then only a block gives the book. */
  readonly rests: boolean;
  /** Makes its block. */
  makeBlock(): void;
}

/** A venue as a strategy reads it. */
export interface Reads {
  readonly state: State;
  /** Prices from which margin is computed. */
  readonly tables: MarginTables;
  /** 1e-8 USD; 0 before the first. */
  readMark(market: MarketRow): number;
  readIndex(market: MarketRow): number;
  /** Ticks; 0 before the first. */
  readLast(market: MarketRow): number;
  /** Best price of a side, ticks; 0 for an empty one. */
  readBest(side: Side, market: MarketRow): number;
  /** Levels of a side, best first. */
  listLevels(side: Side, market: MarketRow, most: number): readonly HouseLevel[];
}

/** A venue without data, or with a block at every instant. */
const UP_TO_DATE: PassedInstant = { passedMs: undefined, houses: [], rests: false, makeBlock: () => undefined };

/**
 * Reads a venue as of the last instant of the data. Of an instant without a block it computes the state that the block
 * would have left, to the unit.
 */
export class VenueReads implements Reads {
  readonly state: State;
  readonly #instant: PassedInstant;
  readonly #marked: MarkedTables;
  /** Instant of the marks in `#marked`. */
  #markedMs = Number.NaN;

  constructor(state: State, instant: PassedInstant = UP_TO_DATE) {
    this.state = state;
    this.#instant = instant;
    this.#marked = new MarkedTables(state);
  }

  /** Prices from which margin is computed. */
  get tables(): MarginTables {
    const { passedMs, houses } = this.#instant;
    if (passedMs === undefined) return this.state;
    if (passedMs === this.#markedMs) return this.#marked;
    this.#markedMs = passedMs;
    for (let market = 0; market < houses.length; market++) {
      this.#marked.setMark(market as MarketRow, houses[market]!.passed.mark as PriceE8);
    }
    return this.#marked;
  }

  /** 1e-8 USD; 0 before the first. */
  readMark(market: MarketRow): number {
    return this.#houseOf(market)?.passed.mark ?? this.state.markets.mark[market]!;
  }

  /** 1e-8 USD; 0 before the first. */
  readIndex(market: MarketRow): number {
    return this.#houseOf(market)?.passed.price ?? this.state.markets.index[market]!;
  }

  /** Ticks; 0 before the first. */
  readLast(market: MarketRow): number {
    const passed = this.#instant.houses[market]?.passed;
    return passed?.isLastDue === true ? passed.lastTicks : this.state.markets.last[market]!;
  }

  /** Best price of a side, ticks; 0 for an empty one. */
  readBest(side: Side, market: MarketRow): number {
    const ticks = this.#instant.houses[market]?.findBookBest(side);
    if (ticks !== undefined) return ticks;
    const levels = this.#listOfHouse(side, market, 1);
    if (levels !== undefined) return levels[0]?.ticks ?? 0;
    const { bestBid, bestAsk } = this.state.books[market]!;
    return side === "buy" ? bestBid : bestAsk;
  }

  /** Levels of a side, best first. */
  listLevels(side: Side, market: MarketRow, most: number): readonly HouseLevel[] {
    const levels = this.#instant.houses[market]?.listBookLevels(side, most);
    return levels ?? this.#listOfHouse(side, market, most) ?? this.#listOfBook(side, market, most);
  }

  /** The house's orders where the venue does not have them yet; undefined if the book of the venue does. */
  #listOfHouse(side: Side, market: MarketRow, most: number): HouseLevel[] | undefined {
    if (this.#instant.passedMs !== undefined && this.#instant.rests) this.#instant.makeBlock();
    return this.#instant.houses[market]?.listPassedLevels(side, most);
  }

  #listOfBook(side: Side, market: MarketRow, most: number): HouseLevel[] {
    const { orders } = this.state;
    const book = this.state.books[market]!;
    const found: HouseLevel[] = [];
    let ticks: Ticks = side === "buy" ? book.bestBid : book.bestAsk;
    while (ticks !== 0 && found.length < most) {
      let lots = 0;
      for (let order = book.head(ticks); order !== NONE; order = orders.levelNext[order]!) {
        lots += orders.remaining[order]!;
      }
      found.push({ ticks, lots });
      ticks = side === "buy" ? book.below(ticks) : book.above(ticks);
    }
    return found;
  }

  /** The house of a market at an instant without a block. */
  #houseOf(market: MarketRow): PassedHouse | undefined {
    return this.#instant.passedMs === undefined ? undefined : this.#instant.houses[market];
  }
}
