import type { AccountView, Context } from "../../strategy/context.ts";
import { StrategyError } from "../../strategy/errors.ts";
import type { Bar } from "../../strategy/facts.ts";
import { MarketList, unknownMarket } from "../../strategy/marketList.ts";
import { resolveParams } from "../../strategy/params.ts";
import type { HookFailure, SessionPort } from "../../strategy/sessionPort.ts";
import { type AnyStrategy, usesBars } from "../../strategy/strategy.ts";
import { StrategySession } from "../../strategy/strategySession.ts";
import { readWarmUp } from "../../strategy/warmUp.ts";
import type { ClientBase } from "../client.ts";
import { ClientError } from "../errors.ts";
import { AccountFollower, type ReportedBlock } from "./accountFacts.ts";
import { BlockFeed } from "./blockFeed.ts";
import { LiveAccount } from "./liveAccount.ts";
import { LiveBars } from "./liveBars.ts";
import { LiveData } from "./liveData.ts";
import { LiveMarket } from "./liveMarket.ts";
import type { RunStrategyOptions } from "./runStrategy.ts";
import { StrategySender } from "./sender.ts";
import { readVenueView, type VenueView, type ViewOwner } from "./venueView.ts";

interface RunnerParts {
  readonly core: ClientBase["core"];
  readonly strategy: AnyStrategy;
  readonly owner: ViewOwner;
  readonly names: readonly string[];
  readonly sender: StrategySender;
  readonly options: RunStrategyOptions;
}

/** A running strategy. A caller that makes the blocks calls `step` after each; otherwise `run` waits for new ones. */
export class StrategyRunner {
  readonly #parts: RunnerParts;
  readonly #session: StrategySession<LiveMarket, LiveAccount>;
  readonly #follower: AccountFollower;
  readonly #feed: BlockFeed;
  #data!: LiveData;
  #view!: VenueView;

  private constructor(parts: RunnerParts) {
    const { core, strategy, owner, sender, options } = parts;
    const params = resolveParams(strategy.params, options.params);
    this.#parts = parts;
    this.#follower = new AccountFollower(owner, sender.own);
    this.#feed = new BlockFeed(core, owner.address);
    this.#session = new StrategySession({
      strategy,
      params,
      seed: options.seed ?? "",
      idPrefix: options.idPrefix ?? "t",
      port: this.#openPort(),
      warmUp: warmUpOf(strategy, params, options.warmUp),
    });
  }

  /** Reads the venue's present state, and chooses the leverage. */
  static async open(
    { core, actor }: ClientBase,
    strategy: AnyStrategy,
    options: RunStrategyOptions,
  ): Promise<StrategyRunner> {
    const { actor: who } = actor.resolve(`strategy ${strategy.id}`);
    const owner = { address: who.owner, subaccount: who.subaccount };
    const known = await core.markets();
    const names = options.markets ?? [...known.keys()];
    const unknown = names.find((name) => !known.has(name));
    if (unknown !== undefined || names.length === 0) throw unknownMarket(unknown ?? "", [...known.keys()]);
    const sender = new StrategySender(core, actor);
    const runner = new StrategyRunner({ core, strategy, owner, names, sender, options });
    await runner.#begin();
    return runner;
  }

  /** The strategy's context: its reads and its actions. */
  get context(): Context {
    return this.#session.context;
  }

  /** The strategy's account as it sees it. */
  get account(): AccountView {
    return this.#session.context.account;
  }

  #openPort(): SessionPort<LiveMarket, LiveAccount> {
    const { names, sender, options } = this.#parts;
    const view = () => this.#view;
    const markets = new MarketList(names.map((name) => new LiveMarket(name, view, sender)));
    return {
      view: { markets, account: new LiveAccount(view, markets, sender, (order) => this.#follower.nameOf(order)) },
      send: sender,
      report: {
        metric: (name, value) => options.onMetric?.(name, value),
        log: (text) => options.onLog?.(text),
        refused: () => undefined,
        failed: (failure) => {
          this.#feed.close();
          return toHookError(failure);
        },
      },
    };
  }

  async #begin(): Promise<void> {
    const { strategy, names, options, sender } = this.#parts;
    const { leverage, margin, barMs = 60_000 } = options;
    const { now, context } = this.#session;
    this.#feed.open();
    await this.#readView();
    checkBars(options.warmUp ?? [], names, now.timeMs);
    this.#follower.begin(this.#view);
    const bars = !usesBars(strategy) ? undefined : new LiveBars(barMs, now.timeMs, names);
    this.#data = new LiveData(names, bars);
    if (leverage === undefined && margin === undefined) return;
    if (leverage !== undefined) for (const name of names) context.setLeverage(leverage, name);
    // The venue rejects a mode that is chosen already.
    for (const market of context.markets) {
      if (margin !== undefined && market.marginMode !== margin) context.setMarginMode(margin, market.name);
    }
    await sender.flush(now.timeMs);
  }

  /**
   * Reads the blocks made since the last step, calls the hooks, and sends the strategy's transactions; resolves when
   * those have arrived.
   *
   * @returns whether there was a new block
   * @throws {ClientError} STRATEGY_FAILED, VIEW_TORN; NETWORK_CHANGED: the strategy's state belongs to another chain
   */
  async step(): Promise<boolean> {
    const { sender, core } = this.#parts;
    const { now } = this.#session;
    const from = now.height + 1;
    core.network.requireUnchanged();
    await this.#readView();
    if (now.height < from) return false;
    const blocks: ReportedBlock[] = [];
    for (let height = from; height <= now.height; height++) blocks.push(await this.#feed.read(height, sender.own));
    for (const { transactions } of blocks) sender.settle(transactions);
    const { reports, rejections } = this.#follower.read(blocks, this.#view);
    const facts = { reports, rejections: [...sender.takeRefused(), ...rejections] };
    this.#session.afterBlock(facts, { show: (hooks) => this.#data.show(blocks, hooks) });
    await sender.flush(now.timeMs);
    return true;
  }

  /** Steps with each new block until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    const { pollMs = 250 } = this.#parts.options;
    while (!signal.aborted) {
      if (!(await this.step())) await this.#feed.next(this.#session.now.height, pollMs, signal);
    }
    this.end();
  }

  /** Calls the last hook. Nothing is sent afterwards. */
  end(): void {
    this.#feed.close();
    this.#session.end();
  }

  async #readView(): Promise<void> {
    const { core, owner, names } = this.#parts;
    const { now } = this.#session;
    const known = await core.markets();
    const rules = names.map((name) => known.get(name)!);
    this.#view = await readVenueView(core, owner, rules);
    const { asOf } = this.#view;
    if (asOf.height < now.height) {
      await core.network.check(true);
      core.network.noteOtherBlock(`${now.height}`, asOf.hash);
      core.network.requireUnchanged();
    }
    this.#session.moveTo(asOf);
  }
}

/** The bars that the caller gives a strategy, of those that it asks for. @throws {StrategyError} STRATEGY_INVALID */
function warmUpOf(strategy: AnyStrategy, params: unknown, bars: readonly Bar[] | undefined): readonly Bar[] {
  const asked = readWarmUp(strategy, params);
  if (asked !== undefined && bars === undefined) {
    throw new StrategyError("STRATEGY_INVALID", `strategy ${strategy.id} has a warm-up, and a venue keeps no bars`, {
      place: "warmUp",
      hint: "give bars as the option warmUp; an empty list starts without",
    });
  }
  if (asked === undefined && bars !== undefined) {
    throw new StrategyError("STRATEGY_INVALID", `strategy ${strategy.id} has no warm-up, so it gets no bars`, {
      place: "warmUp",
      hint: "leave the option out, or declare warmUp in the strategy",
    });
  }
  return bars ?? [];
}

/** @throws {StrategyError} STRATEGY_INVALID for a bar of the future, of another market, or out of order */
function checkBars(bars: readonly Bar[], names: readonly string[], nowMs: number): void {
  let before = Number.NEGATIVE_INFINITY;
  for (const { market, closeTimeMs } of bars) {
    if (!names.includes(market)) throw unknownMarket(market, names);
    if (closeTimeMs < before || closeTimeMs > nowMs) {
      throw new StrategyError(
        "STRATEGY_INVALID",
        `a bar of the warm-up closes at ${closeTimeMs}, out of order or later than now`,
        {
          place: "warmUp",
          hint: "give bars that are complete, oldest first",
        },
      );
    }
    before = closeTimeMs;
  }
}

function toHookError({ strategy, hook, height, timeMs, reason, hint, cause }: HookFailure): ClientError {
  const at = `block ${height} (${new Date(timeMs).toISOString()})`;
  const advice = hint === undefined ? "" : `; ${hint}`;
  return new ClientError(
    "STRATEGY_FAILED",
    `${strategy}.${hook} failed at ${at}: ${reason}${advice}`,
    { strategy, hook, height },
    { cause },
  );
}
