import type { BlockData, BlockFacts, DataHooks, OwnRejection } from "./blockFacts.ts";
import type { Context } from "./context.ts";
import { StrategyError } from "./errors.ts";
import type { Bar, FrameBar, Rejection, Timer, Trade } from "./facts.ts";
import type { Frames } from "./frames.ts";
import { withSmallestSize } from "./orderSize.ts";
import { PositionTargets } from "./positionTargets.ts";
import type { BlockTime, HookFailure, SessionPort } from "./sessionPort.ts";
import { SessionState } from "./sessionState.ts";
import { type AnyStrategy, type HookName, openFrames, usesBars } from "./strategy.ts";
import type { StrategyAccount } from "./strategyAccount.ts";
import { type ContextParts, StrategyContext } from "./strategyContext.ts";
import type { StrategyMarket } from "./strategyMarket.ts";
import type { Timers } from "./timers.ts";

export interface SessionParts<Market extends StrategyMarket, Account extends StrategyAccount<Market>>
  extends Omit<ContextParts<Market, Account>, "state"> {
  readonly strategy: AnyStrategy;
  /** Bars from before the first block, oldest first, which the strategy sees and cannot trade in. */
  readonly warmUp?: readonly Bar[] | undefined;
}

/**
 * One strategy in one run, wherever it runs: calls its hooks, with its context. The port defines where its view comes
 * from, how a transaction leaves, and what is reported; the caller reports each block.
 */
export class StrategySession<Market extends StrategyMarket, Account extends StrategyAccount<Market>>
  implements DataHooks
{
  readonly context: StrategyContext<Market, Account>;
  readonly now: SessionState["now"];
  readonly takesTrades: boolean;
  readonly takesBars: boolean;
  /** The strategy has a hook for trades or bars. */
  readonly seesData: boolean;
  readonly #state: SessionState;
  readonly #strategy: AnyStrategy;
  readonly #port: SessionPort<Market, Account>;
  readonly #targets: PositionTargets;
  readonly #frames: Frames | undefined;
  readonly #timers: Timers;
  #warmUp: readonly Bar[];
  #hasStarted = false;

  constructor({ strategy, warmUp = [], ...parts }: SessionParts<Market, Account>) {
    const { port, params } = parts;
    const { view, send } = port;
    const state = new SessionState();
    this.context = new StrategyContext({ ...parts, state });
    this.now = state.now;
    this.now.timeMs = 0;
    this.takesTrades = strategy.onTrade !== undefined;
    this.takesBars = usesBars(strategy);
    this.seesData = this.takesTrades || this.takesBars;
    this.#state = state;
    this.#strategy = strategy;
    this.#port = port;
    this.#targets = new PositionTargets(this.context, view.account, (market) => send.hasOrderFor(market));
    state.targets = this.#targets;
    this.#timers = state.timers;
    this.#warmUp = warmUp;
    this.#frames = openFrames(strategy, params);
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
    return this.#state.refused.length > 0;
  }

  /**
   * Something of the strategy is not sent yet, or was refused and not reported to it: what follows changes the account
   * or calls a hook.
   */
  get isWaiting(): boolean {
    return this.#targets.isWaiting || this.#state.refused.length > 0;
  }

  /** Bars after this one that close before this time come without a call of a timer and without a bar of a frame. */
  findCallAfter({ openTimeMs }: Bar): number {
    return Math.min(this.dueMs, this.#frames?.findEndAfter(openTimeMs) ?? Number.POSITIVE_INFINITY);
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
    this.#state.seriesMs = seenMs;
    if (!this.#hasStarted || reports.length > 0 || rejections.length > 0 || this.#state.refused.length > 0) {
      this.#startAndReport(reports, rejections, seenMs);
    }
    if (this.seesData) data.show(this);
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
    if (this.#state.refused.length > 0) this.#reject(this.#state.refused.splice(0));
    if (rejections.length > 0) this.#reject(rejections);
  }

  // Closures of hooks are in methods of their own: a method with one makes its context in each call.
  #start(seenMs: number): void {
    const strategy = this.#strategy;
    this.#hasStarted = true;
    // What the warm-up shows first was known before what the first block shows.
    if (this.#warmUp.length > 0) this.#state.seriesMs = Number.NEGATIVE_INFINITY;
    if (strategy.init !== undefined) {
      this.#guard("init", () => (this.context.memory = strategy.init?.(this.context as Context<unknown, undefined>)));
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
      returned = this.#strategy.onTimer?.(this.context, timer);
    } catch (cause) {
      throw this.#failed("onTimer", cause);
    }
    if (returned !== undefined) this.#refusePromise("onTimer", returned);
  }

  #callOnBlock(): void {
    this.#guard("onBlock", () => this.#strategy.onBlock?.(this.context));
  }

  /** Calls the last hook. Nothing is sent afterwards. */
  end(): void {
    if (this.#state.hasEnded) return;
    this.#state.hasEnded = true;
    this.#guard("onEnd", () => this.#strategy.onEnd?.(this.context));
  }

  #showWarmUp(seenMs: number): void {
    this.#state.isWarmUp = true;
    for (const bar of this.#warmUp) {
      this.#state.seriesMs = bar.closeTimeMs;
      this.takeBar(bar);
    }
    this.#state.seriesMs = seenMs;
    if (this.#frames !== undefined) this.#showFrames(this.#frames.advance(seenMs));
    this.#state.isWarmUp = false;
    this.#warmUp = [];
  }

  #report(reports: BlockFacts["reports"]): void {
    const strategy = this.#strategy;
    for (const report of reports) {
      if (report.kind === "fill") this.#guard("onFill", () => strategy.onFill?.(this.context, report.fill));
      else if (report.kind === "funding")
        this.#guard("onFunding", () => strategy.onFunding?.(this.context, report.funding));
      else if (report.kind === "cancellation") {
        this.#guard("onCancel", () => strategy.onCancel?.(this.context, report.cancellation));
      } else if (report.kind === "intent")
        this.#guard("onIntent", () => strategy.onIntent?.(this.context, report.intent));
      else this.#guard("onLiquidation", () => strategy.onLiquidation?.(this.context, report.liquidation));
    }
  }

  #reject(rejections: readonly OwnRejection[]): void {
    for (const { market, ...own } of rejections) {
      const rejection: Rejection = market === "" ? own : withSmallestSize(own, this.#port.view.markets.find(market));
      this.#guard("onReject", () => this.#strategy.onReject?.(this.context, rejection));
    }
  }

  /** Trades and bars are many: no closure is made for each. */
  takeTrade(trade: Trade): void {
    let returned: unknown;
    try {
      returned = this.#strategy.onTrade?.(this.context, trade);
    } catch (cause) {
      throw this.#failed("onTrade", cause);
    }
    if (returned !== undefined) this.#refusePromise("onTrade", returned);
  }

  takeBar(bar: Bar): void {
    let returned: unknown;
    try {
      returned = this.#strategy.onBar?.(this.context, bar);
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
    for (const bar of bars) this.#guard("onFrame", () => this.#strategy.onFrame?.(this.context, bar));
  }

  #guard(hook: HookName, call: () => unknown): void {
    let returned: unknown;
    try {
      returned = call();
    } catch (cause) {
      throw this.#failed(hook, cause);
    }
    this.#refusePromise(hook, returned);
  }

  #refusePromise(hook: HookName, returned: unknown): void {
    if (!isThenable(returned)) return;
    // The promise is not awaited; a rejection of its own must not end the process.
    returned.then(
      () => undefined,
      () => undefined,
    );
    const cause = new StrategyError("STRATEGY_INVALID", "it returned a promise; hooks are synchronous", {
      hint: "write the hook without async, and read files before defineStrategy",
    });
    // The hook has returned: its place is not in the stack.
    cause.stack = "";
    throw this.#failed(hook, cause);
  }

  #failed(hook: HookName, cause: unknown): Error {
    const failure: HookFailure = {
      ...this.now,
      strategy: this.#strategy.id,
      hook,
      reason: describeThrown(cause),
      hint: cause instanceof StrategyError ? cause.hint : undefined,
      cause,
    };
    return this.#port.report.failed(failure);
  }
}

/** What a hook threw, which may be anything. */
function describeThrown(cause: unknown): string {
  if (cause instanceof Error) return cause.message === "" ? `it threw ${cause.name} without a message` : cause.message;
  if (typeof cause === "string" && cause !== "") return cause;
  const isObject = typeof cause === "object" && cause !== null;
  return isObject ? "it threw an object that is no Error" : `it threw ${String(cause)}, which is no Error`;
}

function isThenable(value: unknown): value is { then(done: () => void, failed: () => void): unknown } {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
