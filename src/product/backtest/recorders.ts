import type { Amount } from "../../ground/math/fixed.ts";
import type { State } from "../../venue/engine/state/state.ts";
import type { Recorder, RecordListener } from "../report/input.ts";
import { createRecorder } from "../report/recorder.ts";
import { createLiquidationPrice } from "./account/liquidationPrice.ts";
import { PortfolioRecorder } from "./portfolioRecorder.ts";
import type { StrategySettings } from "./strategyOptions.ts";

export interface RecordersParts {
  /** By name. */
  readonly strategies: readonly StrategySettings[];
  /** Names of the markets. */
  readonly markets: readonly string[];
  /** Time of the first block. */
  readonly startMs: number;
  readonly state: State;
  /** Receives the same records as the recorder of a strategy. */
  readonly listen?: ((name: string) => RecordListener | undefined) | undefined;
}

/** The recorders of a run: one for each strategy and, of several, one of all accounts together. */
export class Recorders {
  /** Of all accounts together; undefined in a run of one strategy. */
  readonly portfolio: Recorder | undefined;
  readonly #own: readonly Recorder[];
  /** The recorders of traders: their own, and that of the portfolio. */
  readonly #shared: readonly Recorder[];

  constructor({ strategies, markets, startMs, state, listen }: RecordersParts) {
    this.#own = strategies.map(({ name, deposit }) => {
      const listener = listen?.(name);
      return createRecorder({
        markets: markets.map((symbol) => ({ symbol })),
        startTimeMs: startMs,
        initialEquity: deposit,
        liquidationPrice: createLiquidationPrice(state),
        ...(listener === undefined ? {} : { listener }),
      });
    });
    if (strategies.length === 1) {
      this.#shared = this.#own;
      return;
    }
    const prices = strategies.map(() => createLiquidationPrice(state));
    const sum = createRecorder({
      // A market of an account is one of the portfolio's own: positions of two accounts in it are two positions.
      markets: strategies.flatMap(({ name }) => markets.map((market) => ({ symbol: nameOfPair(name, market) }))),
      startTimeMs: startMs,
      initialEquity: strategies.reduce((total, { deposit }) => total + deposit, 0) as Amount,
      liquidationPrice: (position) => {
        const market = position.market % markets.length;
        return prices[(position.market - market) / markets.length]!({ ...position, market });
      },
    });
    this.portfolio = sum;
    const portfolio = new PortfolioRecorder(sum, strategies.length, markets.length);
    this.#shared = this.#own.map((own, place) => portfolio.join(own, place));
  }

  /** The recorder of the trader at a place. */
  of(place: number): Recorder {
    return this.#shared[place]!;
  }
}

/** The portfolio's name for a market of one of its strategies. */
export function nameOfPair(strategy: string, market: string): string {
  return `${strategy} ${market}`;
}
