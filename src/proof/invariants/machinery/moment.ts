import { NONE } from "../../../ground/collections/table.ts";
import type { VenueEvent } from "../../../protocol/events.ts";
import type { Block, Transaction } from "../../../protocol/transaction.ts";
import { EVENT_WIDTHS, readEvent } from "../../../venue/engine/events/readEvents.ts";
import type { BlockStep } from "../../../venue/engine/probe.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { KindSet } from "./ledger/fieldsOf.ts";
import { Ledger } from "./ledger/ledger.ts";
import type { Tally } from "./tally.ts";

/**
 * One moment: the result of a transaction or of a step of a block. One object is reused for every moment; callers must
 * not keep any part of it.
 */
export class Moment implements Tally {
  state: State;
  block!: Block;
  /** Time of the block before, ms. */
  lastMs: number;
  /** Place of the transaction; NONE for a step. */
  index: number = NONE;
  transaction: Transaction | undefined = undefined;
  step: BlockStep | undefined = undefined;
  /** Code of the receipt: 0 applied, above rejected, below invalid; 0 for a step. */
  code = 0;
  /** The account that the transaction acts for; NONE for system transactions, steps, and accounts that do not exist. */
  actor: AccountRow = NONE as AccountRow;
  /** Its events: words from `from` to `to`. */
  data!: Float64Array;
  from = 0;
  to = 0;
  readonly kinds: KindSet = new KindSet();
  /** The venue by its events: `ledger.was` before the moment, `ledger.now` after it. */
  readonly ledger: Ledger;
  /** Compare all rows, not only the touched ones. */
  thorough = false;
  met = 0;
  least: number = Number.POSITIVE_INFINITY;
  #events: VenueEvent[] | undefined;

  constructor(state: State) {
    this.state = state;
    this.lastMs = state.timeMs;
    this.ledger = new Ledger(state);
  }

  /** Forgets its venue and continues with another one, between two blocks of it. */
  startAgain(state: State): void {
    this.state = state;
    this.lastMs = state.timeMs;
    this.ledger.startAgain(state);
  }

  /** Continues from the venue of the last `startAgain` once more. */
  rewind(state: State): void {
    this.state = state;
    this.lastMs = state.timeMs;
    this.ledger.rewind();
  }

  /** The moment's events, decoded: convenient and slow. */
  get events(): readonly VenueEvent[] {
    if (this.#events === undefined) {
      this.#events = [];
      for (let at = this.from; at < this.to; at += EVENT_WIDTHS[this.data[at]!]!) {
        this.#events.push(readEvent(this.data, at));
      }
    }
    return this.#events;
  }

  forget(): void {
    this.#events = undefined;
    this.kinds.clear();
  }
}
