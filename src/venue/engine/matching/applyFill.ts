import { NONE } from "../../../ground/collections/table.ts";
import { type Amount, LIMIT, type Lots, type TimeMs } from "../../../ground/math/fixed.ts";
import { settleFunding } from "../funding/settle.ts";
import { followPositionEnd } from "../intents/followOrders.ts";
import { keepPosition } from "../state/journalRows.ts";
import { addCollateral, marginAccountOf } from "../state/marginAccount.ts";
import type { PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { computeRealized } from "../valuation/realized.ts";

/**
 * Changes a position by a fill or a close, and its margin account's collateral by the realised PnL, less a fee (POS-2,
 * `computeRealized`).
 *
 * @param lots  signed: positive buys
 * @param value signed quote units paid: positive for a buy at a positive price
 * @param fee   taken from collateral; negative for a rebate
 * @returns     realised PnL, fee not counted
 */
export function applyFill(state: State, position: PositionRow, lots: Lots, value: Amount, fee: Amount): number {
  keepPosition(state, position);
  settleFunding(state, position);
  const { positions, accounts, markets, risk } = state;
  if (risk.recording && !risk.sizesBefore.has(position)) risk.sizesBefore.set(position, positions.signedLots[position]);
  const market = positions.market[position];
  const account = positions.account[position];
  const signedLots = positions.signedLots[position];
  const cost = positions.cost[position];
  const realized = computeRealized(signedLots, cost, lots, value);
  const nextCost = cost + value + realized;
  let nextSignedLots = (signedLots + lots) as Lots;
  if (signedLots === 0) {
    positions.fundingHigh[position] = markets.fundingHigh[market];
    positions.fundingLow[position] = markets.fundingLow[market];
    positions.fundingRemainder[position] = 0;
  } else if (nextSignedLots === 0 || nextSignedLots > 0 !== signedLots > 0) {
    positions.fundingRemainder[position] = 0;
  }
  if (nextSignedLots === 0) {
    positions.cooldown[position] = 0 as TimeMs;
    nextSignedLots = 0 as Lots; // not -0
  }
  positions.signedLots[position] = nextSignedLots;
  positions.cost[position] = (nextCost + 0) as Amount;
  const collateral = addCollateral(state, account, marginAccountOf(state, position), realized - fee);
  const longBefore = signedLots > 0 ? signedLots : 0;
  const longAfter = nextSignedLots > 0 ? nextSignedLots : 0;
  markets.openInterest[market] = (markets.openInterest[market] + longAfter - longBefore) as Lots;
  risk.markDirty(accounts, account);
  // Fields that start as `NaN` are doubles: whole numbers of columns would discard compiled code again and again.
  const changed = {
    account,
    market,
    size: Number.NaN,
    cost: Number.NaN,
    fundingHigh: Number.NaN,
    fundingLow: Number.NaN,
    fundingRemainder: Number.NaN,
    realized: Number.NaN,
    collateral: Number.NaN,
  };
  changed.size = nextSignedLots;
  changed.cost = nextCost;
  changed.fundingHigh = positions.fundingHigh[position];
  changed.fundingLow = positions.fundingLow[position];
  changed.fundingRemainder = positions.fundingRemainder[position];
  changed.realized = realized;
  changed.collateral = collateral;
  state.events.positionChanged(changed);
  if (
    accounts.intents[account] !== NONE &&
    signedLots !== 0 &&
    (nextSignedLots === 0 || nextSignedLots > 0 !== signedLots > 0)
  ) {
    followPositionEnd(state, account, market, signedLots);
  }
  return realized;
}

/**
 * Whether a fill leaves every stored number of a position and its margin accounts storable (NUM-3). This includes the
 * rest of an isolated margin account that returns to cross.
 *
 * @param lots  signed size of the fill
 * @param value signed quote units paid
 */
export function fitsLimits(state: State, position: PositionRow, lots: Lots, value: Amount): boolean {
  const { positions, accounts } = state;
  const signedLots = positions.signedLots[position] + lots;
  const cost = Math.abs(positions.cost[position]) + Math.abs(value);
  // What may be realised is at most cost released plus value; fees are below the value.
  const collateral = Math.abs(accounts.collateral[positions.account[position]]);
  return (
    signedLots <= LIMIT &&
    signedLots >= -LIMIT &&
    cost <= LIMIT / 2 &&
    collateral + Math.abs(positions.isolated[position]) + 2 * cost <= LIMIT
  );
}
