import { abs, min } from "../arithmetic.ts";
import { valueAt } from "../margin/requirement.ts";
import { removeOrder } from "../orders/removeOrder.ts";
import type { Account, ModelState, Position } from "../state.ts";
import { lookAbove } from "./above.ts";
import { cancelRiskIncreasing } from "./cancelRisk.ts";
import { closeAgainst } from "./closeAgainst.ts";
import type { Part } from "./part.ts";
import { greatest, sendIntoBook } from "./sendOrder.ts";
import { computeChunk, computeSlippedTicks } from "./zeroValue.ts";

export function backstopsOf(state: ModelState): Account[] {
  return state.accounts.filter(({ role }) => role === "backstop");
}

/** Backstops take what is left at the zero price, by account id, as far as each stays at its initial requirement (LIQ-3). */
export function takeOver(state: ModelState, { position, zero }: Part): void {
  const { market, account } = position;
  for (const backstop of backstopsOf(state)) {
    if (position.size === 0n) return;
    if (backstop === account) continue;
    const sign = position.size > 0n ? 1n : -1n;
    const lots = greatest(abs(position.size), (some) => {
      const { after } = lookAbove(backstop, market, sign * some, zero.peek(some));
      return after.equity >= after.initial;
    });
    if (lots > 0n) closeAgainst(state, position, backstop, lots, zero.take(lots));
  }
}

/** A backstop sells what it holds into the book, no further from the mark than the fund's slippage, in chunks (LIQ-3). */
export function unwind(state: ModelState, position: Position): void {
  const { market, size } = position;
  const { tickSize, insuranceSlippage, liquidationWhole, liquidationChunk, liquidationCooldown } = market.parameters;
  if (position.cooldownMs > state.timeMs) return;
  const whole = abs(valueAt(market, size, market.mark)) <= liquidationWhole;
  const lots = whole ? abs(size) : min(abs(size), computeChunk(size, liquidationChunk));
  const limit = computeSlippedTicks(market.mark, tickSize, size > 0n, insuranceSlippage);
  for (const order of cancelRiskIncreasing(position)) removeOrder(state, order);
  const filled = sendIntoBook(state, position, lots, limit, { mostLots: (most) => most, afterFill: () => {} });
  if (filled > 0n && !whole) position.cooldownMs = state.timeMs + liquidationCooldown;
}
