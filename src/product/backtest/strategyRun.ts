import { createHash } from "node:crypto";
import type { Amendment, CloseRequest, Context, OrderRequest, PositionRequest } from "../../client/strategy/context.ts";
import { StrategyError } from "../../client/strategy/errors.ts";
import type { Bar, TransactionId } from "../../client/strategy/facts.ts";
import { MarketList } from "../../client/strategy/marketList.ts";
import { isBelowLot, withSmallestSize } from "../../client/strategy/orderSize.ts";
import { PositionTargets } from "../../client/strategy/positionTargets.ts";
import { amendOrderOf, checkLeverage, closePositionOf, placeOrderOf } from "../../client/strategy/requests.ts";
import type { AnyStrategy, HookName } from "../../client/strategy/strategy.ts";
import { fromE8 } from "../../client/strategy/units.ts";
import { Random } from "../../ground/math/random.ts";
import type { OrderId } from "../../protocol/fields.ts";
import type { AccountRow, MarketRow } from "../../venue/engine/state/schema.ts";
import type { State } from "../../venue/engine/state/state.ts";
import { EventKind } from "../market-data/types.ts";
import type { Segment } from "../replay/timeline.ts";
import type { BlockFacts } from "./account/blockFacts.ts";
import { VenueAccount } from "./account/venueAccount.ts";
import { VenueMarket } from "./account/venueMarket.ts";
import { BacktestError } from "./errors.ts";
import type { Outbox } from "./outbox.ts";
import type { TradeBars } from "./tradeBars.ts";

/** Lines of a strategy's log that are kept. */
const LOG_MOST = 10_000;

/** A figure of the strategy's own over the run. */
export interface StrategyMetric {
  readonly count: number;
  readonly last: number;
  readonly least: number;
  readonly greatest: number;
  readonly mean: number;
}

/** A line of the strategy's own. */
export interface LogLine {
  readonly timeMs: number;
  readonly text: string;
}

export interface StrategyParts {
  readonly strategy: AnyStrategy;
  readonly params: unknown;
  readonly state: State;
  readonly account: AccountRow;
  readonly outbox: Outbox;
  readonly seed: string;
  /** Makes bars of trades, where a market has no recorded ones. */
  readonly bars: TradeBars;
}

/** One strategy in one run: its view, its orders, and the calls of its hooks. */
export class StrategyRun implements Context {
  readonly params: unknown;
  readonly markets: readonly VenueMarket[];
  readonly account: VenueAccount;
  readonly rng: Random;
  readonly now = { height: 0, timeMs: 0 };
  memory: unknown = undefined;
  readonly logs: LogLine[] = [];
  readonly #strategy: AnyStrategy;
  readonly #list: MarketList<VenueMarket>;
  readonly #state: State;
  readonly #outbox: Outbox;
  readonly #metrics = new Map<string, { count: number; last: number; least: number; greatest: number; sum: number }>();
  readonly #targets: PositionTargets;
  readonly #bars: TradeBars;
  #started = false;
  #ended = false;

  constructor({ strategy, params, state, account, outbox, seed, bars }: StrategyParts) {
    this.#strategy = strategy;
    this.params = params;
    this.#state = state;
    this.#outbox = outbox;
    this.#bars = bars;
    this.rng = new Random(wordsOf(seed));
    this.#list = new MarketList(state.marketNames.map((_, row) => new VenueMarket(state, row as MarketRow, account)));
    this.markets = this.#list.all;
    this.account = new VenueAccount(state, account, this.#list, outbox);
    this.#targets = new PositionTargets(this, this.account, (name) => outbox.hasOrderFor(name));
  }

  get market(): VenueMarket {
    return this.markets[0]!;
  }

  /** The strategy's own figures by name. */
  get metrics(): Record<string, StrategyMetric> {
    return Object.fromEntries(
      [...this.#metrics].map(([name, { sum, ...metric }]) => [name, { ...metric, mean: sum / metric.count }]),
    );
  }

  /** Calls the hooks after a block. */
  afterBlock(facts: BlockFacts, segments: readonly Segment[]): void {
    this.now.height = this.#state.height;
    this.now.timeMs = this.#state.timeMs;
    const strategy = this.#strategy;
    if (!this.#started) {
      this.#started = true;
      if (strategy.init !== undefined)
        this.#guard("init", () => (this.memory = strategy.init?.(this as Context<unknown, undefined>)));
    }
    if (facts.reports.length > 0 || facts.rejections.length > 0) this.#report(facts);
    if (strategy.onTrade !== undefined || strategy.onBar !== undefined) this.#showData(segments);
    if (strategy.onBlock !== undefined) this.#guard("onBlock", () => strategy.onBlock?.(this));
    this.#targets.send();
  }

  /** Calls the last hook. */
  end(): void {
    this.#ended = true;
    this.#guard("onEnd", () => this.#strategy.onEnd?.(this));
  }

  #report({ reports, rejections }: BlockFacts): void {
    const strategy = this.#strategy;
    for (const fact of reports) {
      if (fact.kind === "fill") this.#guard("onFill", () => strategy.onFill?.(this, fact.fill));
      else if (fact.kind === "cancellation") {
        this.#guard("onCancel", () => strategy.onCancel?.(this, fact.cancellation));
      } else if (fact.kind === "funding") this.#guard("onFunding", () => strategy.onFunding?.(this, fact.funding));
      else this.#guard("onLiquidation", () => strategy.onLiquidation?.(this, fact.liquidation));
    }
    for (const { market, ...rejection } of rejections) {
      const shown = market === "" ? rejection : withSmallestSize(rejection, this.#find(market));
      this.#guard("onReject", () => strategy.onReject?.(this, shown));
    }
  }

  #showData(segments: readonly Segment[]): void {
    const { onTrade, onBar } = this.#strategy;
    const bars = onBar === undefined ? undefined : this.#bars;
    for (const { chunk, from, to } of segments) {
      for (let row = from; row < to; row++) {
        const kind = chunk.kind[row];
        if (kind === EventKind.trade) {
          if (bars !== undefined) {
            this.#showBars(bars.advance(chunk.timeMs[row]!));
            bars.add(chunk.market[row]!, chunk.timeMs[row]!, chunk.price[row]!, chunk.size[row]!);
          }
          if (onTrade === undefined) continue;
          const side = chunk.side[row]!;
          const trade = {
            market: this.markets[chunk.market[row]!]!.name,
            timeMs: chunk.timeMs[row]!,
            price: fromE8(chunk.price[row]!),
            size: fromE8(chunk.size[row]!),
            side: side === 0 ? undefined : side > 0 ? ("buy" as const) : ("sell" as const),
          };
          this.#guard("onTrade", () => this.#strategy.onTrade?.(this, trade));
        } else if (kind === EventKind.bar && onBar !== undefined) {
          const closeTimeMs = chunk.timeMs[row]!;
          const bar = {
            market: this.markets[chunk.market[row]!]!.name,
            openTimeMs: closeTimeMs - chunk.intervalMs[row]!,
            closeTimeMs,
            open: fromE8(chunk.open[row]!),
            high: fromE8(chunk.high[row]!),
            low: fromE8(chunk.low[row]!),
            close: fromE8(chunk.price[row]!),
            volume: fromE8(chunk.size[row]!),
          };
          this.#showBars([bar]);
        }
      }
    }
    if (bars !== undefined) this.#showBars(bars.advance(this.now.timeMs));
  }

  #showBars(bars: readonly Bar[]): void {
    for (const bar of bars) this.#guard("onBar", () => this.#strategy.onBar?.(this, bar));
  }

  #guard(hook: HookName, call: () => unknown): void {
    let returned: unknown;
    try {
      returned = call();
    } catch (cause) {
      throw this.#failed(hook, cause);
    }
    if (returned instanceof Promise && hook !== "init") {
      returned.catch(() => undefined);
      throw this.#failed(hook, new Error("it returned a promise; hooks are synchronous"));
    }
  }

  #failed(hook: HookName, cause: unknown): BacktestError {
    const { id } = this.#strategy;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const own = cause instanceof StrategyError && cause.hint !== undefined ? `${cause.hint}; ` : "";
    const where = cause instanceof Error ? frameOf(cause) : undefined;
    return new BacktestError(
      "STRATEGY_FAILED",
      `the strategy failed at block ${this.now.height} (${new Date(this.now.timeMs).toISOString()}): ${reason}`,
      {
        place: `${id}.${hook}`,
        hint: `${own}${where === undefined ? "" : `thrown at ${where}; `}the report covers the blocks up to this one`,
        cause,
      },
    );
  }

  place(order: OrderRequest): TransactionId {
    const rules = this.#find(order.market).orderRules;
    if (isBelowLot(order.size, rules.lotSize)) return this.#refuse("placeOrder", rules.name);
    return this.#send("placeOrder", placeOrderOf(order, rules, this.#outbox.nextId));
  }

  amend(id: TransactionId, change: Amendment): TransactionId {
    // The order may not be in a block yet; its market is then the first, or the only one.
    const resting = this.account.orders().find((order) => order.id === id);
    const rules = this.#find(resting?.market).orderRules;
    if (change.size !== undefined && isBelowLot(change.size, rules.lotSize)) {
      return this.#refuse("amendOrder", rules.name);
    }
    return this.#send("amendOrder", amendOrderOf(id, change, rules));
  }

  cancel(id: TransactionId): TransactionId {
    return this.#send("cancelOrder", { orderId: 0 as OrderId, clientOrderId: id });
  }

  cancelAll(market?: string): TransactionId {
    return this.#send("cancelAll", { market: market === undefined ? "" : this.#find(market).name, intents: false });
  }

  close(request: CloseRequest = {}): TransactionId {
    const rules = this.#find(request.market).orderRules;
    if (request.size !== undefined && isBelowLot(request.size, rules.lotSize)) {
      return this.#refuse("closePosition", rules.name);
    }
    return this.#send("closePosition", closePositionOf(request, rules, this.#outbox.nextId));
  }

  setPosition(size: number, request: PositionRequest = {}): void {
    this.#checkOpen("setPosition");
    this.#targets.set(size, this.#find(request.market), request);
  }

  setLeverage(leverage: number, market?: string): TransactionId {
    checkLeverage(leverage);
    return this.#send("setLeverage", { market: this.#find(market).name, leverage });
  }

  metric(name: string, value: number): void {
    if (!Number.isFinite(value)) {
      throw new StrategyError("METRIC_INVALID", `metric ${name} is ${value}`, {
        place: name,
        hint: "give finite numbers",
      });
    }
    const metric = this.#metrics.get(name);
    if (metric === undefined) {
      this.#metrics.set(name, { count: 1, last: value, least: value, greatest: value, sum: value });
      return;
    }
    metric.count++;
    metric.last = value;
    metric.least = Math.min(metric.least, value);
    metric.greatest = Math.max(metric.greatest, value);
    metric.sum += value;
  }

  log(text: string): void {
    if (this.logs.length < LOG_MOST) this.logs.push({ timeMs: this.now.timeMs, text });
  }

  /** An order of less than one lot: refused like any other, with the next block. */
  #refuse(action: string, market: string): TransactionId {
    this.#checkOpen(action);
    return this.#outbox.refuse("SIZE_TOO_SMALL", market, this.now.timeMs);
  }

  #checkOpen(action: string): void {
    if (!this.#ended) return;
    throw new StrategyError("ORDER_INVALID", "the run has ended; nothing can be sent", {
      place: action,
      hint: "send before onEnd",
    });
  }

  #send(...[action, payload]: SendArguments): TransactionId {
    this.#checkOpen(action);
    return this.#outbox.send(action, payload, this.now.timeMs);
  }

  #find(name: string | undefined): VenueMarket {
    return this.#list.find(name);
  }
}

type SendArguments = Parameters<Outbox["send"]> extends [infer A, infer P, number] ? [A, P] : never;

/** Four words of state from a text. */
function wordsOf(seed: string): Int32Array {
  const hash = createHash("sha256").update(`perplab strategy ${seed}`).digest();
  return Int32Array.from([0, 4, 8, 12], (at) => hash.readInt32LE(at));
}

/** Where an error was thrown, if that is in a file. */
function frameOf(error: Error): string | undefined {
  return /\(?((?:file:\/\/|\/)[^\s()]+:\d+:\d+)\)?/.exec(error.stack ?? "")?.[1];
}
