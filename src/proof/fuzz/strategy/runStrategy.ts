import { readAccountEvents } from "../../../product/backtest/account/accountEvents.ts";
import type { VenueAccount } from "../../../product/backtest/account/venueAccount.ts";
import type { VenueMarket } from "../../../product/backtest/account/venueMarket.ts";
import { VenueReads } from "../../../product/backtest/account/venueReads.ts";
import { viewVenue } from "../../../product/backtest/account/venueView.ts";
import type { BacktestOptions } from "../../../product/backtest/options.ts";
import { STRATEGY } from "../../../product/backtest/participants.ts";
import { runBacktest } from "../../../product/backtest/runBacktest.ts";
import type { Block } from "../../../protocol/transaction.ts";
import type { BlockResult } from "../../../venue/engine/applyBlock.ts";
import { findAccount } from "../../../venue/engine/state/accounts.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
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
    // Assertions hold after every instant, not only where something can happen.
    await runBacktest({ ...setup, blocks: "all", data: sourceOf(playScript(script)) }, { observers: [checker] });
  } catch (thrown) {
    if (!(thrown instanceof Stop)) error = thrown as Error;
  }
  return { broken: checker.broken, slack: checker.slack, error, blocks: checker.blocks };
}

/** Checks assertions after each block, on the account and market that the strategy itself is shown. */
class AssertionChecker implements Observer {
  readonly slack: number[];
  broken: BrokenAssertion | undefined;
  blocks = 0;
  readonly #assertions: readonly StrategyAssertion[];
  #row = -1 as AccountRow;
  #account!: VenueAccount;
  #market!: VenueMarket;
  #highest = 0;
  #liquidations = 0;

  constructor(assertions: readonly StrategyAssertion[]) {
    this.#assertions = assertions;
    this.slack = assertions.map(() => Number.POSITIVE_INFINITY);
  }

  onStart(state: State): void {
    this.#row = findAccount(state, STRATEGY);
    const { account, markets } = viewVenue(new VenueReads(state), this.#row, { inFlight: 0 });
    this.#account = account;
    this.#market = markets.find(undefined);
  }

  onBlock(_state: State, block: Block, { events, from, to }: BlockResult): void {
    this.blocks++;
    for (const event of readAccountEvents(events, from, to, this.#row)) {
      if (event.kind === "liquidationStarted") this.#liquidations++;
    }
    const view = this.#look(block);
    this.#assertions.forEach((assertion, at) => {
      const slack = assertion.slack(view);
      if (slack < this.slack[at]!) this.slack[at] = slack;
      if (slack < 0 || Number.isNaN(slack)) {
        this.broken = { assertion: assertion.id, sentence: assertion.sentence, view };
        throw new Stop();
      }
    });
  }

  #look({ height, timeMs }: Block): StrategyView {
    const { equity, collateral, maintenance, riskiest } = this.#account;
    this.#highest = Math.max(this.#highest, equity);
    return {
      height,
      timeMs,
      equity,
      collateral,
      maintenance,
      margin: riskiest.maintenance === 0 ? Number.POSITIVE_INFINITY : riskiest.equity / riskiest.maintenance,
      drawdown: this.#highest === 0 ? 0 : 1 - equity / this.#highest,
      position: this.#account.getSize(this.#market),
      mark: this.#market.mark ?? 0,
      liquidations: this.#liquidations,
    };
  }
}
