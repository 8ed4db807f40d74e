import type { Amount } from "../../math/fixed.ts";
import type { MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

const BASE = 2 ** 52;

/**
 * A market's funding pool: what was collected less what was paid out (POS-4). A sum over accounts, so two doubles,
 * high * 2^52 + low.
 */
export function addToPool(state: State, market: MarketRow, amount: Amount): void {
  const { markets } = state;
  let low = markets.poolLow[market] + amount;
  if (low >= BASE || low <= -BASE) {
    const carry = Math.trunc(low / BASE);
    markets.poolHigh[market] += carry;
    low -= carry * BASE;
  }
  markets.poolLow[market] = low + 0;
}

export function getPool(state: State, market: MarketRow): bigint {
  return BigInt(state.markets.poolHigh[market]) * BigInt(BASE) + BigInt(state.markets.poolLow[market]);
}

/** At zero open interest nobody has a claim: the pool goes to the market's dust account (POS-4). */
export function sweepPool(state: State, market: MarketRow): void {
  const { markets } = state;
  if (markets.openInterest[market] !== 0 || (markets.poolHigh[market] === 0 && markets.poolLow[market] === 0)) return;
  const pool = Number(getPool(state, market));
  markets.dust[market] = (markets.dust[market] + pool) as Amount;
  markets.poolHigh[market] = 0;
  markets.poolLow[market] = 0;
  state.events.dustChanged({ market, delta: pool });
}
