import type { Amount } from "../../../ground/math/fixed.ts";
import { keepPosition } from "../state/journalRows.ts";
import { addCollateral, marginAccountOf } from "../state/marginAccount.ts";
import type { PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { computeIndexMoveBig } from "./cumulativeIndex.ts";
import { computeFundingRemainder, getUnsettledFunding } from "./owed.ts";
import { addToPool } from "./pool.ts";

/** Settles the funding of a position with its margin account, before its size changes (FND-3). */
export function settleFunding(state: State, position: PositionRow): void {
  const { positions, markets } = state;
  // The funding index of a flat position is not state: it is set again when the position opens.
  if (positions.signedLots[position] === 0) return;
  const market = positions.market[position];
  const high = markets.fundingHigh[market];
  const low = markets.fundingLow[market];
  const fromHigh = positions.fundingHigh[position];
  const fromLow = positions.fundingLow[position];
  if (high === fromHigh && low === fromLow) return;
  keepPosition(state, position);
  const signedLots = positions.signedLots[position];
  const account = positions.account[position];
  const remainder = positions.fundingRemainder[position];
  const payment = getUnsettledFunding(state, position);
  const move = computeIndexMoveBig(high, low, fromHigh, fromLow);
  positions.fundingHigh[position] = high;
  positions.fundingLow[position] = low;
  positions.fundingRemainder[position] = computeFundingRemainder(signedLots, move, remainder, payment);
  const collateral = addCollateral(state, account, marginAccountOf(state, position), -payment);
  addToPool(state, market, payment as Amount);
  state.events.fundingSettled({
    account,
    market,
    payment,
    collateral,
    fundingHigh: high,
    fundingLow: low,
    fundingRemainder: positions.fundingRemainder[position],
  });
}
