import { positionsOf } from "../accounts.ts";
import { abs } from "../arithmetic.ts";
import { emit } from "../emitted.ts";
import { marginAccountOf, openPositionsOf } from "../margin/health.ts";
import { notionalOf, valueAt } from "../margin/valuation.ts";
import { bestOf, crosses } from "../orders/book.ts";
import { removeOrder } from "../orders/removeOrder.ts";
import type { Account, ModelState, Order, Position } from "../state.ts";
import { PPM } from "../words.ts";
import { computeSlippedTicks } from "./bankruptcyValue.ts";
import { ordersAddingTo } from "./cancelRisk.ts";
import { startChunk } from "./chunk.ts";
import { closeAgainst } from "./closeAgainst.ts";
import type { Part, Pass } from "./liquidationStep.ts";
import { emitStage } from "./record.ts";
import { greatest, sendIntoBook } from "./sendOrder.ts";
import { measureAboveWith } from "./withoutReserve.ts";

export function backstopsOf(state: ModelState): Account[] {
  return state.accounts.filter(({ role }) => role === "backstop");
}

/**
 * Backstops take over the remaining lots at the bankruptcy price, by account id. Each takes as many lots as leave it at
 * its initial margin with orders, unless that price is beyond the oracle price (LIQ-3). Returns whether any backstop
 * did.
 */
export function takeOver(state: ModelState, { position, bankruptcy }: Part): boolean {
  const { market, account } = position;
  if (isBeyondOracle(position, bankruptcy.peek(abs(position.signedLots)))) return false;
  let taken = false;
  const marginAccount = marginAccountOf(position);
  for (const backstop of backstopsOf(state)) {
    if (position.signedLots === 0n) break;
    if (backstop === account) continue;
    const sign = position.signedLots > 0n ? 1n : -1n;
    const lots = greatest(abs(position.signedLots), (some) => {
      const { after } = measureAboveWith(backstop, market, sign * some, bankruptcy.peek(some));
      return after.equity >= after.required;
    });
    if (lots === 0n) continue;
    if (!taken) emitStage(state, marginAccount, "backstop", market.ordinal, position.cooldownMs);
    taken = true;
    if (closeAgainst(state, position, backstop, lots, bankruptcy.peek(lots), "takeover")) bankruptcy.take(lots);
  }
  return taken;
}

/** Whether a position costs more than its value at the raw oracle price, by more than a share of that value (LIQ-3). */
function isBeyondOracle({ market, signedLots }: Position, cost: bigint): boolean {
  if (market.oracle === 0n) return false;
  const worth = valueAt(market, signedLots, market.oracle);
  return (cost - worth) * PPM > abs(worth) * market.parameters.takeoverDistance;
}

/**
 * A backstop sends its positions back to the book in chunks, no further from the mark than `insuranceSlippage`. If the
 * book offers nothing within that, nothing happens. First it cancels its orders that would add to a position (LIQ-3).
 */
export function unwind(
  state: ModelState,
  pass: Pass,
  backstop: Account,
  mayClose: (position: Position) => boolean,
): void {
  let sent = false;
  for (const position of openPositionsOf({ account: backstop, isolated: undefined })) {
    const { market, signedLots } = position;
    const { tickSize, insuranceSlippage, liquidationWhole } = market.parameters;
    if (!mayClose(position) || position.cooldownMs > state.timeMs) continue;
    const sells = signedLots > 0n;
    const limit = computeSlippedTicks(market.mark, tickSize, sells, insuranceSlippage);
    const best = bestOf(market, sells ? "buy" : "sell");
    if (best === undefined || !crosses(sells ? "sell" : "buy", limit, best)) continue;
    if (!sent) for (const order of ordersThatAdd(backstop)) removeOrder(state, order, "liquidation");
    sent = true;
    const lots = startChunk(state, position, notionalOf(market, signedLots) <= liquidationWhole);
    const record = pass.nextRecord;
    const names = { liquidation: record, account: backstop.id, market: market.ordinal };
    emit(state, "backstopUnwound", { ...names, lots, cooldownMs: position.cooldownMs });
    sendIntoBook(state, position, lots, limit, { record, mostLots: (most) => most, afterFill: () => {} });
  }
  // The steps by which a backstop unwinds in a block are numbered as records are.
  if (sent) pass.nextRecord++;
}

/** Orders of all markets that could add to a position. */
function ordersThatAdd(account: Account): Order[] {
  return positionsOf(account).flatMap((position) => ordersAddingTo(position));
}
