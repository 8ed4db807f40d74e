import type { BlockFacts } from "../../../client/strategy/blockFacts.ts";
import { NONE } from "../../../ground/collections/table.ts";
import type { Ppb } from "../../../ground/math/fixed.ts";
import type { VenueEvent } from "../../../protocol/events.ts";
import { MARGIN_MODE } from "../../../protocol/words.ts";
import type { BlockResult } from "../../../venue/engine/applyBlock.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { SealedBlock } from "../../../venue/simulation/observer.ts";
import type { Recorder } from "../../report/input.ts";
import {
  findPayment,
  isUnnamed,
  PAYMENT_WIDTH,
  paymentMarket,
  paymentRate,
  readAccountEvents,
} from "./accountEvents.ts";
import { AccountPoints, type PassedMarket } from "./accountPoints.ts";
import { AccountReports, NO_REPORTS } from "./accountReports.ts";
import { AccruedFunding } from "./accruedFunding.ts";
import { EventRecorder } from "./eventRecorder.ts";
import type { MarkedAccount } from "./markedAccount.ts";
import type { OwnOrders } from "./ownOrders.ts";
import type { PointColumns } from "./pointColumns.ts";
import type { VenueReads } from "./venueReads.ts";

/** Of a block without a transaction of the strategy, and of one without effects on its account. */
const NO_REJECTIONS: BlockFacts["rejections"] = [];
const NO_EVENTS: readonly VenueEvent[] = [];
const NO_FACTS: BlockFacts = { reports: NO_REPORTS, rejections: NO_REJECTIONS };

/** Parts of a tracker. */
export interface AccountTrackerParts {
  readonly recorder: Recorder;
  /** Last prices, where the venue does not have them yet. */
  readonly reads: Pick<VenueReads, "readLast">;
  readonly orders: OwnOrders;
  readonly account: AccountRow;
  readonly markets: number;
  /** The facts of a block have its payments. */
  readonly seesFunding: boolean;
  /** Each block is recorded by itself, the plain way. */
  readonly recordsEach: boolean;
}

/**
 * Follows one account through every block: records its points and, of blocks that concern it, its events, and returns
 * the effects for its strategy. A block that changes nothing but values is read the quick way.
 *
 * Funding is accounted for when it accrues, not when the venue settles it with the position's next change. The debt of
 * an account is exact at every moment (FND-3). So the sum is the same to the unit, and a payment shows at its time.
 */
export class AccountTracker {
  readonly #recorder: Recorder;
  readonly #orders: OwnOrders;
  readonly #account: AccountRow;
  readonly #funding: AccruedFunding;
  readonly #reports: AccountReports;
  readonly #events: EventRecorder;
  readonly #points: AccountPoints;
  readonly #recordsEach: boolean;
  /** The last block had transactions of the strategy, or events of its account. */
  isTouched = false;
  /** The last block paid funding to the account, or took it. */
  isPaid = false;

  constructor({ recorder, reads, orders, account, markets, seesFunding, recordsEach }: AccountTrackerParts) {
    this.#recordsEach = recordsEach;
    this.#recorder = recorder;
    this.#orders = orders;
    this.#account = account;
    const funding = new AccruedFunding(account, markets);
    const reports = new AccountReports(seesFunding);
    this.#funding = funding;
    this.#reports = reports;
    this.#events = new EventRecorder({ recorder, reports, orders, funding, account, markets });
    this.#points = new AccountPoints({ recorder, reads, account, markets, funding });
  }

  /**
   * Reads a block.
   *
   * @param places of the strategy's transactions in it
   * @param isRecorded whether `pass` has recorded its instant
   */
  read(
    state: State,
    block: SealedBlock,
    result: BlockResult,
    places: readonly number[],
    isRecorded = false,
  ): BlockFacts {
    this.#reports.clear();
    this.isPaid = false;
    const own = places.length > 0;
    this.isTouched = own;
    if (!this.#recordsEach && !own && !isRecorded && this.#isQuiet(state, result))
      return this.#readQuiet(state, result);
    const rejections = own ? this.#orders.readReceipts(block, result.receipts, places, this.#recorder) : NO_REJECTIONS;
    // Without a position, an order or a transaction nothing in the block can concern the account.
    const isInvolved = own || this.#isInvolved(state);
    const events = isInvolved ? readAccountEvents(result.events, result.from, result.to, this.#account) : NO_EVENTS;
    const isOfOrders = !this.#recordsEach && areOfOrders(events) && this.#isCross(state);
    if (!isOfOrders) this.flush();
    if (isInvolved) {
      if (events.length > 0) this.isTouched = true;
      this.isPaid = this.#events.read(state, events);
    }
    if (!isRecorded) {
      if (isOfOrders) this.#points.add(state, this.#points.open(state, 1));
      else this.#points.record(state);
    }
    return { reports: this.#reports.all, rejections };
  }

  /**
   * Whether a block without a transaction of the strategy changed nothing of the account but its values at new prices
   * and the funding that it owes. All of its positions are of the cross margin account.
   */
  #isQuiet(state: State, { events, from, to }: BlockResult): boolean {
    return this.#isCross(state) && (!this.#isInvolved(state) || isUnnamed(events, from, to, this.#account));
  }

  #isCross({ positions, accounts }: State): boolean {
    for (let row = accounts.position[this.#account]!; row !== NONE; row = positions.next[row]!) {
      if (positions.mode[row] !== MARGIN_MODE.cross) return false;
    }
    return true;
  }

  /** Reads such a block: its point and its payments are recorded with those before and after it. */
  #readQuiet(state: State, { events, from, to }: BlockResult): BlockFacts {
    const points = this.#points.open(state, 1);
    if (this.#isInvolved(state)) this.#readPayments(state, events, from, to);
    this.#points.add(state, points);
    const reports = this.#reports.all;
    return reports === NO_REPORTS ? NO_FACTS : { reports, rejections: NO_REJECTIONS };
  }

  /** Adds the payments of a block in which nothing was settled to the point that comes next. */
  #readPayments(state: State, events: Float64Array, from: number, to: number): void {
    let at = findPayment(events, from, to);
    if (at === to) return;
    this.isTouched = true;
    this.#funding.read(state, []);
    for (; at < to; at = findPayment(events, at + PAYMENT_WIDTH, to)) {
      const market = paymentMarket(events, at);
      const accrued = this.#funding.take(market);
      if (accrued === 0) continue;
      this.isPaid = true;
      const rate = paymentRate(events, at) as Ppb;
      this.#points.addPayment(state, market, rate, 0 - accrued);
      this.#reports.addFunding(state, market, rate, accrued);
    }
  }

  /** An instant that needs no block; see `AccountPoints.pass`. */
  pass(state: State, timeMs: number, account: MarkedAccount, flows: readonly PassedMarket[]): void {
    this.#points.pass(state, timeMs, account, flows);
  }

  /** Columns with room for further points, to which the caller appends instants that need no block. */
  openPoints(state: State, most: number): PointColumns {
    return this.#points.open(state, most);
  }

  /** Records the points that were passed. */
  flush(): void {
    this.#points.flush();
  }

  /** After the last block: records what is still open. */
  end(): void {
    this.flush();
    this.#events.end();
  }

  #isInvolved(state: State): boolean {
    const { positions, accounts } = state;
    for (let row = accounts.position[this.#account]!; row !== NONE; row = positions.next[row]!) {
      if (positions.signedLots[row] !== 0 || positions.orderCount[row] !== 0) return true;
    }
    // Positions and orders may have ended in this very block.
    return this.#events.isInvolved;
  }
}

/** Whether events change nothing of the account that they name but its orders. */
function areOfOrders(events: readonly VenueEvent[]): boolean {
  for (const { kind } of events) {
    if (kind !== "orderOpened" && kind !== "orderAmended" && kind !== "orderCancelled") return false;
  }
  return true;
}
