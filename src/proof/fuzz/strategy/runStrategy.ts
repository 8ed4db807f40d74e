import type { BacktestOptions } from "../../../product/backtest/options.ts";
import { STRATEGY } from "../../../product/backtest/participants.ts";
import { runBacktest } from "../../../product/backtest/runBacktest.ts";
import type { Block } from "../../../protocol/transaction.ts";
import type { BlockResult } from "../../../venue/engine/applyBlock.ts";
import { readEvents } from "../../../venue/engine/events/readEvents.ts";
import { measure } from "../../../venue/engine/margin/health.ts";
import { findAccount } from "../../../venue/engine/state/accounts.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../../venue/engine/state/state.ts";
import type { Observer } from "../../../venue/simulation/observer.ts";
import type { StrategyAssertion, StrategyView } from "./assertions.ts";
import { type MarketScript, playScript } from "./marketScript.ts";
import { sourceOf } from "./scriptSource.ts";

/** Options of a backtest without its data. */
export type StrategySetup = Omit<BacktestOptions, "data" | "log" | "onProgress">;

/** An assertion that did not hold. */
export interface BrokenAssertion {
  readonly assertion: string;
  readonly sentence: string;
  readonly view: StrategyView;
}

export interface StrategyOutcome {
  readonly broken: BrokenAssertion | undefined;
  /** Least slack of each assertion, in order. */
  readonly slack: readonly number[];
  /** An error that the strategy threw. */
  readonly error: Error | undefined;
  readonly blocks: number;
}

/** Ends a run at the block in which an assertion broke. */
class Stop extends Error {}

/** Runs a strategy through a market script, up to the first block in which an assertion does not hold. */
export async function runStrategy(
  setup: StrategySetup,
  script: MarketScript,
  assertions: readonly StrategyAssertion[],
): Promise<StrategyOutcome> {
  const checker = new AssertionChecker(assertions);
  let error: Error | undefined;
  try {
    await runBacktest({ ...setup, data: sourceOf(playScript(script)) }, { observers: [checker] });
  } catch (thrown) {
    if (!(thrown instanceof Stop)) error = thrown as Error;
  }
  return { broken: checker.broken, slack: checker.slack, error, blocks: checker.blocks };
}

class AssertionChecker implements Observer {
  readonly slack: number[];
  broken: BrokenAssertion | undefined;
  blocks = 0;
  readonly #assertions: readonly StrategyAssertion[];
  #account = -1 as AccountRow;
  #highest = 0;
  #liquidations = 0;

  constructor(assertions: readonly StrategyAssertion[]) {
    this.#assertions = assertions;
    this.slack = assertions.map(() => Number.POSITIVE_INFINITY);
  }

  onStart(state: State): void {
    this.#account = findAccount(state, STRATEGY);
  }

  onBlock(state: State, block: Block, result: BlockResult): void {
    this.blocks++;
    for (const event of readEvents(result.events, result.from, result.to)) {
      if (event.kind === "liquidationStarted" && event.account === this.#account) this.#liquidations++;
    }
    const view = this.#check(state, block);
    this.#assertions.forEach((assertion, at) => {
      const slack = assertion.slack(view);
      if (slack < this.slack[at]!) this.slack[at] = slack;
      if (slack < 0 || Number.isNaN(slack)) {
        this.broken = { assertion: assertion.id, sentence: assertion.sentence, view };
        throw new Stop();
      }
    });
  }

  #check(state: State, { height, timeMs }: Block): StrategyView {
    const market = 0 as MarketRow;
    const health = measure(state, this.#account);
    const equity = (health.overflow ? Number(health.bigEquity) : health.equity) / 1e6;
    const maintenance = (health.overflow ? Number(health.bigMaintenance) : health.maintenance) / 1e6;
    this.#highest = Math.max(this.#highest, equity);
    const at = getPosition(state, this.#account, market);
    const lots: number = at < 0 ? 0 : state.positions.signedLots[at]!;
    return {
      height,
      timeMs,
      equity,
      collateral: state.accounts.collateral[this.#account]! / 1e6,
      maintenance,
      margin: maintenance === 0 ? Number.POSITIVE_INFINITY : equity / maintenance,
      drawdown: this.#highest === 0 ? 0 : 1 - equity / this.#highest,
      position: (lots * state.parameters[market]!.lotSize) / 1e8,
      mark: state.markets.mark[market]! / 1e8,
      liquidations: this.#liquidations,
    };
  }
}
