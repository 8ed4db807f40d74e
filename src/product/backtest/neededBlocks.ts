import type { MarketRow } from "../../venue/engine/state/schema.ts";
import type { State } from "../../venue/engine/state/state.ts";
import type { History } from "../replay/history.ts";
import type { VenueReads } from "./account/venueReads.ts";
import type { BlockSchedule } from "./options.ts";
import { isAsRecorded, isWaiting } from "./quietVenue.ts";
import type { Trader } from "./trader.ts";

/** What becomes of an instant: no block, a block, or a block of the passed instant before it and then its own. */
export type BlockNeed = "none" | "one" | "two";

/** Decides which instants of a replay become blocks (decision 0033). What concerns any account of the run counts. */
export class NeededBlocks {
  readonly #schedule: BlockSchedule;
  readonly #history: History;
  readonly #reads: Pick<VenueReads, "readLast">;
  readonly #traders: readonly Trader[];
  #needsAll = true;
  #rests = false;
  #isReached = true;
  #hasHouse = true;

  constructor(
    schedule: BlockSchedule,
    history: History,
    reads: Pick<VenueReads, "readLast">,
    traders: readonly Trader[],
  ) {
    this.#schedule = schedule;
    this.#history = history;
    this.#reads = reads;
    this.#traders = traders;
  }

  /** Every instant needs a block, as far as the last block shows. */
  get needsAll(): boolean {
    return this.#needsAll;
  }

  /** Whether an order of any account rests. */
  get rests(): boolean {
    return this.#rests;
  }

  /** Whether, in the instant that was decided on, an order of any account rests where the house trades or quotes, or a trigger is reached. */
  get isReached(): boolean {
    return this.#isReached;
  }

  /**
   * Whether the block of that instant carries what the house does. Where prices alone move and no account trades, its quotes wait for a
   * block that needs them.
   */
  get hasHouse(): boolean {
    return this.#hasHouse;
  }

  /** Reads what a block left; every trader has read it. */
  read(state: State): void {
    let needsAll = this.#schedule === "all";
    let isExposed = false;
    this.#rests = false;
    for (const { marked, seesBlocks } of this.#traders) {
      if (marked.isBusy || seesBlocks) needsAll = true;
      if (marked.rests) this.#rests = true;
      if (marked.isExposed) isExposed = true;
      // Two accounts may trade with each other, at prices at which the house is not: that reaches triggers, too.
      if (marked.isArmed && this.#traders.length > 1) needsAll = true;
    }
    this.#needsAll = needsAll || isWaiting(state) || !isAsRecorded(state);
    const { flows } = this.#history;
    for (let market = 0; market < flows.length; market++) {
      flows[market]!.followBlock(this.#reads.readLast(market as MarketRow), this.#needsAll || isExposed);
    }
  }

  /**
   * Whether something can happen at this instant. Causes: a transaction is due, funding is settled, an account is at
   * its maintenance margin, an order rests, or a strategy has a hook for it. Values that only prices move need no
   * block.
   */
  decide(timeMs: number): BlockNeed {
    this.#isReached = true;
    this.#hasHouse = true;
    if (this.#needsAll) return "one";
    const { flows, isSettling } = this.#history;
    let isSafe = true;
    let isReached = false;
    let isSent = false;
    let isRefused = false;
    let isExposed = false;
    for (const trader of this.#traders) {
      const { marked } = trader;
      // Every account is moved: the report gets its values where the instant is passed.
      if (!marked.move(flows)) isSafe = false;
      if (marked.isExposed) isExposed = true;
      if (marked.isExposed && marked.isReached(flows)) isReached = true;
      if (trader.dueMs <= timeMs) isSent = true;
      if (trader.hasRefused) isRefused = true;
    }
    this.#isReached = isReached;
    this.#hasHouse = isExposed || !isSafe || isSent;
    // A liquidation reads the marks of the block before (LIQ), and so do the check of a maker (ORD-6) and triggers (INT-1).
    if (!isSafe || isReached) return "two";
    return isSent || isRefused || isSettling ? "one" : "none";
  }
}
