/** `measure` and `measureIsolated` in integers of any size, for margin accounts whose numbers exceed a `number`. */
import { NONE } from "../../../ground/collections/table.ts";
import type { Amount, Lots } from "../../../ground/math/fixed.ts";
import { MARGIN_MODE } from "../../../protocol/words.ts";
import { computeIndexMoveBig } from "../funding/cumulativeIndex.ts";
import { computeFundingPaymentBig } from "../funding/owed.ts";
import type { Health } from "../state/health.ts";
import type { MarginTables } from "../state/marginTables.ts";
import type { AccountRow, PositionRow } from "../state/schema.ts";
import {
  computeInitialBig,
  computeMaintenanceBig,
  computeMarkedValueBig,
  computeNotionalBig,
} from "../valuation/notional.ts";

export function measureCrossBig(state: MarginTables, account: AccountRow, health: Health): void {
  clear(health, BigInt(state.accounts.collateral[account]));
  const { positions } = state;
  for (let at = state.accounts.position[account]; at !== NONE; at = positions.next[at]) {
    const worse = getWorseInitialBig(state, at);
    if (positions.mode[at] === MARGIN_MODE.cross) {
      addPosition(state, at, health);
      health.bigInitial += worse;
    } else {
      health.bigInitial += worse - getInitialBig(state, at, positions.signedLots[at]);
    }
  }
}

export function measureIsolatedBig(state: MarginTables, position: PositionRow, health: Health): void {
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

/** Unrealized PnL of a position at the mark, less its unsettled funding, of any magnitude. */
export function computeGainBig({ positions, markets, parameters }: MarginTables, at: PositionRow): bigint {
  const market = positions.market[at];
  const move = computeIndexMoveBig(
    markets.fundingHigh[market],
    markets.fundingLow[market],
    positions.fundingHigh[at],
    positions.fundingLow[at],
  );
  const value = computeMarkedValueBig(parameters[market]!, positions.signedLots[at], markets.mark[market]);
  return (
    value -
    BigInt(positions.cost[at]) -
    computeFundingPaymentBig(positions.signedLots[at], move, positions.fundingRemainder[at])
  );
}

/** Adds a position to everything but the initial margin with orders. */
function addPosition(state: MarginTables, at: PositionRow, health: Health): void {
  const { positions, markets } = state;
  const market = positions.market[at];
  const rules = state.parameters[market]!;
  const mark = markets.mark[market];
  const signedLots = positions.signedLots[at];
  const notional = computeNotionalBig(rules, signedLots, mark);
  const gain = computeGainBig(state, at);
  health.bigEquity += gain;
  if (gain < 0n) health.bigLosses += gain;
  health.bigNotional += notional;
  health.bigMaintenance += computeMaintenanceBig(rules, notional);
  health.bigPositionInitial += getInitialBig(state, at, signedLots);
}

/** Initial margin of a position's market at an exposure. */
function getInitialBig(state: MarginTables, at: PositionRow, exposure: Lots): bigint {
  const market = state.positions.market[at];
  const rules = state.parameters[market]!;
  const notional = computeNotionalBig(rules, exposure, state.markets.mark[market]);
  return computeInitialBig(rules, notional, state.positions.leverage[at], state.markets.initialRate[market]);
}

function getWorseInitialBig(state: MarginTables, at: PositionRow): bigint {
  const { positions } = state;
  const side = (exposure: number, orderCost: Amount) => getInitialBig(state, at, exposure as Lots) + BigInt(orderCost);
  const buy = side(positions.signedLots[at] + positions.buys[at], positions.buyOrderCost[at]);
  const sell = side(positions.signedLots[at] - positions.sells[at], positions.sellOrderCost[at]);
  return buy > sell ? buy : sell;
}
