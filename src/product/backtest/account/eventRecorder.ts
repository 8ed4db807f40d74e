import type { IntentChange } from "../../../client/strategy/facts.ts";
import { fromSteps } from "../../../client/strategy/units.ts";
import type { Amount, Ppb, PriceE8, SizeE8 } from "../../../ground/math/fixed.ts";
import {
  BALANCE_CAUSE,
  CANCEL_CAUSE,
  CLOSE_KINDS,
  type EventOf,
  INSURANCE_CAUSES,
  INTENT_CAUSES,
  LIQUIDATION_STAGES,
  type VenueEvent,
} from "../../../protocol/events.ts";
import { nameLiquidation } from "../../../protocol/liquidationId.ts";
import { REJECTION_NAMES } from "../../../protocol/rejections.ts";
import { SIDE, TRIGGER_KINDS } from "../../../protocol/words.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { TOTAL } from "../../../venue/engine/state/totals.ts";
import type { FillInput, Recorder } from "../../report/input.ts";
import { createPayment } from "../../report/recording/eachPoint.ts";
import type { AccountReports } from "./accountReports.ts";
import type { AccruedFunding } from "./accruedFunding.ts";
import { LiquidationRecord } from "./liquidationRecord.ts";
import type { OwnOrders } from "./ownOrders.ts";

/** Values of a fill that are missing until the position that it changed has been seen. */
type Open<T> = { -readonly [K in keyof T]: T[K] };

/** Parts of an event recorder. */
export interface EventRecorderParts {
  readonly recorder: Recorder;
  readonly reports: AccountReports;
  readonly orders: OwnOrders;
  readonly funding: AccruedFunding;
  readonly account: AccountRow;
  readonly markets: number;
}

/** Reads the events of an account: records them for the report of a run, and adds them to those of its strategy. */
export class EventRecorder {
  readonly #recorder: Recorder;
  readonly #reports: AccountReports;
  readonly #orders: OwnOrders;
  readonly #funding: AccruedFunding;
  readonly #account: AccountRow;
  /** By market: size in lots, as the last block left it. */
  readonly #signedLots: Float64Array;
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
  #isPaid = false;
  readonly #payment = createPayment();

  constructor({ recorder, reports, orders, funding, account, markets }: EventRecorderParts) {
    this.#recorder = recorder;
    this.#reports = reports;
    this.#orders = orders;
    this.#funding = funding;
    this.#account = account;
    this.#signedLots = new Float64Array(markets);
  }

  /** After the last block that was read, the account had a position, an order, an intent or an open liquidation. */
  get isInvolved(): boolean {
    const { open, armed } = this.#orders;
    for (const lots of this.#signedLots) if (lots !== 0) return true;
    return open > 0 || armed > 0 || this.#open.size > 0;
  }

  /**
   * Reads the events of a block that concern the account.
   *
   * @returns whether the account paid funding, or received it
   */
  read(state: State, events: readonly VenueEvent[]): boolean {
    this.#isPaid = false;
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
    return this.#isPaid;
  }

  /** After the last block: records the liquidations that are still open. */
  end(): void {
    for (const record of this.#open.values()) this.#recorder.recordLiquidation(record.finish());
    this.#open.clear();
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
        this.#recorder.recordOrder(event.cause === CANCEL_CAUSE.timeInForce ? "expired" : "cancelled");
        this.#reports.addCancellation(state, event, this.#orders.remove(event.order));
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
        this.#reports.addIntent(state, event.market, own, "triggered", undefined);
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

  /**
   * A market paid funding: to the position as the block had left it by then. A block has one payment of a market at
   * most.
   */
  #readFunding(state: State, { market, rate }: EventOf<"fundingAccrued">): void {
    const accrued = this.#funding.take(market);
    if (accrued === 0) return;
    this.#isPaid = true;
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
    this.#reports.addFunding(state, market, rate, accrued);
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
    this.#reports.addIntent(state, market, own, status, cause);
    return true;
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
    this.#reports.addFill(state, fill, own, fromSteps(own.remaining, lotSize));
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
    this.#reports.addFill(state, fill, { id: "", intent: undefined }, 0);
    if (!liquidated) return;
    const kind = CLOSE_KINDS[event.way]!;
    this.#step?.addFill({ kind, market: event.market, sizeE8, price, value }, state.timeMs);
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
    this.#reports.addLiquidation(state, record.market as MarketRow, stage);
  }

  /** Passes on the last fill, once its realised profit and its liquidation fee are known. */
  #closeFill(): void {
    if (this.#pending === undefined) return;
    this.#recorder.recordFill(this.#pending);
    this.#pending = undefined;
  }
}
