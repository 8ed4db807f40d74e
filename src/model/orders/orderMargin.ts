import { positionOf } from "../accounts.ts";
import { abs, min } from "../arithmetic.ts";
import { feeOf } from "../fees/fees.ts";
import { feeRatesOf } from "../fees/volume.ts";
import { addFill, isNoWorse, lookAhead } from "../margin/afterFill.ts";
import { exposureIn, type Health, measureView, viewBucket } from "../margin/health.ts";
import { freeForFill } from "../margin/isolatedFill.ts";
import { valueAtTicks } from "../margin/requirement.ts";
import type { ModelState } from "../state.ts";
import { bestOf, crosses, opposite, signOf } from "./book.ts";
import { chargeOf } from "./charge.ts";
import type { Amended, OrderPlan } from "./checkOrder.ts";
import type { OrderRequest } from "./enterOrder.ts";

/** MRG-4, both halves: after the action the bucket meets its requirement, or is no worse than it was below it. */
export function meets(before: Health, after: Health): boolean {
  if (after.maintenance === 0n && after.equity < 0n) return false;
  if (after.equity >= after.required) return true;
  return before.equity < before.required && isNoWorse(before, after, "required");
}

/**
 * Whether an order's account carries it: with all of it resting, and, where it would trade at once, with all of it filled
 * at its limit price (MRG-3, decision 0003).
 */
export function checkOrderMargin(
  state: ModelState,
  request: OrderRequest,
  { lots, ticks, rests }: OrderPlan,
  amended: Amended | undefined,
): boolean {
  const { account, market, side, reduceOnly } = request;
  const position = positionOf(account, market);
  const sign = signOf(side);
  const best = bestOf(market, opposite(side));
  const takes = best !== undefined && crosses(side, ticks, best);
  const cross = { account, isolated: undefined };
  const before = measureView(viewBucket(cross));

  if (!reduceOnly && (rests || takes)) {
    const view = viewBucket(cross);
    const exposure = exposureIn(view, account, market);
    if (amended !== undefined && !amended.order.reduceOnly) {
      const bought = side === "buy";
      exposure.buys -= bought ? amended.order.remaining : 0n;
      exposure.sells -= bought ? 0n : amended.order.remaining;
      exposure.buyCharge -= bought ? amended.order.charge : 0n;
      exposure.sellCharge -= bought ? 0n : amended.order.charge;
    }
    const charge = chargeOf(state, account, market, side, lots, ticks);
    if (side === "buy") {
      exposure.buys += lots;
      exposure.buyCharge += charge;
    } else {
      exposure.sells += lots;
      exposure.sellCharge += charge;
    }
    if (!meets(before, measureView(view))) return false;
  }
  if (!takes) return true;
  const filled = reduceOnly ? min(lots, abs(position.size)) : lots;
  const value = sign * valueAtTicks(market, filled, ticks);
  const fee = feeOf(abs(value), feeRatesOf(state, account, market).taker);
  if (position.mode === "isolated") {
    const ahead = lookAhead(account, market, sign * filled, value, fee);
    if (ahead.moved > 0n && ahead.moved > freeForFill(position)) return false;
    return meets(ahead.before, ahead.after);
  }
  const view = viewBucket(cross);
  if (amended !== undefined && !amended.order.reduceOnly) {
    const exposure = exposureIn(view, account, market);
    if (side === "buy") {
      exposure.buys -= amended.order.remaining;
      exposure.buyCharge -= amended.order.charge;
    } else {
      exposure.sells -= amended.order.remaining;
      exposure.sellCharge -= amended.order.charge;
    }
  }
  addFill(view, account, market, sign * filled, value, fee);
  return meets(before, measureView(view));
}
