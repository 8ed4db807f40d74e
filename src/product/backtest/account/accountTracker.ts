import type { BlockFacts, Report } from "../../../client/strategy/blockFacts.ts";
import type { Cancellation, Funding, IntentChange, Liquidation, TriggerKind } from "../../../client/strategy/facts.ts";
import { fromAmount, fromE8, fromPpb, fromSteps } from "../../../client/strategy/units.ts";
import { NONE } from "../../../ground/collections/table.ts";
import type { Amount, Ppb, PriceE8, SizeE8 } from "../../../ground/math/fixed.ts";
import {
  BALANCE_CAUSE,
  CANCEL_CAUSE,
  CANCEL_CAUSES,
  CLOSE_KINDS,
  type EventOf,
  INSURANCE_CAUSES,
  INTENT_CAUSES,
  LIQUIDATION_STAGES,
  type VenueEvent,
} from "../../../protocol/events.ts";
import { nameLiquidation } from "../../../protocol/liquidationId.ts";
import { REJECTION_NAMES } from "../../../protocol/rejections.ts";
import { MARGIN_MODE, SIDE, TRIGGER_KINDS } from "../../../protocol/words.ts";
import type { BlockResult } from "../../../venue/engine/applyBlock.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { TOTAL } from "../../../venue/engine/state/totals.ts";
import type { SealedBlock } from "../../../venue/simulation/observer.ts";
import type { FillInput, Recorder } from "../../report/input.ts";
import { createPayment } from "../../report/recording/eachPoint.ts";
import {
  findPayment,
  isUnnamed,
  PAYMENT_WIDTH,
  paymentMarket,
  paymentRate,
  readAccountEvents,
} from "./accountEvents.ts";
import { AccountPoints, type PassedMarket } from "./accountPoints.ts";
import { AccruedFunding } from "./accruedFunding.ts";
import { LiquidationRecord } from "./liquidationRecord.ts";
import type { MarkedAccount } from "./markedAccount.ts";
import type { OwnIntent, OwnOrders } from "./ownOrders.ts";
import type { PointColumns } from "./pointColumns.ts";
import type { VenueReads } from "./venueReads.ts";

/** Of a block without a transaction of the strategy, and of one without effects on its account. */
const NO_REJECTIONS: BlockFacts["rejections"] = [];
const NO_REPORTS: Report[] = [];
const NO_EVENTS: readonly VenueEvent[] = [];
const NO_FACTS: BlockFacts = { reports: NO_REPORTS, rejections: NO_REJECTIONS };

/** Values of a fill that are missing until the position that it changed has been seen. */
type Open<T> = { -readonly [K in keyof T]: T[K] };

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
 * Follows one account through the events of every block: hands a recorder the data of a report and returns the events
 * for the strategy.
 *
 * Funding is accounted for when it accrues, not when the venue settles it with the position's next change. The debt of
 * an account is exact at every moment (FND-3). So the sum is the same to the unit, and a payment shows at its time.
 */
export class AccountTracker {
  readonly #recorder: Recorder;
  readonly #orders: OwnOrders;
  readonly #account: AccountRow;
  readonly #funding: AccruedFunding;
  /** By market: size in lots, as the last block left it. */
  readonly #signedLots: Float64Array;
  readonly #points: AccountPoints;
  readonly #recordsEach: boolean;
  /** Balance of the insurance fund at the event that is read. */
  #fund = 0;
  #pending: Open<FillInput> | undefined;
  /**
   * Open liquidations by the number of their record, those that ended in this block, and the one whose liquidation step
   * it is.
   */
  readonly #open = new Map<number, LiquidationRecord>();
  #ended: LiquidationRecord[] = [];
  #step: LiquidationRecord | undefined;
  /** Intents whose orders were placed in this block. */
  readonly #fired = new Set<number>();
  #reports = NO_REPORTS;
  readonly #seesFunding: boolean;
  /** The last block had transactions of the strategy, or events of its account. */
  isTouched = false;
  /** The last block paid funding to the account, or took it. */
  isPaid = false;
  readonly #payment = createPayment();

  constructor({ recorder, reads, orders, account, markets, seesFunding, recordsEach }: AccountTrackerParts) {
    this.#seesFunding = seesFunding;
    this.#recordsEach = recordsEach;
    this.#recorder = recorder;
    this.#orders = orders;
    this.#account = account;
    this.#signedLots = new Float64Array(markets);
    this.#funding = new AccruedFunding(account, markets);
    this.#points = new AccountPoints({ recorder, reads, account, markets, funding: this.#funding });
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
    this.#reports = NO_REPORTS;
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
      this.#funding.read(state, events);
      this.#readFundBefore(state, events);
      for (const event of events) this.#readEvent(state, event);
      this.#closeFill();
      this.#orders.settle(state);
      if (this.#fired.size > 0) {
        this.#recorder.recordOrder("placed", this.#fired.size);
        this.#fired.clear();
      }
      if (this.#ended.length > 0) {
        for (const record of this.#ended) this.#recorder.recordLiquidation(record.finish());
        this.#ended = [];
      }
      this.#step = undefined;
    }
    if (!isRecorded) {
      if (isOfOrders) this.#points.add(state, this.#points.open(state, 1));
      else this.#points.record(state);
    }
    return { reports: this.#reports, rejections };
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
    return this.#reports === NO_REPORTS ? NO_FACTS : { reports: this.#reports, rejections: NO_REJECTIONS };
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
      if (this.#seesFunding) this.#reportFunding(state, market, rate, accrued);
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

  /** After the last block: hands over the liquidations that are still open. */
  end(): void {
    this.flush();
    for (const record of this.#open.values()) this.#recorder.recordLiquidation(record.finish());
    this.#open.clear();
  }

  #isInvolved(state: State): boolean {
    const { positions, accounts } = state;
    for (let row = accounts.position[this.#account]!; row !== NONE; row = positions.next[row]!) {
      if (positions.signedLots[row] !== 0 || positions.orderCount[row] !== 0) return true;
    }
    // Positions and orders may have ended in this very block.
    const { open, armed } = this.#orders;
    for (const lots of this.#signedLots) if (lots !== 0) return true;
    return open > 0 || armed > 0 || this.#open.size > 0;
  }

  /** Balance of the insurance fund before the block. */
  #readFundBefore(state: State, events: readonly VenueEvent[]): void {
    let change = 0;
    let isChanged = false;
    for (const event of events) {
      if (event.kind !== "insuranceChanged") continue;
      isChanged = true;
      change += event.delta;
    }
    if (isChanged) this.#fund = Number(state.totals.get(TOTAL.insurance)) - change;
  }

  /**
   * A market paid funding: to the position as the block had left it by then. A block has one payment of a market at
   * most.
   */
  #readFunding(state: State, { market, rate }: EventOf<"fundingAccrued">): void {
    const accrued = this.#funding.take(market);
    if (accrued === 0) return;
    this.isPaid = true;
    this.#closeFill();
    const payment = this.#payment;
    payment.timeMs = state.timeMs;
    payment.market = market;
    payment.rate = rate as Ppb;
    payment.amount = (0 - accrued) as Amount;
    payment.size = (this.#signedLots[market]! * state.parameters[market]!.lotSize) as SizeE8;
    payment.mark = state.markets.mark[market as MarketRow]!;
    payment.index = state.markets.index[market as MarketRow]!;
    this.#recorder.recordFunding(payment);
    if (this.#seesFunding) this.#reportFunding(state, market, rate, accrued);
  }

  #reportFunding(state: State, market: number, rate: number, accrued: number): void {
    const funding: Funding = {
      market: state.marketNames[market]!,
      timeMs: state.timeMs,
      rate: fromPpb(rate),
      amount: fromAmount(-accrued),
    };
    this.#report({ kind: "funding", funding });
  }

  #readEvent(state: State, event: VenueEvent): void {
    switch (event.kind) {
      case "fundingAccrued":
        this.#readFunding(state, event);
        return;
      case "fill":
        this.#readFill(state, event);
        return;
      case "deleveraged":
        this.#readDeleveraged(state, event);
        return;
      case "positionChanged":
        if (this.#pending !== undefined) this.#pending.realizedPnl = event.realized as Amount;
        this.#signedLots[event.market] = event.size;
        return;
      case "balanceChanged":
        this.#readBalance(state, event);
        return;
      case "insuranceChanged":
        this.#fund += event.delta;
        if (event.account !== this.#account) return;
        this.#recorder.recordInsurance({
          timeMs: state.timeMs,
          cause: INSURANCE_CAUSES[event.cause]!,
          amount: event.delta as Amount,
          balance: this.#fund as Amount,
        });
        this.#step?.addInsurance(event);
        return;
      case "orderOpened":
        this.#orders.rest(event.order, event.remaining);
        return;
      case "orderAmended":
        this.#orders.rest(event.order, event.remaining);
        return;
      case "orderCancelled":
        this.#readCancelled(state, event);
        return;
      case "intentPlaced": {
        const kind = TRIGGER_KINDS[event.way];
        if (kind !== undefined) this.#orders.arm(event.intent, { id: state.events.texts[event.client] ?? "", kind });
        return;
      }
      case "intentTriggered": {
        this.#closeFill();
        const own = this.#orders.trigger(event.intent, event.size);
        if (own === undefined) return;
        this.#fired.add(event.intent);
        this.#reportIntent(state, event.market, own, "triggered", undefined);
        return;
      }
      case "intentExecuted":
        this.#endIntent(state, event, "executed", undefined);
        return;
      case "intentFailed": {
        const code = REJECTION_NAMES[event.code] ?? "";
        // Its order was refused, not placed.
        this.#fired.delete(event.intent);
        if (this.#endIntent(state, event, "failed", code)) this.#recorder.recordRejection(code, state.timeMs, true);
        return;
      }
      case "intentCancelled":
        this.#endIntent(state, event, "cancelled", INTENT_CAUSES[event.cause]!);
        return;
      case "intentExpired":
        this.#endIntent(state, event, "expired", undefined);
        return;
      case "liquidationStarted":
      case "liquidationContinued":
        this.#closeFill();
        this.#step = this.#open.get(event.liquidation) ?? new LiquidationRecord(state, event);
        this.#open.set(event.liquidation, this.#step);
        return;
      case "liquidationStage":
        this.#readStage(state, event);
        return;
    }
  }

  /** Returns whether the intent is one of the strategy's. */
  #endIntent(
    state: State,
    { intent, market }: { readonly intent: number; readonly market: number },
    status: IntentChange["status"],
    cause: string | undefined,
  ): boolean {
    const own = this.#orders.end(intent);
    if (own === undefined) return false;
    this.#reportIntent(state, market, own, status, cause);
    return true;
  }

  #reportIntent(
    state: State,
    market: number,
    { id, kind }: OwnIntent,
    status: IntentChange["status"],
    cause: string | undefined,
  ): void {
    const intent: IntentChange = {
      market: state.marketNames[market]!,
      timeMs: state.timeMs,
      id,
      kind,
      status,
      cause,
    };
    this.#report({ kind: "intent", intent });
  }

  #readCancelled(state: State, { order, market, remaining, cause }: EventOf<"orderCancelled">): void {
    const own = this.#orders.remove(order);
    this.#recorder.recordOrder(cause === CANCEL_CAUSE.timeInForce ? "expired" : "cancelled");
    const cancellation: Cancellation = {
      market: state.marketNames[market]!,
      timeMs: state.timeMs,
      id: own?.id ?? "",
      unfilled: fromSteps(remaining, state.parameters[market]!.lotSize),
      cause: CANCEL_CAUSES[cause]!,
      intent: own?.intent,
    };
    this.#report({ kind: "cancellation", cancellation });
  }

  #readFill(state: State, event: EventOf<"fill">): void {
    this.#closeFill();
    const isMaker = event.makerAccount === this.#account;
    const { tickSize, lotSize } = state.parameters[event.market]!;
    const buys = (event.takerSide === SIDE.buy) !== isMaker;
    const order = isMaker ? event.makerOrder : event.takerOrder;
    const sizeE8 = event.size * lotSize;
    const fill: Open<FillInput> = {
      timeMs: state.timeMs,
      market: event.market,
      side: buys ? "buy" : "sell",
      size: sizeE8 as SizeE8,
      price: (event.price * tickSize) as PriceE8,
      value: event.value as Amount,
      fee: (isMaker ? event.makerFee : event.takerFee) as Amount,
      role: isMaker ? "maker" : "taker",
      realizedPnl: 0 as Amount,
      orderId: order === 0 ? "" : String(order),
      liquidationId: event.liquidation === 0 || isMaker ? null : nameLiquidation(event.liquidation),
      liquidationFee: 0 as Amount,
    };
    this.#pending = fill;
    const own = this.#orders.fill(order, event.size, isMaker ? event.makerRemaining : undefined);
    this.#reportFill(state, fill, own, fromSteps(own.remaining, lotSize));
    if (fill.liquidationId !== null) {
      const part = { kind: "book", market: event.market, sizeE8, price: fill.price, value: event.value };
      this.#step?.addFill(part, state.timeMs);
    }
  }

  /** A close outside the book, as the account that is liquidated or as its counterparty. */
  #readDeleveraged(state: State, event: EventOf<"deleveraged">): void {
    this.#closeFill();
    const { lotSize } = state.parameters[event.market]!;
    const liquidated = event.account === this.#account;
    const sizeE8 = event.size * lotSize;
    const value = Math.abs(event.value);
    const price = Number((BigInt(value) * 10_000_000_000n) / BigInt(sizeE8));
    const fill: Open<FillInput> = {
      timeMs: state.timeMs,
      market: event.market,
      side: this.#signedLots[event.market]! > 0 ? "sell" : "buy",
      size: sizeE8 as SizeE8,
      price: price as PriceE8,
      value: value as Amount,
      fee: 0 as Amount,
      role: "taker",
      realizedPnl: 0 as Amount,
      orderId: "",
      liquidationId: nameLiquidation(event.liquidation),
      liquidationFee: 0 as Amount,
    };
    this.#pending = fill;
    this.#reportFill(state, fill, { id: "", intent: undefined }, 0);
    if (!liquidated) return;
    const kind = CLOSE_KINDS[event.way]!;
    this.#step?.addFill({ kind, market: event.market, sizeE8, price, value }, state.timeMs);
  }

  #report(report: Report): void {
    if (this.#reports === NO_REPORTS) this.#reports = [report];
    else this.#reports.push(report);
  }

  #reportFill(
    state: State,
    fill: FillInput,
    { id, intent }: { readonly id: string; readonly intent: TriggerKind | undefined },
    remaining: number,
  ): void {
    const report: Report = {
      kind: "fill",
      fill: {
        market: state.marketNames[fill.market]!,
        timeMs: fill.timeMs,
        id,
        side: fill.side,
        price: fromE8(fill.price),
        size: fromE8(fill.size),
        fee: fromAmount(fill.fee),
        role: fill.role,
        remaining,
        liquidation: fill.liquidationId !== null,
        intent,
      },
    };
    this.#report(report);
  }

  #readBalance(state: State, event: EventOf<"balanceChanged">): void {
    const { delta, cause } = event;
    const timeMs = state.timeMs;
    const record = this.#step;
    switch (cause) {
      case BALANCE_CAUSE.liquidationFee:
        if (this.#pending !== undefined) {
          this.#pending.liquidationFee = (this.#pending.liquidationFee - delta) as Amount;
        }
        record?.addFee(-delta);
        return;
      case BALANCE_CAUSE.socialized:
        if (delta < 0) {
          this.#recorder.recordAdjustment({ timeMs, kind: "lossSocialized", amount: delta as Amount });
          return;
        }
        break;
      case BALANCE_CAUSE.insurance:
      case BALANCE_CAUSE.badDebt:
        break;
      default:
        this.#recorder.recordAdjustment({ timeMs, kind: "transfer", amount: delta as Amount });
        return;
    }
    this.#recorder.recordAdjustment({ timeMs, kind: "deficitCovered", amount: delta as Amount });
    if (cause !== BALANCE_CAUSE.insurance) record?.addDeficit(delta);
  }

  #readStage(state: State, event: EventOf<"liquidationStage">): void {
    const record = this.#open.get(event.liquidation);
    if (record === undefined) return;
    const stage = LIQUIDATION_STAGES[event.stage]!;
    record.addStage(stage, event.market, event.market < 0 ? 0 : this.#signedLots[event.market]!);
    if (stage === "recovered" || stage === "completed") {
      this.#open.delete(event.liquidation);
      this.#ended.push(record);
    }
    const market = record.market as MarketRow;
    const liquidation: Liquidation = {
      market: state.marketNames[market]!,
      timeMs: state.timeMs,
      stage,
      mark: fromE8(state.markets.mark[market]!),
    };
    this.#report({ kind: "liquidation", liquidation });
  }

  /** Passes on the last fill, once its realised profit and its liquidation fee are known. */
  #closeFill(): void {
    if (this.#pending === undefined) return;
    this.#recorder.recordFill(this.#pending);
    this.#pending = undefined;
  }
}

/** Whether events change nothing of the account that they name but its orders. */
function areOfOrders(events: readonly VenueEvent[]): boolean {
  for (const { kind } of events) {
    if (kind !== "orderOpened" && kind !== "orderAmended" && kind !== "orderCancelled") return false;
  }
  return true;
}
