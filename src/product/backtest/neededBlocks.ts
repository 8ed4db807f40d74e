import { findAccount } from "../../venue/engine/state/accounts.ts";
import type { AccountRow, MarketRow } from "../../venue/engine/state/schema.ts";
import type { State } from "../../venue/engine/state/state.ts";
import type { History } from "../replay/history.ts";
import { HOUSE } from "../replay/house.ts";
import type { VenueReads } from "./account/venueReads.ts";
import type { BlockSchedule } from "./options.ts";
import { isAsRecorded, isWaiting } from "./quietVenue.ts";
import type { Trader } from "./trader.ts";

/** The decision about an instant: no block, a block, or a block of the passed instant before it and then its own. */
export type BlockNeed = "none" | "one" | "two";

/**
 * Decides which instants of a replay become blocks (decision 0033). Everything that concerns any account of the run
 * counts.
 */
export class NeededBlocks {
  readonly #schedule: BlockSchedule;
  readonly #history: History;
  readonly #reads: Pick<VenueReads, "readLast" | "state">;
  readonly #traders: readonly Trader[];
  readonly #accounts: readonly AccountRow[];
  readonly #house: AccountRow;
  readonly #hasBooks: boolean;
  /** In the next block, every recorded level is in the venue. */
  #wantsBook: boolean;
  #needsBook = true;
  /** An account may trade in a block without a transaction of its strategy. */
  #mayTrade = true;
  #needsAll = true;
  #rests = false;
  #isReached = true;
  #hasHouse = true;

  constructor(
    schedule: BlockSchedule,
    history: History,
    reads: Pick<VenueReads, "readLast" | "state">,
    traders: readonly Trader[],
  ) {
    this.#schedule = schedule;
    this.#history = history;
    this.#reads = reads;
    this.#traders = traders;
    this.#accounts = traders.map(({ marked }) => marked.account);
    this.#house = findAccount(reads.state, HOUSE);
    this.#hasBooks = history.flows.some(({ book }) => book !== undefined);
    this.#wantsBook = this.#hasBooks && (schedule === "all" || traders.length > 1);
  }

  /** Every instant needs a block, as far as the last block shows. */
  get needsAll(): boolean {
    return this.#needsAll;
  }

  /** Whether an order of any account rests. */
  get rests(): boolean {
    return this.#rests;
  }

  /**
   * Whether, in the instant that was decided on, an order of any account rests where the house trades or quotes, or a
   * trigger is reached.
   */
  get isReached(): boolean {
    return this.#isReached;
  }

  /**
   * Whether the block of that instant carries the house's actions. Where prices alone move and no account trades, its
   * quotes wait for a block that needs them.
   */
  get hasHouse(): boolean {
    return this.#hasHouse;
  }

  /**
   * Whether the block of that instant has every level of recorded books. Otherwise its own transactions, and orders
   * that are reached, are all that can read a book.
   */
  get needsBook(): boolean {
    return this.#needsBook;
  }

  /**
   * Reads the venue after a block; every trader has read it.
   *
   * @param hasOwn the block has transactions of the strategies
   */
  read(state: State, hasOwn: boolean): void {
    const mayTrade = hasOwn || this.#mayTrade;
    this.#mayTrade = false;
    let needsAll = this.#schedule === "all";
    // Accounts that trade with each other may do so anywhere in a book.
    let wantsBook = needsAll || this.#traders.length > 1;
    let isExposed = false;
    this.#rests = false;
    for (const { marked, seesBlocks } of this.#traders) {
      if (marked.isBusy || marked.isExposed || !marked.isFlat) this.#mayTrade = true;
      if (marked.isBusy || seesBlocks) needsAll = true;
      if (marked.isBusy) wantsBook = true;
      if (marked.rests) this.#rests = true;
      if (marked.isExposed) isExposed = true;
      // Two accounts may trade with each other, at prices at which the house is not: that reaches triggers, too.
      if (marked.isArmed && this.#traders.length > 1) needsAll = true;
    }
    if (isWaiting(state) || !isAsRecorded(state)) needsAll = wantsBook = true;
    this.#wantsBook = this.#hasBooks && wantsBook;
    this.#needsAll = needsAll || this.#wantsBook;
    const { flows } = this.#history;
    for (let market = 0; market < flows.length; market++) {
      const flow = flows[market]!;
      // Without an order at rest or a trigger, trades of a book meet the house alone.
      const keepsSteps = isExposed || (this.#needsAll && flow.book === undefined);
      flow.followBlock(this.#reads.readLast(market as MarketRow), keepsSteps);
      flow.book?.read(state, market as MarketRow, this.#house, this.#accounts, mayTrade);
    }
  }

  /** A block is made when so many changes of queues wait for it. */
  get #isFull(): boolean {
    if (!this.#hasBooks) return false;
    for (const { book } of this.#history.flows) if (book?.isFull === true) return true;
    return false;
  }

  /**
   * Whether something can happen at this instant. Causes: a transaction is due, funding is settled, an account is at
   * its maintenance margin, an order rests, or a strategy has a hook for it. Values that only prices move need no
   * block.
   */
  decide(timeMs: number): BlockNeed {
    this.#isReached = true;
    this.#hasHouse = true;
    this.#needsBook = true;
    if (this.#needsAll && this.#wantsBook === this.#hasBooks) return "one";
    const { flows, isSettling } = this.#history;
    let isSafe = true;
    let isReached = false;
    let isSafeFilled = true;
    let isSent = false;
    let isRefused = false;
    let isExposed = false;
    for (const trader of this.#traders) {
      const { marked } = trader;
      // Every account is moved: the report gets its values where the instant is passed.
      if (!marked.move(flows)) isSafe = false;
      if (marked.isExposed) isExposed = true;
      if (marked.isExposed && marked.isReached(flows)) {
        isReached = true;
        // A fill may be followed by a liquidation in the same block, which reads the book.
        if (marked.isArmed || !marked.isSafeFilled(this.#reads.state, flows)) isSafeFilled = false;
      }
      if (trader.dueMs <= timeMs) isSent = true;
      if (trader.hasRefused) isRefused = true;
    }
    this.#isReached = isReached;
    this.#hasHouse = this.#needsAll || isExposed || !isSafe || isSent;
    this.#needsBook = !this.#hasBooks || !isSafe || !isSafeFilled;
    if (this.#needsAll) return "one";
    // A liquidation reads the marks of the block before (LIQ), and so do the check of a maker (ORD-6) and triggers
    // (INT-1).
    if (!isSafe || isReached) return "two";
    return isSent || isRefused || isSettling || this.#isFull ? "one" : "none";
  }
}
