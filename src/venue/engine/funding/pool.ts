import type { Amount } from "../../../ground/math/fixed.ts";
import type { MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

const BASE = 2 ** 52;

/**
 * A market's funding pool: payments collected less payments made (POS-4). It is a sum over accounts and kept as two
 * doubles, high * 2^52 + low.
 */
export function addToPool(state: State, market: MarketRow, amount: Amount): void {
  const { markets } = state;
  // Split first: the low half and a whole amount together may pass 2^53.
  const high = Math.trunc(amount / BASE);
  let low = markets.poolLow[market] + (amount - high * BASE);
  let carry = high;
  if (low >= BASE || low <= -BASE) {
    const step = low > 0 ? 1 : -1;
    carry += step;
    low -= step * BASE;
  }
  markets.poolHigh[market] += carry;
  markets.poolLow[market] = low + 0;
}

export function getPool(state: State, market: MarketRow): bigint {
  return BigInt(state.markets.poolHigh[market]) * BigInt(BASE) + BigInt(state.markets.poolLow[market]);
}

/** Puts a pool back, in the one form that a canonical state gives it. */
export function setPool(state: State, market: MarketRow, pool: bigint): void {
  const { markets } = state;
  markets.poolHigh[market] = Number(pool / BigInt(BASE));
  markets.poolLow[market] = Number(pool % BigInt(BASE));
}

/** At zero open interest no account has a claim: the pool goes to the market's dust account (POS-4). */
export function sweepPool(state: State, market: MarketRow): void {
  const { markets } = state;
  if (markets.openInterest[market] !== 0 || (markets.poolHigh[market] === 0 && markets.poolLow[market] === 0)) return;
  const pool = Number(getPool(state, market));
  markets.dust[market] = (markets.dust[market] + pool) as Amount;
  markets.poolHigh[market] = 0;
  markets.poolLow[market] = 0;
  state.events.dustChanged({ market, delta: pool });
}
