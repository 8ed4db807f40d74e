import { sha256 } from "@noble/hashes/sha2.js";
import { Random } from "../../ground/math/random.ts";
import type { ActionName, Payloads } from "../../protocol/actions/index.ts";
import type { OrderId } from "../../protocol/fields.ts";
import { type BlockData, type BlockFacts, type DataHooks, marketOf, type OwnRejection } from "./blockFacts.ts";
import type {
  Amendment,
  CancelAllRequest,
  CloseRequest,
  Context,
  MarginMode,
  OrderRequest,
  PositionRequest,
  ProtectRequest,
  TrailRequest,
  TriggerRequest,
} from "./context.ts";
import { StrategyError } from "./errors.ts";
import type { Bar, FrameBar, Rejection, Side, Timer, Trade, TransactionId, TriggerKind } from "./facts.ts";
import type { Frames } from "./frames.ts";
import { placeProtectedOf, protectOf, triggerOf } from "./intentRequests.ts";
import { isBelowLot, withSmallestSize } from "./orderSize.ts";
import { PositionTargets } from "./positionTargets.ts";
import { checkRequest } from "./requestFields.ts";
import {
  adjustMarginOf,
  amendOrderOf,
  checkLeverage,
  closePositionOf,
  placeOrderOf,
  setMarginModeOf,
} from "./requests.ts";
import { findSeries, type SeriesView } from "./series.ts";
import type { BlockTime, HookFailure, SessionPort } from "./sessionPort.ts";
import type { Span } from "./spans.ts";
import { type AnyStrategy, type HookName, openFrames, usesBars } from "./strategy.ts";
import type { StrategyAccount } from "./strategyAccount.ts";
import type { StrategyMarket } from "./strategyMarket.ts";
import { Timers } from "./timers.ts";

/** Most names of metrics, so that a run has bounded memory. */
const METRICS_MOST = 100;

export interface SessionParts<Market extends StrategyMarket, Account extends StrategyAccount<Market>> {
  readonly strategy: AnyStrategy;
  /** Complete, as `resolveParams` returns them. */
  readonly params: unknown;
  /** Of `ctx.rng`. */
  readonly seed: string;
  /** Before the number in the id of a transaction. */
  readonly idPrefix: string;
  readonly port: SessionPort<Market, Account>;
  /** Bars from before the first block, oldest first, which the strategy sees and cannot trade in. */
  readonly warmUp?: readonly Bar[] | undefined;
}

/**
 * One strategy in one run, wherever it runs: what it sees and can do, and the calls of its hooks. The port says where
 * its view comes from, how a transaction leaves, and who learns of it; the caller reports each block.
 */
export class StrategySession<Market extends StrategyMarket, Account extends StrategyAccount<Market>>
  implements Context
{
  readonly params: unknown;
  readonly markets: readonly Market[];
  readonly account: Account;
  readonly rng: Random;
  /** The time begins as `NaN`, which is a double: its shape never changes. */
  readonly now = { height: 0, timeMs: Number.NaN };
  memory: unknown = undefined;
  /** Time up to which series are shown. */
  #seriesMs = Number.NEGATIVE_INFINITY;
  readonly #strategy: AnyStrategy;
  readonly #port: SessionPort<Market, Account>;
  readonly #idPrefix: string;
  readonly #targets: PositionTargets;
  readonly #frames: Frames | undefined;
  readonly #timers = new Timers();
  readonly #dataHooks: DataHooks | undefined;
  #warmUp: readonly Bar[];
  #isWarmUp = false;
  /** Names of metrics. */
  readonly #metrics = new Set<string>();
  #requests = 0;
  #refused: OwnRejection[] = [];
  #hasStarted = false;
  #hasEnded = false;

  constructor({ strategy, params, seed, idPrefix, port, warmUp = [] }: SessionParts<Market, Account>) {
    const { view, send } = port;
    this.now.timeMs = 0;
    this.#strategy = strategy;
    this.#port = port;
    this.#idPrefix = idPrefix;
    this.params = params;
    this.rng = new Random(wordsOf(seed));
    this.markets = view.markets.all;
    this.account = view.account;
    this.#targets = new PositionTargets(this, view.account, (market) => send.hasOrderFor(market));
    this.#warmUp = warmUp;
    this.#frames = openFrames(strategy, params);
    this.#dataHooks = this.#openDataHooks();
  }

  get market(): Market {
    return this.markets[0]!;
  }

  get isWarmUp(): boolean {
    return this.#isWarmUp;
  }

  /**
   * Latest time of the next block that the strategy needs: a timer is due, or a bar of a frame ends. Infinity for none.
   */
  get dueMs(): number {
    return Math.min(this.timersDueMs, this.framesDueMs);
  }

  /** When the first timer is due; Infinity without one. */
  get timersDueMs(): number {
    return this.#timers.dueMs;
  }

  /** When the first bar of a frame ends; Infinity for none. */
  get framesDueMs(): number {
    return this.#frames?.dueMs ?? Number.POSITIVE_INFINITY;
  }

  /** An order was refused without being sent, and no hook has got the rejection yet. */
  get hasRefused(): boolean {
    return this.#refused.length > 0;
  }

  /**
   * Something of the strategy is not sent yet, or was refused and not reported to it: what follows changes the account
   * or calls a hook.
   */
  get isWaiting(): boolean {
    return this.#targets.isWaiting || this.#refused.length > 0;
  }

  /** Bars after this one that close before this time come without a call of a timer and without a bar of a frame. */
  findCallAfter({ openTimeMs }: Bar): number {
    return Math.min(this.dueMs, this.#frames?.findEndAfter(openTimeMs) ?? Number.POSITIVE_INFINITY);
  }

  /** The strategy has a hook for trades or bars. */
  get seesData(): boolean {
    return this.#dataHooks !== undefined;
  }

  /** The view is now of this block. */
  moveTo({ height, timeMs }: BlockTime): void {
    this.now.height = height;
    this.now.timeMs = timeMs;
  }

  /**
   * Calls the hooks after the block that the view is of, then sends position targets.
   *
   * @param seenMs  time up to which the data is shown; before that of the view where messages take time
   * @param isBlock false where no block came, so that `onBlock` has nothing to see
   */
  afterBlock(
    { reports, rejections }: BlockFacts,
    data: BlockData,
    seenMs: number = this.now.timeMs,
    isBlock = true,
  ): void {
    this.#seriesMs = seenMs;
    if (!this.#hasStarted || reports.length > 0 || rejections.length > 0 || this.#refused.length > 0) {
      this.#startAndReport(reports, rejections, seenMs);
    }
    if (this.#dataHooks !== undefined) data.show(this.#dataHooks);
    if (this.#frames !== undefined) this.#showFrames(this.#frames.advance(seenMs));
    if (this.#timers.dueMs <= this.now.timeMs) this.#callTimers();
    if (isBlock && this.#strategy.onBlock !== undefined) this.#callOnBlock();
    if (this.#targets.isWaiting) this.#targets.send();
  }

  /**
   * Calls the first hook of a run, and those of effects on the account. The first call of a run is here, and not in
   * `afterBlock`: code that was compiled in an earlier run of the thread does not know it, and would be discarded.
   */
  #startAndReport(reports: BlockFacts["reports"], rejections: readonly OwnRejection[], seenMs: number): void {
    if (!this.#hasStarted) this.#start(seenMs);
    if (reports.length > 0) this.#report(reports);
    if (this.#refused.length > 0) this.#reject(this.#refused.splice(0));
    if (rejections.length > 0) this.#reject(rejections);
  }

  // Closures of hooks are in methods of their own: a method with one makes its context in each call.
  #start(seenMs: number): void {
    const strategy = this.#strategy;
    this.#hasStarted = true;
    // What the warm-up shows first was known before what the first block shows.
    if (this.#warmUp.length > 0) this.#seriesMs = Number.NEGATIVE_INFINITY;
    if (strategy.init !== undefined) {
      this.#guard("init", () => (this.memory = strategy.init?.(this as Context<unknown, undefined>)));
    }
    if (this.#warmUp.length > 0) this.#showWarmUp(seenMs);
  }

  #callTimers(): void {
    for (const timer of this.#timers.take(this.now.timeMs)) this.#callTimer(timer);
  }

  /** Timers may be many, as trades and bars: no closure is made for each. */
  #callTimer(timer: Timer): void {
    let returned: unknown;
    try {
      returned = this.#strategy.onTimer?.(this, timer);
    } catch (cause) {
      throw this.#failed("onTimer", cause);
    }
    if (returned !== undefined) this.#refusePromise("onTimer", returned);
  }

  #callOnBlock(): void {
    this.#guard("onBlock", () => this.#strategy.onBlock?.(this));
  }

  /** Calls the last hook. Nothing is sent afterwards. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#guard("onEnd", () => this.#strategy.onEnd?.(this));
  }

  #showWarmUp(seenMs: number): void {
    this.#isWarmUp = true;
    for (const bar of this.#warmUp) {
      this.#seriesMs = bar.closeTimeMs;
      this.#showBar(bar);
    }
    this.#seriesMs = seenMs;
    if (this.#frames !== undefined) this.#showFrames(this.#frames.advance(seenMs));
    this.#isWarmUp = false;
    this.#warmUp = [];
  }

  #report(reports: BlockFacts["reports"]): void {
    const strategy = this.#strategy;
    for (const report of reports) {
      if (report.kind === "fill") this.#guard("onFill", () => strategy.onFill?.(this, report.fill));
      else if (report.kind === "funding") this.#guard("onFunding", () => strategy.onFunding?.(this, report.funding));
      else if (report.kind === "cancellation") {
        this.#guard("onCancel", () => strategy.onCancel?.(this, report.cancellation));
      } else if (report.kind === "intent") this.#guard("onIntent", () => strategy.onIntent?.(this, report.intent));
      else this.#guard("onLiquidation", () => strategy.onLiquidation?.(this, report.liquidation));
    }
  }

  #reject(rejections: readonly OwnRejection[]): void {
    for (const { market, ...own } of rejections) {
      const rejection: Rejection = market === "" ? own : withSmallestSize(own, this.#find(market));
      this.#guard("onReject", () => this.#strategy.onReject?.(this, rejection));
    }
  }

  #openDataHooks(): DataHooks | undefined {
    const takesTrades = this.#strategy.onTrade !== undefined;
    const takesBars = usesBars(this.#strategy);
    return takesTrades || takesBars ? new SessionData(this, takesTrades, takesBars) : undefined;
  }

  /** Static, so that a strategy does not find it in its context. */
  static takeTrade(session: AnySession, trade: Trade): void {
    session.#showTrade(trade);
  }

  /** As `takeTrade`. */
  static takeBar(session: AnySession, bar: Bar): void {
    session.#showBar(bar);
  }

  /** Trades and bars are many: no closure is made for each. */
  #showTrade(trade: Trade): void {
    let returned: unknown;
    try {
      returned = this.#strategy.onTrade?.(this, trade);
    } catch (cause) {
      throw this.#failed("onTrade", cause);
    }
    if (returned !== undefined) this.#refusePromise("onTrade", returned);
  }

  #showBar(bar: Bar): void {
    let returned: unknown;
    try {
      returned = this.#strategy.onBar?.(this, bar);
    } catch (cause) {
      throw this.#failed("onBar", cause);
    }
    if (returned !== undefined) this.#refusePromise("onBar", returned);
    if (this.#frames !== undefined) this.#showFramesOf(bar, this.#frames);
  }

  // A method of its own, since it has a closure.
  #showFramesOf(bar: Bar, frames: Frames): void {
    let complete: readonly FrameBar[] = [];
    this.#guard("onFrame", () => void (complete = frames.add(bar)));
    this.#showFrames(complete);
  }

  #showFrames(bars: readonly FrameBar[]): void {
    for (const bar of bars) this.#guard("onFrame", () => this.#strategy.onFrame?.(this, bar));
  }

  #guard(hook: HookName, call: () => unknown): void {
    let returned: unknown;
    try {
      returned = call();
    } catch (cause) {
      throw this.#failed(hook, cause);
    }
    if (hook !== "init") this.#refusePromise(hook, returned);
  }

  #refusePromise(hook: HookName, returned: unknown): void {
    if (!isThenable(returned)) return;
    // The promise is not awaited; a rejection of its own must not end the process.
    returned.then(
      () => undefined,
      () => undefined,
    );
    throw this.#failed(hook, new Error("it returned a promise; hooks are synchronous"));
  }

  #failed(hook: HookName, cause: unknown): Error {
    const failure: HookFailure = {
      ...this.now,
      strategy: this.#strategy.id,
      hook,
      reason: cause instanceof Error ? cause.message : String(cause),
      hint: cause instanceof StrategyError ? cause.hint : undefined,
      cause,
    };
    return this.#port.report.failed(failure);
  }

  series = (name: string, market?: string): SeriesView => {
    const { series } = this.#port.view;
    series?.moveTo(this.#seriesMs);
    return findSeries(series, this.#find(market).name, name);
  };

  place = (order: OrderRequest): TransactionId => {
    this.#checkOpen("placeOrder");
    checkRequest("place", order);
    const { orderRules: rules } = this.#find(order.market);
    if (isBelowLot(order.size, rules.lotSize)) return this.#refuse(rules.name);
    if (order.stop !== undefined || order.takeProfit !== undefined) {
      return this.#send("placeIntent", placeProtectedOf(order, rules, this.#nextId));
    }
    return this.#send("placeOrder", placeOrderOf(order, rules, this.#nextId));
  };

  amend = (id: TransactionId, change: Amendment): TransactionId => {
    this.#checkOpen("amendOrder");
    checkRequest("amend", change);
    // The order may not be in a block yet; its market is then the first, or the only one.
    const resting = this.account.orders().find((order) => order.id === id);
    const { orderRules: rules } = this.#find(resting?.market);
    if (change.size !== undefined && isBelowLot(change.size, rules.lotSize)) return this.#refuse(rules.name);
    return this.#send("amendOrder", { ...amendOrderOf(id, change, rules), ...this.#nameOrder(id) });
  };

  cancel = (id: TransactionId): TransactionId => {
    this.#checkOpen("cancelOrder");
    return this.#send("cancelOrder", this.#nameOrder(id));
  };

  cancelAll = (market?: string, request: CancelAllRequest = {}): TransactionId => {
    this.#checkOpen("cancelAll");
    checkRequest("cancelAll", request);
    const { intents = false } = request;
    return this.#send("cancelAll", { market: market === undefined ? "" : this.#find(market).name, intents });
  };

  stop = (request: TriggerRequest): TransactionId => this.#arm("stop", request);

  takeProfit = (request: TriggerRequest): TransactionId => this.#arm("takeProfit", request);

  trailingStop = (request: TrailRequest): TransactionId => this.#arm("trailingStop", request);

  protect = (request: ProtectRequest): TransactionId => {
    this.#checkOpen("placeIntent");
    checkRequest("protect", request);
    const { orderRules: rules } = this.#find(request.market);
    const side = request.side ?? this.#closingSide(request.market);
    if (side === undefined) return this.#refuse(rules.name, "REDUCE_ONLY_WOULD_INCREASE");
    if (request.size !== undefined && isBelowLot(request.size, rules.lotSize)) return this.#refuse(rules.name);
    return this.#send("placeIntent", protectOf(request, side, rules, this.#nextId));
  };

  cancelIntent = (id: TransactionId): TransactionId => {
    this.#checkOpen("cancelIntent");
    return this.#send("cancelIntent", { intent: 0 as OrderId, clientIntentId: id });
  };

  #arm(kind: TriggerKind, request: TriggerRequest | TrailRequest): TransactionId {
    this.#checkOpen("placeIntent");
    checkRequest(kind, request);
    const { orderRules: rules } = this.#find(request.market);
    const side = request.side ?? this.#closingSide(request.market);
    if (side === undefined) {
      if (request.reduceOnly !== false) return this.#refuse(rules.name, "REDUCE_ONLY_WOULD_INCREASE");
      throw new StrategyError("ORDER_INVALID", "an intent that opens a position needs a side", {
        place: "side",
        hint: "give buy or sell",
      });
    }
    if (request.size !== undefined && isBelowLot(request.size, rules.lotSize)) return this.#refuse(rules.name);
    return this.#send("placeIntent", triggerOf(kind, request, side, rules, this.#nextId));
  }

  /** Side that closes the position in a market; undefined without one. */
  #closingSide(market: string | undefined): Side | undefined {
    const { size } = this.account.position(market);
    return size === 0 ? undefined : size > 0 ? "sell" : "buy";
  }

  /** An order by its transaction. An order of an intent has no client order id: its number names it, once it rests. */
  #nameOrder(id: TransactionId): { orderId: OrderId; clientOrderId: string } {
    const orderId = this.account.findOrderOfIntent(id);
    return { orderId: orderId as OrderId, clientOrderId: orderId === 0 ? id : "" };
  }

  close = (request: CloseRequest = {}): TransactionId => {
    this.#checkOpen("closePosition");
    checkRequest("close", request);
    const { orderRules: rules } = this.#find(request.market);
    if (request.size !== undefined && isBelowLot(request.size, rules.lotSize)) return this.#refuse(rules.name);
    return this.#send("closePosition", closePositionOf(request, rules, this.#nextId));
  };

  setPosition = (size: number, request: PositionRequest = {}): void => {
    this.#checkOpen("setPosition");
    checkRequest("setPosition", request);
    const market = this.#find(request.market);
    if (this.#isWarmUp) this.#refuse(market.name, "WARM_UP");
    else this.#targets.set(size, market, request);
  };

  setLeverage = (leverage: number, market?: string): TransactionId => {
    this.#checkOpen("setLeverage");
    checkLeverage(leverage);
    return this.#send("setLeverage", { market: this.#find(market).name, leverage });
  };

  setMarginMode = (mode: MarginMode, market?: string): TransactionId => {
    this.#checkOpen("setMarginMode");
    return this.#send("setMarginMode", setMarginModeOf(mode, this.#find(market).name));
  };

  addMargin = (amount: number, market?: string): TransactionId => {
    this.#checkOpen("adjustIsolatedMargin");
    return this.#send("adjustIsolatedMargin", adjustMarginOf("add", amount, this.#find(market).name));
  };

  removeMargin = (amount: number, market?: string): TransactionId => {
    this.#checkOpen("adjustIsolatedMargin");
    return this.#send("adjustIsolatedMargin", adjustMarginOf("remove", amount, this.#find(market).name));
  };

  every = (span: Span, name: string = String(span)): void => this.#timers.every(span, name, this.now.timeMs);

  after = (span: Span, name: string): void => this.#timers.after(span, name, this.now.timeMs);

  at = (timeMs: number, name: string): void => this.#timers.at(timeMs, name, this.now.timeMs);

  stopTimer = (name: string): boolean => this.#timers.stop(name);

  metric = (name: string, value: number): void => {
    if (!Number.isFinite(value)) {
      throw new StrategyError("METRIC_INVALID", `metric ${name} is ${value}`, {
        place: name,
        hint: "give finite numbers",
      });
    }
    if (!this.#metrics.has(name) && this.#metrics.size === METRICS_MOST) {
      throw new StrategyError("METRIC_INVALID", `metric ${name} is one more than ${METRICS_MOST}`, {
        place: name,
        hint: "use fewer names; ctx.log takes any text",
      });
    }
    this.#metrics.add(name);
    this.#port.report.metric(name, value, this.now.timeMs);
  };

  log = (text: string): void => this.#port.report.log(text, this.now.timeMs);

  get #nextId(): TransactionId {
    return `${this.#idPrefix}${this.#requests + 1}`;
  }

  #send<A extends ActionName>(action: A, payload: Payloads[A]): TransactionId {
    if (this.#isWarmUp) return this.#refuse(marketOf(payload), "WARM_UP");
    const id = this.#nextId;
    this.#requests++;
    this.#port.send.send(id, action, payload, this.now.timeMs);
    return id;
  }

  /** An order that is not sent: it takes an id, and is rejected like any other, with the next block. */
  #refuse(market: string, code = "SIZE_TOO_SMALL"): TransactionId {
    const id = this.#nextId;
    const { timeMs } = this.now;
    this.#requests++;
    this.#refused.push({ id, timeMs, code, market });
    this.#port.report.refused(code, timeMs);
    return id;
  }

  #checkOpen(action: string): void {
    if (!this.#hasEnded) return;
    throw new StrategyError("ORDER_INVALID", "the run has ended; nothing can be sent", {
      place: action,
      hint: "send before onEnd",
    });
  }

  #find(name: string | undefined): Market {
    return this.#port.view.markets.find(name);
  }
}

type AnySession = StrategySession<StrategyMarket, StrategyAccount<StrategyMarket>>;

/** Passes data on to the hooks of a session. */
class SessionData implements DataHooks {
  readonly takesTrades: boolean;
  readonly takesBars: boolean;
  readonly #session: AnySession;

  constructor(session: AnySession, takesTrades: boolean, takesBars: boolean) {
    this.takesTrades = takesTrades;
    this.takesBars = takesBars;
    this.#session = session;
  }

  takeTrade(trade: Trade): void {
    StrategySession.takeTrade(this.#session, trade);
  }

  takeBar(bar: Bar): void {
    StrategySession.takeBar(this.#session, bar);
  }
}

function isThenable(value: unknown): value is { then(done: () => void, failed: () => void): unknown } {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** Four words of state from a text, the same on every machine. */
function wordsOf(seed: string): Int32Array {
  const hash = sha256(new TextEncoder().encode(`perplab strategy ${seed}`));
  const view = new DataView(hash.buffer, hash.byteOffset);
  return Int32Array.from([0, 4, 8, 12], (at) => view.getInt32(at, true));
}
