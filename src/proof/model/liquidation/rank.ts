import { abs, max } from "../arithmetic.ts";
import { marginAccountOf } from "../margin/health.ts";
import { notionalOf } from "../margin/requirement.ts";
import type { Market, ModelState, Position } from "../state.ts";
import { measureWithoutReserve } from "./withoutReserve.ts";

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

/** Who has equity, who has none, the house. */
function groupOf(position: Position): number {
  if (position.account.role === "house") return 2;
  return measureWithoutReserve(marginAccountOf(position)).equity > 0n ? 0 : 1;
}

/** dYdX goes round by account, each block from another one (LIQ-5). */
function rankBySequence(state: ModelState, opposite: readonly Position[]): Position[] {
  const count = state.accounts.length;
  const step = ({ account }: Position) => (account.id - (state.height % count) + count) % count;
  return opposite.toSorted((a, b) => groupOf(a) - groupOf(b) || step(a) - step(b));
}

/** perplab, hyperliquid: profit ratio by leverage. binance: profit in parts of cost by leverage, or over it where there is a loss. */
function scoreOf(position: Position): Score {
  const { market, size } = position;
  const cost = max(1n, abs(position.cost));
  const { equity } = measureWithoutReserve(marginAccountOf(position));
  const notional = notionalOf(market, size);
  if (market.parameters.liquidationPolicy === "binance") {
    const profit = (size > 0n ? notional : -notional) - position.cost;
    return profit >= 0n
      ? { over: profit * notional, under: cost * equity }
      : { over: profit * equity, under: cost * notional };
  }
  return size > 0n ? { over: notional * notional, under: cost * equity } : { over: cost, under: equity };
}

/** Crosswise; of those without equity, none has a score. */
function compareScores(a: Score, b: Score): number {
  const isNone = ({ under }: Score) => under <= 0n;
  if (isNone(a) || isNone(b)) return Number(isNone(b)) - Number(isNone(a));
  const difference = a.over * b.under - b.over * a.under;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
