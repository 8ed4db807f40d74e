import { NONE } from "../../collections/table.ts";
import { type Amount, compareProducts, LIMIT, type Lots } from "../../math/fixed.ts";
import { computeFundingCharge, computeFundingChargeWide } from "../funding/owed.ts";
import type { AccountRow, PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import {
  computeInitial,
  computeInitialWide,
  computeMaintenance,
  computeMaintenanceWide,
  computeMarkedValue,
  computeMarkedValueWide,
  computeNotional,
  computeNotionalWide,
} from "./notional.ts";

/**
 * Equity and requirements of a cross bucket (MRG). In quote units; where any of them is beyond what a `number` holds
 * exactly, `wide` is set and the big fields stand.
 */
export class Health {
  equity = 0;
  /** Maintenance requirement of the open positions. */
  maintenance = 0;
  /** Initial requirement of the open positions, resting orders not counted. */
  positionInitial = 0;
  /** Initial requirement with resting orders (MRG-3). */
  initial = 0;
  /** Notional of the open positions. */
  notional = 0;
  /** Sum of min(0, unrealised PnL + unsettled funding) over positions (MRG-5). */
  losses = 0;
  wide = false;
  bigEquity = 0n;
  bigMaintenance = 0n;
  bigPositionInitial = 0n;
  bigInitial = 0n;
  bigNotional = 0n;
  bigLosses = 0n;
}

/** What a position owes in unsettled funding, in quote units; negative is to be received. */
export function getUnsettledFunding(state: State, position: PositionRow): number {
  const { positions, markets } = state;
  const delta = markets.fundingIndex[positions.market[position]] - positions.fundingEntry[position];
  return computeFundingCharge(positions.size[position], BigInt.asIntN(64, delta), positions.fundingRemainder[position]);
}

/**
 * Measures an account's cross bucket into `state.health` and returns it. The result is overwritten by the next call.
 * Cost: once per position of the account.
 */
export function measure(state: State, account: AccountRow): Health {
  const { positions, markets, parameters, health } = state;
  let equity: number = state.accounts.collateral[account];
  let maintenance = 0;
  let positionInitial = 0;
  let initial = 0;
  let notionals = 0;
  let losses = 0;
  for (let at = state.accounts.position[account]; at !== NONE; at = positions.next[at]) {
    const market = positions.market[at];
    const rules = parameters[market]!;
    const mark = markets.mark[market];
    const size = positions.size[at];
    const leverage = positions.leverage[at];
    if (size !== 0) {
      const notional = computeNotional(rules, size, mark);
      let gain = computeMarkedValue(rules, size, mark) - positions.cost[at];
      gain -= getUnsettledFunding(state, at);
      equity += gain;
      if (gain < 0) losses += gain;
      notionals += notional;
      maintenance += computeMaintenance(rules, notional);
      const own = computeInitial(rules, notional, leverage);
      positionInitial += own;
      initial += positions.buys[at] === 0 && positions.sells[at] === 0 ? own : getOrderInitial(state, at);
    } else if (positions.buys[at] !== 0 || positions.sells[at] !== 0) {
      initial += getOrderInitial(state, at);
    }
  }
  health.equity = equity;
  health.maintenance = maintenance;
  health.positionInitial = positionInitial;
  health.initial = initial;
  health.notional = notionals;
  health.losses = losses;
  health.wide = !(Math.abs(equity) <= LIMIT && initial <= LIMIT && notionals <= LIMIT && losses >= -LIMIT);
  if (health.wide) measureWide(state, account, health);
  return health;
}

/**
 * Initial requirement of a position with its resting orders: the worse side, each with what its orders were charged at
 * entry (MRG-3).
 *
 *     max(initial(|size + buys|) + buyCharge, initial(|size - sells|) + sellCharge)
 */
function getOrderInitial(state: State, at: PositionRow): number {
  const { positions } = state;
  const size = positions.size[at];
  const buy = computeSideInitial(state, at, (size + positions.buys[at]) as Lots, positions.buyCharge[at]);
  const sell = computeSideInitial(state, at, (size - positions.sells[at]) as Lots, positions.sellCharge[at]);
  return buy > sell ? buy : sell;
}

/** Requirement of one side of a position at an exposure, with a charge. */
export function computeSideInitial(state: State, at: PositionRow, exposure: Lots, charge: Amount): number {
  const market = state.positions.market[at];
  const rules = state.parameters[market]!;
  const notional = computeNotional(rules, exposure, state.markets.mark[market]);
  return computeInitial(rules, notional, state.positions.leverage[at]) + charge;
}

function measureWide(state: State, account: AccountRow, health: Health): void {
  const { positions, markets, parameters } = state;
  health.bigEquity = BigInt(state.accounts.collateral[account]);
  health.bigMaintenance = 0n;
  health.bigPositionInitial = 0n;
  health.bigInitial = 0n;
  health.bigNotional = 0n;
  health.bigLosses = 0n;
  for (let at = state.accounts.position[account]; at !== NONE; at = positions.next[at]) {
    const market = positions.market[at];
    const rules = parameters[market]!;
    const mark = markets.mark[market];
    const size = positions.size[at];
    const leverage = positions.leverage[at];
    const delta = BigInt.asIntN(64, markets.fundingIndex[market] - positions.fundingEntry[at]);
    const notional = computeNotionalWide(rules, size, mark);
    const gain =
      computeMarkedValueWide(rules, size, mark) -
      BigInt(positions.cost[at]) -
      computeFundingChargeWide(size, delta, positions.fundingRemainder[at]);
    health.bigEquity += gain;
    if (gain < 0n) health.bigLosses += gain;
    health.bigNotional += notional;
    health.bigMaintenance += computeMaintenanceWide(rules, notional);
    health.bigPositionInitial += computeInitialWide(rules, notional, leverage);
    const side = (exposure: Lots, charge: Amount) =>
      computeInitialWide(rules, computeNotionalWide(rules, exposure, mark), leverage) + BigInt(charge);
    const buy = side((size + positions.buys[at]) as Lots, positions.buyCharge[at]);
    const sell = side((size - positions.sells[at]) as Lots, positions.sellCharge[at]);
    health.bigInitial += buy > sell ? buy : sell;
  }
}

/** Equity below maintenance: liquidatable, if there is a position (LIQ). */
export function isBelowMaintenance(health: Health): boolean {
  return health.wide ? health.bigEquity < health.bigMaintenance : health.equity < health.maintenance;
}

/** Equity covers the initial requirement with resting orders (MRG-4, first half). */
export function meetsInitial(health: Health): boolean {
  return health.wide ? health.bigEquity >= health.bigInitial : health.equity >= health.initial;
}

/**
 * The second half of MRG-4 for a change from (equity, maintenance) to new values: the ratio does not fall, and where
 * nothing is left to maintain, equity is not negative. All within what is storable.
 */
export function keepsRatio(equity: number, maintenance: number, newEquity: number, newMaintenance: number): boolean {
  if (newMaintenance === 0) return newEquity >= 0;
  if (maintenance === 0) return newEquity >= newMaintenance;
  return compareProducts(newEquity, maintenance, equity, newMaintenance) >= 0;
}

/**
 * Collateral that is free to leave (MRG-5): collateral and losses, less the greater of the initial requirement with
 * orders and a tenth of notional.
 */
export function computeFree(collateral: number, health: Health): number {
  if (health.wide) {
    const tenth = (health.bigNotional + 9n) / 10n;
    const held = health.bigInitial > tenth ? health.bigInitial : tenth;
    const free = BigInt(collateral) + health.bigLosses - held;
    return free < -9_000_000_000_000_000n ? -LIMIT : Number(free);
  }
  const tenth = Math.ceil(health.notional / 10);
  return collateral + health.losses - (health.initial > tenth ? health.initial : tenth);
}
