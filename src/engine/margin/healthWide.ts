/** `measure` and `measureIsolated` in integers of any size, for buckets whose numbers pass what a `number` holds. */
import { NONE } from "../../collections/table.ts";
import type { Amount, Lots } from "../../math/fixed.ts";
import { MARGIN_MODE } from "../../protocol/words.ts";
import { computeIndexMoveWide } from "../funding/cumulativeIndex.ts";
import { computeFundingChargeWide } from "../funding/owed.ts";
import type { AccountRow, PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import type { Health } from "./health.ts";
import { computeInitialWide, computeMaintenanceWide, computeMarkedValueWide, computeNotionalWide } from "./notional.ts";

export function measureCrossWide(state: State, account: AccountRow, health: Health): void {
  clear(health, BigInt(state.accounts.collateral[account]));
  const { positions } = state;
  for (let at = state.accounts.position[account]; at !== NONE; at = positions.next[at]) {
    const worse = getWorseInitialWide(state, at);
    if (positions.mode[at] === MARGIN_MODE.cross) {
      addPosition(state, at, health);
      health.bigInitial += worse;
    } else {
      health.bigInitial += worse - getInitialWide(state, at, positions.size[at]);
    }
  }
}

export function measureIsolatedWide(state: State, position: PositionRow, health: Health): void {
  clear(health, BigInt(state.positions.isolated[position]));
  addPosition(state, position, health);
  health.bigInitial = health.bigPositionInitial;
}

function clear(health: Health, collateral: bigint): void {
  health.bigEquity = collateral;
  health.bigMaintenance = 0n;
  health.bigPositionInitial = 0n;
  health.bigInitial = 0n;
  health.bigNotional = 0n;
  health.bigLosses = 0n;
}

/** Adds a position to everything but the initial requirement with orders. */
function addPosition(state: State, at: PositionRow, health: Health): void {
  const { positions, markets } = state;
  const market = positions.market[at];
  const rules = state.parameters[market]!;
  const mark = markets.mark[market];
  const size = positions.size[at];
  const move = computeIndexMoveWide(
    markets.fundingHigh[market],
    markets.fundingLow[market],
    positions.fundingHigh[at],
    positions.fundingLow[at],
  );
  const notional = computeNotionalWide(rules, size, mark);
  const gain =
    computeMarkedValueWide(rules, size, mark) -
    BigInt(positions.cost[at]) -
    computeFundingChargeWide(size, move, positions.fundingRemainder[at]);
  health.bigEquity += gain;
  if (gain < 0n) health.bigLosses += gain;
  health.bigNotional += notional;
  health.bigMaintenance += computeMaintenanceWide(rules, notional);
  health.bigPositionInitial += getInitialWide(state, at, size);
}

/** Initial requirement of a position's market at an exposure. */
function getInitialWide(state: State, at: PositionRow, exposure: Lots): bigint {
  const market = state.positions.market[at];
  const rules = state.parameters[market]!;
  const notional = computeNotionalWide(rules, exposure, state.markets.mark[market]);
  return computeInitialWide(rules, notional, state.positions.leverage[at], state.markets.initialRate[market]);
}

function getWorseInitialWide(state: State, at: PositionRow): bigint {
  const { positions } = state;
  const side = (exposure: number, charge: Amount) => getInitialWide(state, at, exposure as Lots) + BigInt(charge);
  const buy = side(positions.size[at] + positions.buys[at], positions.buyCharge[at]);
  const sell = side(positions.size[at] - positions.sells[at], positions.sellCharge[at]);
  return buy > sell ? buy : sell;
}
