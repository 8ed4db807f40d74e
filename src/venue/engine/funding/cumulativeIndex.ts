import { LIMIT } from "../../../ground/math/fixed.ts";
import type { MarketRow, Markets } from "../state/schema.ts";

/**
 * The cumulative funding index of a market: what one lot has paid since the start, in 1e-9 quote units, a signed 84-bit
 * integer. It is kept as two doubles,
 *
 *     index = high * 2^32 + low,  0 <= low < 2^32
 *
 * so that the hot path takes differences without big integers. It wraps at 84 bits. Differences stay right if a
 * position is settled before the index has moved by 2^83, which is more than a lot can owe (NUM-3). A lot of one BTC
 * pays 2^63 in some months.
 */
export const BASE = 4_294_967_296;
const BITS = 84;

/** -HIGH_MOST <= high < HIGH_MOST */
const HIGH_MOST = Number(1n << BigInt(BITS - 33));

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

/** Moves the index of a market. @param delta storable */
export function moveIndex(markets: Markets, market: MarketRow, delta: number): void {
  const sum = markets.fundingLow[market] + delta;
  const carry = Math.floor(sum / BASE);
  let high = markets.fundingHigh[market] + carry;
  if (high >= HIGH_MOST) high -= 2 * HIGH_MOST;
  else if (high < -HIGH_MOST) high += 2 * HIGH_MOST;
  markets.fundingHigh[market] = high;
  markets.fundingLow[market] = sum - carry * BASE;
}

/** As `moveIndex`, for a move of any size. */
export function moveIndexBig(markets: Markets, market: MarketRow, delta: bigint): void {
  const index = wrapIndex(joinIndex(markets.fundingHigh[market], markets.fundingLow[market]) + delta);
  markets.fundingHigh[market] = highOf(index);
  markets.fundingLow[market] = lowOf(index);
}

/** How far the index moved, 1e-9 quote units per lot; `NaN` beyond what is storable, see `computeIndexMoveBig`. */
export function computeIndexMove(high: number, low: number, fromHigh: number, fromLow: number): number {
  const move = (high - fromHigh) * BASE + (low - fromLow);
  return move <= LIMIT && move >= -LIMIT ? move : Number.NaN;
}

export function computeIndexMoveBig(high: number, low: number, fromHigh: number, fromLow: number): bigint {
  return wrapIndex(joinIndex(high, low) - joinIndex(fromHigh, fromLow));
}
