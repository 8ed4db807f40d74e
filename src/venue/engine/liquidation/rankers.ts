import type { MarketParameters } from "../../../protocol/parameters.ts";
import { LIQUIDATION_POLICIES } from "../../../protocol/words.ts";

/** Values of a position on the side that is deleveraged, for a ranker. */
export interface Candidate {
  /** Lots; positive is long. */
  readonly signedLots: number;
  /** |size| at the mark. */
  readonly notional: bigint;
  /** |cost|, at least 1. */
  readonly cost: bigint;
  /** Unrealised PnL at the mark, funding not counted. */
  readonly profit: bigint;
  /** Of its margin account; positive. */
  readonly equity: bigint;
  /** Account id, accounts there are, height: for orders that turn. */
  readonly account: number;
  readonly accounts: number;
  readonly height: number;
}

/** A rank as a fraction over / under, under > 0. The greatest is deleveraged first. */
export interface Score {
  readonly over: bigint;
  readonly under: bigint;
}

/**
 * Orders of auto-deleveraging. Each scores a position; the order is by score, greatest first, ties by account id. In
 * all of them, positions without equity come after those with equity, and house accounts come last (LIQ-5).
 */
export const RANKERS = {
  /**
   * (mark / entry)^side * notional / equity (LIQ-5; Hyperliquid's index, side-aware):
   *
   *     long  notional^2 / (cost * equity)        short  cost / equity
   */
  profitByLeverage: ({ signedLots, notional, cost, equity }: Candidate): Score =>
    signedLots > 0 ? { over: notional * notional, under: cost * equity } : { over: cost, under: equity },

  /**
   * PnL % times leverage for those in profit, PnL % over leverage for the others (Binance, BitMEX); PnL % = profit /
   * cost.
   */
  profitTimesLeverage: ({ notional, cost, profit, equity }: Candidate): Score =>
    profit >= 0n
      ? { over: profit * notional, under: cost * equity }
      : { over: profit * equity, under: cost * notional },

  /** By account id, from a place that moves with the height (dYdX v4 starts at a pseudo-random place). */
  rotation: ({ account, accounts, height }: Candidate): Score => ({
    over: -BigInt((account + accounts - (height % accounts)) % accounts),
    under: 1n,
  }),
} as const satisfies Readonly<Record<string, (candidate: Candidate) => Score>>;

type Ranker = (candidate: Candidate) => Score;

const BY_POLICY: Readonly<Record<(typeof LIQUIDATION_POLICIES)[number], Ranker>> = {
  perplab: RANKERS.profitByLeverage,
  hyperliquid: RANKERS.profitByLeverage,
  dydx: RANKERS.rotation,
  binance: RANKERS.profitTimesLeverage,
};

/** In the order of the policies' words. */
const OF_POLICY: readonly Ranker[] = LIQUIDATION_POLICIES.map((name) => BY_POLICY[name]);

/** The ranker of a market, by its `liquidationPolicy`. */
export function getRanker({ liquidationPolicy }: Pick<MarketParameters, "liquidationPolicy">): Ranker {
  return OF_POLICY[liquidationPolicy]!;
}
