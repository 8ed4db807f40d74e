import { abs } from "../arithmetic.ts";
import { bucketOf } from "../margin/health.ts";
import { notionalOf, valueAt } from "../margin/requirement.ts";
import type { Market, ModelState, Position } from "../state.ts";
import { measureAbove } from "./above.ts";

/** Score of who is deleveraged: over / under, compared crosswise; greatest first. */
interface Score {
  readonly over: bigint;
  readonly under: bigint;
}

/**
 * Opposite positions of a market in the order in which they are deleveraged; ties by account id, house accounts last, and
 * who has no equity behind those that have (LIQ-5).
 */
export function rankOpposite(state: ModelState, market: Market, liquidatedSize: bigint): Position[] {
  const opposite = state.accounts.flatMap((account) => {
    const position = account.positions.get(market.ordinal);
    return position !== undefined && position.size !== 0n && position.size > 0n !== liquidatedSize > 0n
      ? [position]
      : [];
  });
  if (market.parameters.liquidationPolicy === "dydx") return rankInTurn(state, opposite);
  const ranked = opposite.map((position) => ({ position, score: scoreOf(position) }));
  ranked.sort(
    (a, b) =>
      groupOf(a.position) - groupOf(b.position) ||
      compareScores(b.score, a.score) ||
      a.position.account.id - b.position.account.id,
  );
  return ranked.map(({ position }) => position);
}

function groupOf({ account }: Position): number {
  return account.role === "house" ? 1 : 0;
}

/** dYdX goes round by account, each block from another one (LIQ-5). */
function rankInTurn(state: ModelState, opposite: readonly Position[]): Position[] {
  const count = state.accounts.length;
  const turn = ({ account }: Position) => (account.id - (state.height % count) + count) % count;
  return opposite.toSorted((a, b) => groupOf(a) - groupOf(b) || turn(a) - turn(b));
}

/** perplab, hyperliquid: profit ratio by leverage. binance: profit in parts of cost by leverage, or over it where there is a loss. */
function scoreOf(position: Position): Score {
  const { market, size, cost } = position;
  const { equity } = measureAbove(bucketOf(position));
  const notional = notionalOf(market, size);
  if (market.parameters.liquidationPolicy === "binance") {
    const profit = valueAt(market, size, market.mark) - cost;
    return profit >= 0n
      ? { over: profit * notional, under: abs(cost) * equity }
      : { over: profit * equity, under: abs(cost) * notional };
  }
  return size > 0n ? { over: notional * notional, under: cost * equity } : { over: abs(cost), under: equity };
}

/** Crosswise; a score without a positive denominator is the least. */
function compareScores(a: Score, b: Score): number {
  if (a.under <= 0n || b.under <= 0n) return Number(a.under > 0n) - Number(b.under > 0n);
  const difference = a.over * b.under - b.over * a.under;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
