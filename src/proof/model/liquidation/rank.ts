import { abs, max } from "../arithmetic.ts";
import { marginAccountOf } from "../margin/health.ts";
import { notionalOf } from "../margin/valuation.ts";
import type { Market, ModelState, Position } from "../state.ts";
import { measureWithoutReserve } from "./withoutReserve.ts";

/** Score of a candidate for deleveraging: over / under, compared by cross-multiplication; greatest first. */
interface Score {
  readonly over: bigint;
  readonly under: bigint;
}

/**
 * Opposite positions of a market in the order in which they are deleveraged. Ties go by account id. Accounts without
 * equity come after accounts with equity, house accounts last (LIQ-5).
 */
export function rankOpposite(state: ModelState, market: Market, liquidatedLots: bigint): Position[] {
  const opposite = state.accounts.flatMap((account) => {
    const position = account.positions.get(market.ordinal);
    return position !== undefined && position.signedLots !== 0n && position.signedLots > 0n !== liquidatedLots > 0n
      ? [position]
      : [];
  });
  if (market.parameters.liquidationPolicy === "dydx") return rankBySequence(state, opposite);
  const ranked = opposite.map((position) => ({ position, score: scoreOf(position) }));
  ranked.sort(
    (a, b) =>
      groupOf(a.position) - groupOf(b.position) ||
      compareScores(b.score, a.score) ||
      a.position.account.id - b.position.account.id,
  );
  return ranked.map(({ position }) => position);
}

/** Three groups: accounts with equity, accounts without, house accounts. */
function groupOf(position: Position): number {
  if (position.account.role === "house") return 2;
  return measureWithoutReserve(marginAccountOf(position)).equity > 0n ? 0 : 1;
}

/** dYdX rotates through the accounts, and starts each block at another one (LIQ-5). */
function rankBySequence(state: ModelState, opposite: readonly Position[]): Position[] {
  const count = state.accounts.length;
  const step = ({ account }: Position) => (account.id - (state.height % count) + count) % count;
  return opposite.toSorted((a, b) => groupOf(a) - groupOf(b) || step(a) - step(b));
}

/**
 * perplab, hyperliquid: profit ratio by leverage. binance: profit over cost times leverage, or divided by it for a
 * loss.
 */
function scoreOf(position: Position): Score {
  const { market, signedLots } = position;
  const cost = max(1n, abs(position.cost));
  const { equity } = measureWithoutReserve(marginAccountOf(position));
  const notional = notionalOf(market, signedLots);
  if (market.parameters.liquidationPolicy === "binance") {
    const profit = (signedLots > 0n ? notional : -notional) - position.cost;
    return profit >= 0n
      ? { over: profit * notional, under: cost * equity }
      : { over: profit * equity, under: cost * notional };
  }
  return signedLots > 0n ? { over: notional * notional, under: cost * equity } : { over: cost, under: equity };
}

/** Compared by cross-multiplication; accounts without equity have no score. */
function compareScores(a: Score, b: Score): number {
  const isNone = ({ under }: Score) => under <= 0n;
  if (isNone(a) || isNone(b)) return Number(isNone(b)) - Number(isNone(a));
  const difference = a.over * b.under - b.over * a.under;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
