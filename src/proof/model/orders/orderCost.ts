import { abs, max } from "../arithmetic.ts";
import { feeOf } from "../fees/fees.ts";
import { feeRatesOf } from "../fees/volume.ts";
import { valueAt, valueAtTicks } from "../margin/valuation.ts";
import type { Account, Market, ModelState, Side } from "../state.ts";
import { signOf } from "./book.ts";

/**
 * The cost of an order when it enters (MRG-3): its immediate loss against the mark, and the taker fee, both rounded up.
 * Reduce-only orders have none.
 */
export function orderCostOf(
  state: ModelState,
  account: Account,
  market: Market,
  side: Side,
  lots: bigint,
  ticks: bigint,
): bigint {
  const value = signOf(side) * valueAtTicks(market, lots, ticks);
  const loss = value - valueAt(market, signOf(side) * lots, market.mark);
  return max(0n, loss) + feeOf(abs(value), feeRatesOf(state, account, market).taker);
}
