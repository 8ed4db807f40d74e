import { type Amount, mulDivFloor, PPM } from "../../../ground/math/fixed.ts";
import { BALANCE_CAUSE, INSURANCE_CAUSE } from "../../../protocol/events.ts";
import { SIDE } from "../../../protocol/words.ts";
import { changeBalance, fundInsurance, payFromInsurance } from "../insurance/insurance.ts";
import { getInsuranceRoom } from "../insurance/insuranceCaps.ts";
import { marginAccountOf } from "../state/marginAccount.ts";
import type { State } from "../state/state.ts";
import type { LiquidationTerms, Taker } from "./taker.ts";

/**
 * Lots of a fill beyond the bankruptcy price that the fund may pay for (LIQ-4). It pays exactly the value at the
 * bankruptcy price less the fill value, within its caps, and never goes below zero.
 *
 * @param lots  lots of the fill
 * @param perLot value of a lot at the fill's price
 */
export function capInsuredLots(
  state: State,
  taker: Taker,
  terms: LiquidationTerms,
  lots: number,
  perLot: number,
): number {
  const { bankruptcy } = terms;
  if (!terms.insured || bankruptcy === undefined) return lots;
  const shortfall = (lots: number) => bankruptcy.peek(lots) - computeCash(taker, lots, perLot);
  const missing = shortfall(lots);
  if (missing <= 0n) return lots;
  const room = getInsuranceRoom(state, taker.account, taker.market);
  if (missing <= room) return lots;
  // The shortfall grows with the lots, by rounding steps of one unit at most: the largest that fits, by halving.
  let fits = 0;
  let exceeds = lots;
  while (exceeds - fits > 1) {
    const middle = Math.floor((fits + exceeds) / 2);
    if (shortfall(middle) <= room) fits = middle;
    else exceeds = middle;
  }
  return fits;
}

/** Cash that the liquidated account receives for lots at a price: negative where it buys. */
function computeCash(taker: Taker, lots: number, perLot: number): bigint {
  const value = BigInt(lots) * BigInt(perLot);
  return taker.side === SIDE.sell ? value : -value;
}

/**
 * Fee of a liquidation fill that fetched more than its bankruptcy value (LIQ-2), quote units. It is a rate of its
 * value, rounded down, and at most the excess over that value.
 *
 * @param above cash above the slice of the bankruptcy value, above 0
 * @param paid  value of the fill, any sign
 * @param rate  ppm
 */
export function computeLiquidationFee(above: bigint, paid: number, rate: number): Amount {
  const most = mulDivFloor(Math.abs(paid), rate, PPM);
  return (above < BigInt(most) ? Number(above) : most) as Amount;
}

/**
 * Settles a liquidation fill. The proceeds above the bankruptcy price pay the liquidation fee, at most a rate of the
 * fill's value, to the fund. If the order is insured, the fund pays the shortfall below the bankruptcy price.
 */
export function settleLiquidationFill(
  state: State,
  taker: Taker,
  terms: LiquidationTerms,
  lots: number,
  paid: number,
): void {
  const { bankruptcy } = terms;
  if (bankruptcy === undefined) return;
  const isolated = marginAccountOf(state, taker.position);
  const above = -BigInt(paid) - bankruptcy.peek(lots);
  bankruptcy.take(lots);
  if (above > 0n) {
    const fee = computeLiquidationFee(above, paid, terms.fee);
    if (fee === 0) return;
    changeBalance(state, taker.account, (0 - fee) as Amount, BALANCE_CAUSE.liquidationFee, isolated);
    fundInsurance(state, fee, INSURANCE_CAUSE.liquidationFee, taker.market, taker.account);
  } else if (above < 0n && terms.insured) {
    payFromInsurance(state, taker.account, isolated, Number(-above) as Amount, INSURANCE_CAUSE.cover, taker.market);
  }
}
