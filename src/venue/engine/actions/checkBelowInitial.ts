import { compareProducts } from "../../../ground/math/fixed.ts";
import { type Rejection, reject } from "../handler/defineHandler.ts";
import type { Health } from "../state/health.ts";

/** State of a margin account after an order at its worst price, in quote units (MRG-4). */
export interface OrderStates {
  /** Loss against the mark and taker fee of all of it. */
  readonly orderCost: number;
  /** Initial margin with orders while all of it rests; undefined for an order that reserves nothing. */
  readonly requiredResting: number | undefined;
  /** Initial margin with the other orders once all of it has filled. */
  readonly requiredFilled: number;
  readonly maintenanceFilled: number;
}

/**
 * Whether an account below its initial margin may place an order that reduces, closes or turns its position (MRG-4).
 * Resting whole and filled whole, neither initial nor maintenance margin is greater than before, and filled whole
 * equity / maintenance is no smaller. With equity >= 0 the same then holds for every part that fills (decision 0023).
 *
 * @param before the account with all of its orders; its sums are storable
 */
export function checkBelowInitial(before: Health, states: OrderStates): Rejection | undefined {
  const { equity, initial, maintenance } = before;
  const { orderCost, requiredResting, requiredFilled, maintenanceFilled } = states;
  const equityFilled = equity - orderCost;
  const kept =
    equity >= 0 &&
    (requiredResting === undefined || requiredResting <= initial) &&
    requiredFilled <= initial &&
    maintenanceFilled <= maintenance &&
    equityFilled >= 0 &&
    compareProducts(equityFilled, maintenance, equity, maintenanceFilled) >= 0;
  if (kept) return undefined;
  return reject("INSUFFICIENT_MARGIN", {
    equity,
    required: initial,
    maintenance,
    orderCost,
    ...(requiredResting === undefined ? undefined : { requiredResting }),
    equityFilled,
    requiredFilled,
    maintenanceFilled,
  });
}
