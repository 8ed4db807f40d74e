import { NONE } from "../../collections/table.ts";
import { type Amount, compareProducts, LIMIT, type Lots, mulMod } from "../../math/fixed.ts";
import type { MarketParameters } from "../../protocol/parameters.ts";
import { computeIndexMoveWide } from "../funding/cumulativeIndex.ts";
import { computeFundingChargeWide, getUnsettledFunding } from "../funding/owed.ts";
import type { AccountRow, MarketRow, Markets, PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import {
  computeInitial,
  computeInitialWide,
  computeMaintenance,
  computeMaintenanceWide,
  computeMarkedValueWide,
  computeNotionalWide,
  getNotionalAtMark,
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
  /** Of `initial`, what the market asked about takes. */
  marketInitial = 0;
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

/** How much `measure` works out: equity and maintenance; the initial requirement of positions; that with orders. */
export const DEPTH = { risk: 0, positions: 1, orders: 2 } as const;

/**
 * Measures an account's cross bucket into `state.health` and returns it. The result is overwritten by the next call.
 * Cost: once per position of the account.
 *
 * @param depth how much is asked for; what is not stays at what an earlier call left
 * @param asked market whose part of the initial requirement is told apart; none by default
 */
export function measure(state: State, account: AccountRow, depth: number = DEPTH.orders, asked: number = NONE): Health {
  const { positions, markets, parameters, health } = state;
  let equity: number = state.accounts.collateral[account];
  let maintenance = 0;
  let positionInitial = 0;
  let initial = 0;
  let notionals = 0;
  let losses = 0;
  let marketInitial = 0;
  for (let at = state.accounts.position[account]; at !== NONE; at = positions.next[at]) {
    const market = positions.market[at];
    const rules = parameters[market]!;
    const size: number = positions.size[at];
    let own = 0;
    if (size !== 0) {
      const notional = getNotionalAtMark(markets, rules, market, size < 0 ? -size : size);
      // A short is worth its notional, which is rounded up, so down with its sign. A long is worth a unit less than its
      // notional where that was rounded.
      const value = size < 0 ? -notional : notional - (isWhole(size, markets.lotRest[market], rules) ? 0 : 1);
      const gain = value - positions.cost[at] - getUnsettledFunding(state, at);
      equity += gain;
      if (gain < 0) losses += gain;
      notionals += notional;
      maintenance += computeMaintenance(rules, notional);
      if (depth !== DEPTH.risk) own = computeInitial(rules, notional, positions.leverage[at]);
      positionInitial += own;
    }
    if (depth !== DEPTH.orders) continue;
    const buys = positions.buys[at];
    const sells = positions.sells[at];
    let part = own;
    if (buys !== 0 || sells !== 0) {
      // The worse side, each with what its orders were charged at entry (MRG-3).
      const leverage = positions.leverage[at];
      const buy = getSideInitial(markets, rules, market, leverage, size + buys, positions.buyCharge[at]);
      const sell = getSideInitial(markets, rules, market, leverage, size - sells, positions.sellCharge[at]);
      part = buy > sell ? buy : sell;
    }
    initial += part;
    if (market === asked) marketInitial = part;
  }
  health.equity = equity;
  health.maintenance = maintenance;
  health.positionInitial = positionInitial;
  health.initial = initial;
  health.marketInitial = marketInitial;
  health.notional = notionals;
  health.losses = losses;
  health.wide = !(equity <= LIMIT && equity >= -LIMIT && notionals <= LIMIT && initial <= LIMIT && losses >= -LIMIT);
  if (health.wide) measureWide(state, account, health);
  return health;
}

/** Whether lots at the mark are worth a whole number of quote units. */
function isWhole(lots: number, rest: number, rules: MarketParameters): boolean {
  if (rest === 0) return true;
  const part = lots * rest;
  const whole = Math.floor(part / rules.lotDenominator);
  return part <= LIMIT ? whole * rules.lotDenominator === part : mulMod(lots, rest, rules.lotDenominator) === 0;
}

/**
 * Initial requirement of one side of a market at an exposure, with what its orders were charged (MRG-3).
 *
 * @param exposure |size + buys| or |size - sells|, with any sign
 */
export function getSideInitial(
  markets: Markets,
  rules: MarketParameters,
  market: MarketRow,
  leverage: number,
  exposure: number,
  charge: number,
): number {
  const notional = getNotionalAtMark(markets, rules, market, exposure < 0 ? -exposure : exposure);
  return computeInitial(rules, notional, leverage) + charge;
}

/** Initial requirement of a position's worse side with its resting orders, at a size and a leverage that it may not have. */
export function getWorseInitial(state: State, position: PositionRow, size: number, leverage: number): number {
  const { positions, markets } = state;
  const market = positions.market[position];
  const rules = state.parameters[market]!;
  const long = size + positions.buys[position];
  const short = size - positions.sells[position];
  const buy = getSideInitial(markets, rules, market, leverage, long, positions.buyCharge[position]);
  const sell = getSideInitial(markets, rules, market, leverage, short, positions.sellCharge[position]);
  return buy > sell ? buy : sell;
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
