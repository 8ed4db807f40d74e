import type { Amount } from "../../math/fixed.ts";
import type { PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { computeFundingCharge, computeFundingRemainder } from "./owed.ts";
import { addToPool } from "./pool.ts";

/** Pays or receives what a position owes in funding, before its size changes (FND-3). */
export function settleFunding(state: State, position: PositionRow): void {
  const { positions, markets } = state;
  const market = positions.market[position];
  const index = markets.fundingIndex[market];
  const delta = BigInt.asIntN(64, index - positions.fundingEntry[position]);
  if (delta === 0n) return;
  const size = positions.size[position];
  const account = positions.account[position];
  const remainder = positions.fundingRemainder[position];
  const charge = computeFundingCharge(size, delta, remainder);
  positions.fundingEntry[position] = index;
  positions.fundingRemainder[position] = computeFundingRemainder(size, delta, remainder, charge);
  const collateral = (state.accounts.collateral[account] - charge) as Amount;
  state.accounts.collateral[account] = collateral;
  addToPool(state, market, charge as Amount);
  state.events.fundingSettled({
    account,
    market,
    charge,
    collateral,
    fundingHigh: highHalf(index),
    fundingLow: lowHalf(index),
    fundingRemainder: positions.fundingRemainder[position],
  });
}

/** Halves of a signed 64-bit integer as numbers, for events: value = high * 2^32 + low. */
export function highHalf(value: bigint): number {
  return Number(value >> 32n);
}

export function lowHalf(value: bigint): number {
  return Number(value & 0xffffffffn);
}
