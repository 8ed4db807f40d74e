import type { MarginMode } from "../../strategy/context.ts";
import type { Bar } from "../../strategy/facts.ts";
import { type AnyStrategy, checkStrategy } from "../../strategy/strategy.ts";
import type { ClientBase } from "../client.ts";
import { StrategyRunner } from "./strategyRunner.ts";

/** Settings of a strategy that runs against a venue. */
export interface RunStrategyOptions {
  readonly params?: Readonly<Record<string, unknown>>;
  /** Markets that it trades, its main one first. Default: all of the venue. */
  readonly markets?: readonly string[];
  /** Seed of `ctx.rng`. Default: empty. */
  readonly seed?: string;
  /** Leverage to choose in each market at the start. Default: the account's present one. */
  readonly leverage?: number;
  /** Margin mode to choose in each market at the start. Default: the account's present one. */
  readonly margin?: MarginMode;
  /** Prefix of the number in names of transactions and orders, which must be new to the account. Default: `t`. */
  readonly idPrefix?: string;
  readonly onMetric?: (name: string, value: number) => void;
  readonly onLog?: (text: string) => void;
  /** Length of the bars of `onBar`, ms. Default: 60,000. */
  readonly barMs?: number;
  /**
   * Bars from before the start, oldest first, for a strategy with a `warmUp`: a venue keeps none. None may close after
   * the present block. An empty list starts cold.
   */
  readonly warmUp?: readonly Bar[];
  /** Polling interval for a new block if no stream reports blocks, ms. Default: 250. */
  readonly pollMs?: number;
}

/**
 * Runs a strategy against a venue, in the session that runs it in a backtest. Only the reads of market and account and
 * the sending of transactions are the client's. On a venue that makes the backtest's blocks it reaches the same state
 * root.
 */
export async function runStrategy(
  client: ClientBase,
  strategy: AnyStrategy,
  options: RunStrategyOptions = {},
): Promise<StrategyRunner> {
  checkStrategy(strategy);
  return StrategyRunner.open(client, strategy, options);
}
