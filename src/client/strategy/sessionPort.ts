import type { ActionName, Payloads } from "../../protocol/actions/index.ts";
import type { TransactionId } from "./facts.ts";
import type { MarketList } from "./marketList.ts";
import type { SeriesSource } from "./series.ts";
import type { HookName } from "./strategy.ts";
import type { InFlight, StrategyAccount } from "./strategyAccount.ts";
import type { StrategyMarket } from "./strategyMarket.ts";

/** Time of the block that a strategy has seen. */
export interface BlockTime {
  readonly height: number;
  readonly timeMs: number;
}

/** Everything that a strategy may read, as of the last block. */
export interface SessionView<Market extends StrategyMarket, Account extends StrategyAccount<Market>> {
  readonly markets: MarketList<Market>;
  readonly account: Account;
  /** Recorded series; undefined where there are none. */
  readonly series?: SeriesSource | undefined;
}

/** Sends a strategy's transactions. */
export interface SessionSender extends InFlight {
  /** Sends a transaction. Its effects are in the facts of the block that includes it. */
  send<A extends ActionName>(id: TransactionId, action: A, payload: Payloads[A], nowMs: number): void;
  /** Whether a transaction that may move the position in a market is in no block yet. */
  hasOrderFor(market: string): boolean;
}

/** A hook that threw or returned a promise, after which nothing of the strategy runs. */
export interface HookFailure extends BlockTime {
  readonly strategy: string;
  readonly hook: HookName;
  readonly reason: string;
  /** How to correct it; undefined if the error has no hint. */
  readonly hint: string | undefined;
  readonly cause: unknown;
}

/** Reports of a strategy to the program that runs it. */
export interface SessionReport {
  metric(name: string, value: number, timeMs: number): void;
  log(text: string, timeMs: number): void;
  /** An order was refused without being sent. */
  refused(code: string, timeMs: number): void;
  /** Returns the error that the run ends with. */
  failed(failure: HookFailure): Error;
}

/** The part of a session that depends on where a strategy runs. */
export interface SessionPort<Market extends StrategyMarket, Account extends StrategyAccount<Market>> {
  readonly view: SessionView<Market, Account>;
  readonly send: SessionSender;
  readonly report: SessionReport;
}
