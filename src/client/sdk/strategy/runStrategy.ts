import { sha256 } from "@noble/hashes/sha2.js";
import { Random } from "../../../ground/math/random.ts";
import type { OrderId } from "../../../protocol/fields.ts";
import type { Amendment, CloseRequest, Context, OrderRequest, PositionRequest } from "../../strategy/context.ts";
import { StrategyError } from "../../strategy/errors.ts";
import type { TransactionId } from "../../strategy/facts.ts";
import { MarketList, unknownMarket } from "../../strategy/marketList.ts";
import { isBelowLot, withSmallestSize } from "../../strategy/orderSize.ts";
import { resolveParams } from "../../strategy/params.ts";
import { PositionTargets } from "../../strategy/positionTargets.ts";
import { amendOrderOf, checkLeverage, closePositionOf, placeOrderOf } from "../../strategy/requests.ts";
import { type AnyStrategy, checkStrategy, type HookName } from "../../strategy/strategy.ts";
import type { ClientBase } from "../client.ts";
import { ClientError } from "../errors.ts";
import { AccountFollower, type ReportedBlock } from "./accountFacts.ts";
import { BlockFeed } from "./blockFeed.ts";
import { LiveAccount } from "./liveAccount.ts";
import { LiveBars } from "./liveBars.ts";
import { LiveMarket } from "./liveMarket.ts";
import { StrategySender } from "./sender.ts";
import { readVenueView, type VenueView, type ViewOwner } from "./venueView.ts";

export interface RunStrategyOptions {
  readonly params?: Readonly<Record<string, unknown>>;
  /** Markets that it trades, its main one first. Default: all of the venue. */
  readonly markets?: readonly string[];
  /** Seed of `ctx.rng`. Default: empty. */
  readonly seed?: string;
  /** Leverage to choose in each market at the start. Default: the account's present one. */
  readonly leverage?: number;
  /** Prefix of the number in names of transactions and orders, which must be new to the account. Default: `t`. */
  readonly idPrefix?: string;
  readonly onMetric?: (name: string, value: number) => void;
  readonly onLog?: (text: string) => void;
  /** Length of the bars of `onBar`, ms. Default: 60,000. */
  readonly barMs?: number;
  /** Polling interval for a new block if no stream reports blocks, ms. Default: 250. */
  readonly pollMs?: number;
}

/**
 * Runs a strategy against a venue: the same strategy as in a backtest, with the same view of market and account, and
 * the same order of hooks. On a venue that makes the backtest's blocks it reaches the same state root.
 */
export async function runStrategy(
  { core, actor }: ClientBase,
  strategy: AnyStrategy,
  options: RunStrategyOptions = {},
): Promise<StrategyRunner> {
  checkStrategy(strategy);
  const { account, actor: who } = actor.resolve(`strategy ${strategy.id}`);
  const owner = { address: who.owner, subaccount: who.subaccount };
  const known = await core.markets();
  const names = options.markets ?? [...known.keys()];
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined || names.length === 0) throw unknownMarket(unknown ?? "", [...known.keys()]);
  const sender = new StrategySender(core, actor, options.idPrefix ?? "t");
  const runner = new StrategyRunner({ core, strategy, owner, names, sender, options, signer: account.address });
  await runner.begin();
  return runner;
}

interface RunnerParts {
  readonly core: ClientBase["core"];
  readonly strategy: AnyStrategy;
  readonly owner: ViewOwner;
  readonly names: readonly string[];
  readonly sender: StrategySender;
  readonly options: RunStrategyOptions;
  readonly signer: string;
}

/** A running strategy. A caller that makes the blocks calls `step` after each; otherwise `run` waits for new ones. */
export class StrategyRunner implements Context {
  readonly params: unknown;
  readonly markets: readonly LiveMarket[];
  readonly account: LiveAccount;
  readonly rng: Random;
  readonly now = { height: 0, timeMs: 0 };
  memory: unknown = undefined;
  readonly #parts: RunnerParts;
  readonly #list: MarketList<LiveMarket>;
  readonly #follower: AccountFollower;
  readonly #feed: BlockFeed;
  readonly #targets: PositionTargets;
  #bars: LiveBars | undefined;
  #view!: VenueView;
  #isInitialised = false;
  #hasEnded = false;

  constructor(parts: RunnerParts) {
    const { strategy, owner, names, sender, options } = parts;
    this.#parts = parts;
    this.params = resolveParams(strategy.params, options.params);
    this.rng = new Random(wordsOf(options.seed ?? ""));
    this.#list = new MarketList(names.map((name) => new LiveMarket(name, () => this.#view)));
    this.markets = this.#list.all;
    this.account = new LiveAccount(() => this.#view, this.#list, sender);
    this.#targets = new PositionTargets(this, this.account, (name) => sender.hasOrderFor(name));
    this.#follower = new AccountFollower(owner, sender.own, names);
    this.#feed = new BlockFeed(parts.core, owner.address);
  }

  get market(): LiveMarket {
    return this.markets[0]!;
  }

  /** Reads the venue's present state, and chooses the leverage. */
  async begin(): Promise<void> {
    const { strategy, names, options } = this.#parts;
    const { leverage, barMs = 60_000 } = options;
    this.#feed.open();
    await this.#readView();
    this.#follower.begin(this.#view);
    if (strategy.onBar !== undefined) this.#bars = new LiveBars(barMs, this.now.timeMs, names);
    if (leverage === undefined) return;
    for (const market of this.markets) this.setLeverage(leverage, market.name);
    await this.#parts.sender.flush(this.now.timeMs);
  }

  /**
   * Reads the blocks made since the last step, calls the hooks, and sends the strategy's requests; resolves when those
   * have arrived.
   *
   * @returns whether there was a new block
   * @throws {ClientError} STRATEGY_FAILED, VIEW_TORN; NETWORK_CHANGED: the strategy's state belongs to another chain
   */
  async step(): Promise<boolean> {
    const { sender, core } = this.#parts;
    const from = this.now.height + 1;
    core.network.requireUnchanged();
    await this.#readView();
    if (this.now.height < from) return false;
    const blocks: ReportedBlock[] = [];
    for (let height = from; height <= this.now.height; height++) blocks.push(await this.#feed.read(height, sender.own));
    for (const { transactions } of blocks) sender.settle(transactions.map(({ txId }) => txId));
    this.#callHooks(blocks);
    await sender.flush(this.now.timeMs);
    return true;
  }

  /** Steps with each new block until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    const { pollMs = 250 } = this.#parts.options;
    while (!signal.aborted) {
      if (!(await this.step())) await this.#feed.next(this.now.height, pollMs, signal);
    }
    this.end();
  }

  /** Calls the last hook. Nothing is sent afterwards. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#feed.close();
    this.#guard("onEnd", (strategy) => strategy.onEnd?.(this));
  }

  async #readView(): Promise<void> {
    const { core, owner, names } = this.#parts;
    const known = await core.markets();
    const rules = names.map((name) => known.get(name)!);
    this.#view = await readVenueView(core, owner, rules);
    const { height, hash } = this.#view.asOf;
    if (height < this.now.height) {
      await core.network.check(true);
      core.network.noteOtherBlock(`${this.now.height}`, hash);
      core.network.requireUnchanged();
    }
    this.now.height = this.#view.asOf.height;
    this.now.timeMs = this.#view.asOf.timeMs;
  }

  #callHooks(blocks: readonly ReportedBlock[]): void {
    const { sender } = this.#parts;
    const { funding, reported, rejections, trades } = this.#follower.read(blocks, this.#view);
    if (!this.#isInitialised) {
      this.#isInitialised = true;
      this.#guard("init", (strategy) => {
        if (strategy.init !== undefined) this.memory = strategy.init(this as Context<unknown, undefined>);
      });
    }
    for (const one of funding) this.#guard("onFunding", (strategy) => strategy.onFunding?.(this, one));
    for (const one of reported) {
      if (one.kind === "fill") this.#guard("onFill", (strategy) => strategy.onFill?.(this, one.fill));
      else if (one.kind === "cancellation")
        this.#guard("onCancel", (strategy) => strategy.onCancel?.(this, one.cancellation));
      else this.#guard("onLiquidation", (strategy) => strategy.onLiquidation?.(this, one.liquidation));
    }
    for (const { market, ...one } of [...sender.refused.splice(0), ...rejections]) {
      const rejection = market === "" ? one : withSmallestSize(one, this.#find(market));
      this.#guard("onReject", (strategy) => strategy.onReject?.(this, rejection));
    }
    for (const one of trades) this.#guard("onTrade", (strategy) => strategy.onTrade?.(this, one));
    for (const block of this.#bars === undefined ? [] : blocks) {
      for (const bar of this.#bars!.read(block)) this.#guard("onBar", (strategy) => strategy.onBar?.(this, bar));
    }
    this.#guard("onBlock", (strategy) => strategy.onBlock?.(this));
    this.#targets.send();
  }

  #guard(hook: HookName, run: (strategy: AnyStrategy) => unknown): void {
    const { strategy } = this.#parts;
    const details = { strategy: strategy.id, hook, height: this.now.height };
    let returned: unknown;
    try {
      returned = run(strategy);
    } catch (cause) {
      this.#feed.close();
      throw new ClientError("STRATEGY_FAILED", `${strategy.id}.${hook} failed: ${String(cause)}`, details, { cause });
    }
    if (!(returned instanceof Promise)) return;
    returned.catch(() => undefined);
    this.#feed.close();
    throw new ClientError(
      "STRATEGY_FAILED",
      `${strategy.id}.${hook} returned a promise; hooks are synchronous`,
      details,
    );
  }

  place(order: OrderRequest): TransactionId {
    const { sender } = this.#parts;
    this.#checkOpen("placeOrder");
    const rules = this.#find(order.market).orderRules;
    if (isBelowLot(order.size, rules.lotSize)) return this.#refuse(rules.name);
    return sender.ask("placeOrder", placeOrderOf(order, rules, sender.nextId));
  }

  amend(id: TransactionId, change: Amendment): TransactionId {
    this.#checkOpen("amendOrder");
    // The order may not be in a block yet; its market is then the first, or the only one.
    const resting = this.account.orders().find((order) => order.id === id);
    const rules = this.#find(resting?.market).orderRules;
    if (change.size !== undefined && isBelowLot(change.size, rules.lotSize)) return this.#refuse(rules.name);
    return this.#parts.sender.ask("amendOrder", amendOrderOf(id, change, rules));
  }

  cancel(id: TransactionId): TransactionId {
    this.#checkOpen("cancelOrder");
    return this.#parts.sender.ask("cancelOrder", { orderId: 0 as OrderId, clientOrderId: id });
  }

  cancelAll(market?: string): TransactionId {
    this.#checkOpen("cancelAll");
    const name = market === undefined ? "" : this.#find(market).name;
    return this.#parts.sender.ask("cancelAll", { market: name, intents: false });
  }

  close(request: CloseRequest = {}): TransactionId {
    const { sender } = this.#parts;
    this.#checkOpen("closePosition");
    const { orderRules } = this.#find(request.market);
    if (request.size !== undefined && isBelowLot(request.size, orderRules.lotSize)) {
      return this.#refuse(orderRules.name);
    }
    return sender.ask("closePosition", closePositionOf(request, orderRules, sender.nextId));
  }

  /** An order of less than one lot: refused like any other, with the next block. */
  #refuse(market: string): TransactionId {
    return this.#parts.sender.refuse("SIZE_TOO_SMALL", market, this.now.timeMs);
  }

  setPosition(size: number, request: PositionRequest = {}): void {
    this.#checkOpen("setPosition");
    this.#targets.set(size, this.#find(request.market), request);
  }

  setLeverage(leverage: number, market?: string): TransactionId {
    this.#checkOpen("setLeverage");
    checkLeverage(leverage);
    const chosen = this.#find(market);
    chosen.chosenLeverage = leverage;
    return this.#parts.sender.ask("setLeverage", { market: chosen.name, leverage });
  }

  metric(name: string, value: number): void {
    if (!Number.isFinite(value)) {
      const place = { place: name, hint: "give finite numbers" };
      throw new StrategyError("METRIC_INVALID", `metric ${name} is ${value}`, place);
    }
    this.#parts.options.onMetric?.(name, value);
  }

  log(text: string): void {
    this.#parts.options.onLog?.(text);
  }

  #checkOpen(action: string): void {
    if (!this.#hasEnded) return;
    const place = { place: action, hint: "send before onEnd" };
    throw new StrategyError("ORDER_INVALID", "the run has ended; nothing can be sent", place);
  }

  #find(name: string | undefined): LiveMarket {
    return this.#list.find(name);
  }
}

/** Four words of state from a text: those of a backtest with this seed. */
function wordsOf(seed: string): Int32Array {
  const hash = sha256(new TextEncoder().encode(`perplab strategy ${seed}`));
  const view = new DataView(hash.buffer, hash.byteOffset);
  return Int32Array.from([0, 4, 8, 12], (at) => view.getInt32(at, true));
}
