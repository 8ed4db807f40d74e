import { LIMIT } from "../../../ground/math/fixed.ts";

/**
 * The cumulative funding index of a market: what one lot has paid since the start, in 1e-9 quote units, a signed 84-bit
 * integer. It is kept as two doubles,
 *
 *     index = high * 2^32 + low,  0 <= low < 2^32
 *
 * so that the hot path takes differences without big integers. It wraps at 84 bits; differences stay right as long as a
 * position is settled before the index has moved by 2^83, which is more than a lot can owe (NUM-3): a lot of one BTC pays
 * 2^63 in some months.
 */
const BASE = 4_294_967_296;
const BITS = 84;

/** The index for a sum. */
export function wrapIndex(sum: bigint): bigint {
  return BigInt.asIntN(BITS, sum);
}

export function joinIndex(high: number, low: number): bigint {
  return (BigInt(high) << 32n) + BigInt(low);
}

export function highOf(index: bigint): number {
  return Number(index >> 32n);
}

export function lowOf(index: bigint): number {
  return Number(index & 0xffffffffn);
}

/** How far the index moved, 1e-9 quote units per lot; `NaN` beyond what is storable, see `computeIndexMoveBig`. */
export function computeIndexMove(high: number, low: number, fromHigh: number, fromLow: number): number {
  const move = (high - fromHigh) * BASE + (low - fromLow);
  return move <= LIMIT && move >= -LIMIT ? move : Number.NaN;
}

export function computeIndexMoveBig(high: number, low: number, fromHigh: number, fromLow: number): bigint {
  return wrapIndex(joinIndex(high, low) - joinIndex(fromHigh, fromLow));
}
