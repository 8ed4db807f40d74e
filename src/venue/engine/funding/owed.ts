import { differenceOfProducts, LIMIT, type Lots, mulDivFloor } from "../../../ground/math/fixed.ts";
import type { MarginTables } from "../state/marginTables.ts";
import type { PositionRow } from "../state/schema.ts";
import { BASE, computeIndexMove, computeIndexMoveBig } from "./cumulativeIndex.ts";

/** Scale of the cumulative funding index and of remainders: 1e-9 quote units. */
export const INDEX_SCALE = 1_000_000_000;

/** Unsettled funding that a position owes, in quote units; negative is to be received. */
export function getUnsettledFunding(state: MarginTables, position: PositionRow): number {
  const { positions, markets } = state;
  const market = positions.market[position];
  const high = markets.fundingHigh[market];
  const low = markets.fundingLow[market];
  const fromHigh = positions.fundingHigh[position];
  const fromLow = positions.fundingLow[position];
  if (high === fromHigh && low === fromLow) return 0;
  const signedLots = positions.signedLots[position];
  const remainder = positions.fundingRemainder[position];
  const payment = computeFundingPayment(signedLots, computeIndexMove(high, low, fromHigh, fromLow), remainder);
  if (payment <= LIMIT) return payment;
  const long = computeLongPayment(signedLots, high - fromHigh, low - fromLow, remainder);
  if (long <= LIMIT && long >= -LIMIT) return long;
  return Number(computeFundingPaymentBig(signedLots, computeIndexMoveBig(high, low, fromHigh, fromLow), remainder));
}

/** BASE of the index in units of INDEX_SCALE: whole ones, and the rest in 1e-9. */
const BASE_WHOLE = Math.floor(BASE / INDEX_SCALE);
const BASE_REST = BASE - BASE_WHOLE * INDEX_SCALE;

/**
 * As `computeFundingPayment`, for a move of some years, which may not be storable in 1e-9: whole quote units of a lot
 * are taken out of it first.
 *
 * @param high of the move, in BASE
 * @param low  the rest of it
 * @returns `NaN` or a number beyond what is storable where even that is too long
 */
export function computeLongPayment(signedLots: Lots, high: number, low: number, remainder: number): number {
  const whole = signedLots * high * BASE_WHOLE;
  const move = high * BASE_REST + low;
  if (!(Math.abs(whole) <= LIMIT && Math.abs(move) <= LIMIT)) return Number.NaN;
  return whole + computeFundingPayment(signedLots, move, remainder);
}

/**
 * Funding that a position owes for the move of the cumulative index since its last settlement (FND-3).
 *
 *     owed   = size * move - remainder           longs pay when positive
 *     payment = ceil(owed / INDEX_SCALE)
 *
 * @param signedLots      lots; positive is long
 * @param move      quote units per lot, in 1e-9
 * @param remainder excess of earlier settlements, 1e-9 quote units, below INDEX_SCALE
 * @returns quote units, negative is received; `NaN` beyond what is storable, see `computeFundingPaymentBig`
 *
 * Rounding: up, for payer and receiver alike; the surplus is carried (`computeFundingRemainder`), so that settling
 * every block and settling once charge the same. The market's funding pool takes the other side.
 */
export function computeFundingPayment(signedLots: Lots, move: number, remainder: number): number {
  const product = signedLots * move;
  // Up to 2^53 the product is exact, and so is the difference: remainders are below 1e9.
  if (product < LIMIT && product > -LIMIT) return 0 - Math.floor((remainder - product) / INDEX_SCALE);
  const whole = mulDivFloor(signedLots, move, INDEX_SCALE);
  return differenceOfProducts(signedLots, move, whole, INDEX_SCALE) > remainder ? whole + 1 : whole;
}

export function computeFundingPaymentBig(signedLots: Lots, move: bigint, remainder: number): bigint {
  const owed = BigInt(signedLots) * move - BigInt(remainder);
  const scale = BigInt(INDEX_SCALE);
  const quotient = owed / scale;
  return owed > 0n && quotient * scale !== owed ? quotient + 1n : quotient;
}

/** Excess of `payment` over the amount owed, in 1e-9 quote units: at least 0, below INDEX_SCALE. */
export function computeFundingRemainder(signedLots: Lots, move: bigint, remainder: number, payment: number): number {
  return Number(BigInt(payment) * BigInt(INDEX_SCALE) - BigInt(signedLots) * move + BigInt(remainder));
}
