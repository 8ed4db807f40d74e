import { sha256 } from "@noble/hashes/sha2.js";
import { Random } from "../../ground/math/random.ts";
import type { ActionName, Payloads } from "../../protocol/actions/index.ts";
import type { OrderId } from "../../protocol/fields.ts";
import { marketOf } from "./blockFacts.ts";
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
import type { Side, TransactionId, TriggerKind } from "./facts.ts";
import { placeProtectedOf, protectOf, triggerOf } from "./intentRequests.ts";
import { isBelowLot } from "./orderSize.ts";
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
import type { SessionPort } from "./sessionPort.ts";
import type { SessionState } from "./sessionState.ts";
import type { Span } from "./spans.ts";
import type { StrategyAccount } from "./strategyAccount.ts";
import type { StrategyMarket } from "./strategyMarket.ts";

/** Most names of metrics, so that a run has bounded memory. */
const METRICS_MOST = 100;

export interface ContextParts<Market extends StrategyMarket, Account extends StrategyAccount<Market>> {
  /** Complete, as `resolveParams` returns them. */
  readonly params: unknown;
  /** Of `ctx.rng`. */
  readonly seed: string;
  /** Before the number in the id of a transaction. */
  readonly idPrefix: string;
  readonly port: SessionPort<Market, Account>;
  readonly state: SessionState;
}

/** What a strategy sees and can do: checks its requests, and sends or refuses them. */
export class StrategyContext<Market extends StrategyMarket, Account extends StrategyAccount<Market>>
  implements Context
{
  readonly params: unknown;
  readonly markets: readonly Market[];
  readonly account: Account;
  readonly rng: Random;
  readonly now: SessionState["now"];
  memory: unknown = undefined;
  readonly #port: SessionPort<Market, Account>;
  readonly #idPrefix: string;
  readonly #state: SessionState;
  /** Names of metrics. */
  readonly #metrics = new Set<string>();
  #requests = 0;

  constructor({ params, seed, idPrefix, port, state }: ContextParts<Market, Account>) {
    this.params = params;
    this.markets = port.view.markets.all;
    this.account = port.view.account;
    this.rng = new Random(wordsOf(seed));
    this.now = state.now;
    this.#port = port;
    this.#idPrefix = idPrefix;
    this.#state = state;
  }

  get market(): Market {
    return this.markets[0]!;
  }

  get isWarmUp(): boolean {
    return this.#state.isWarmUp;
  }

  series = (name: string, market?: string): SeriesView => {
    const { series } = this.#port.view;
    series?.moveTo(this.#state.seriesMs);
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
    if (this.isWarmUp) this.#refuse(market.name, "WARM_UP");
    else this.#state.targets.set(size, market, request);
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

  every = (span: Span, name: string = String(span)): void => this.#state.timers.every(span, name, this.now.timeMs);

  after = (span: Span, name: string): void => this.#state.timers.after(span, name, this.now.timeMs);

  at = (timeMs: number, name: string): void => this.#state.timers.at(timeMs, name, this.now.timeMs);

  stopTimer = (name: string): boolean => this.#state.timers.stop(name);

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
    if (this.isWarmUp) return this.#refuse(marketOf(payload), "WARM_UP");
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
    this.#state.refused.push({ id, timeMs, code, market });
    this.#port.report.refused(code, timeMs);
    return id;
  }

  #checkOpen(action: string): void {
    if (!this.#state.hasEnded) return;
    throw new StrategyError("ORDER_INVALID", "the run has ended; nothing can be sent", {
      place: action,
      hint: "send before onEnd",
    });
  }

  #find(name: string | undefined): Market {
    return this.#port.view.markets.find(name);
  }
}

/** Four words of state from a text, the same on every machine. */
function wordsOf(seed: string): Int32Array {
  const hash = sha256(new TextEncoder().encode(`perplab strategy ${seed}`));
  const view = new DataView(hash.buffer, hash.byteOffset);
  return Int32Array.from([0, 4, 8, 12], (at) => view.getInt32(at, true));
}
