import { NONE } from "../../../ground/collections/table.ts";
import { compareProducts, LIMIT, mulMod } from "../../../ground/math/fixed.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { MARGIN_MODE } from "../../../protocol/words.ts";
import { getUnsettledFunding } from "../funding/owed.ts";
import type { Health } from "../state/health.ts";
import type { MarginTables } from "../state/marginTables.ts";
import type { AccountRow, MarketRow, Markets, PositionRow } from "../state/schema.ts";
import { computeInitial, computeMaintenance, getNotionalAtMark } from "../valuation/notional.ts";
import { measureCrossBig, measureIsolatedBig } from "./healthBig.ts";

/** Depth of `measure`: equity and maintenance margin; the initial margin of positions; that with orders. */
export const DEPTH = { risk: 0, positions: 1, orders: 2 } as const;

/**
 * Measures an account's cross margin account into `state.health` and returns it. The result is overwritten by the next
 * call. Isolated positions count only with the reserve of their resting orders, which the cross margin account will pay
 * (MRG-2). Cost: once per position of the account.
 *
 * @param depth how much to measure; the other fields keep the values of an earlier call
 * @param asked also return this market's share of the initial margin; none by default
 */
export function measure(
  state: MarginTables,
  account: AccountRow,
  depth: number = DEPTH.orders,
  asked: number = NONE,
): Health {
  const { positions, markets, parameters, health } = state;
  let equity: number = state.accounts.collateral[account];
  let maintenance = 0;
  let positionInitial = 0;
  let initial = 0;
  let notionals = 0;
  let losses = 0;
  let marketInitial = 0;
  let hasIsolated = false;
  for (let at = state.accounts.position[account]; at !== NONE; at = positions.next[at]) {
    const market = positions.market[at];
    if (positions.mode[at] !== MARGIN_MODE.cross) {
      hasIsolated = true;
      if (depth !== DEPTH.orders) continue;
      const reserve = getIsolatedReserve(state, at);
      initial += reserve;
      if (market === asked) marketInitial = reserve;
      continue;
    }
    const rules = parameters[market]!;
    const signedLots: number = positions.signedLots[at];
    let own = 0;
    if (signedLots !== 0) {
      const notional = getNotionalAtMark(markets, rules, market, signedLots < 0 ? -signedLots : signedLots);
      const gain = getGain(state, at, signedLots, notional);
      equity += gain;
      if (gain < 0) losses += gain;
      notionals += notional;
      maintenance += computeMaintenance(rules, notional);
      if (depth !== DEPTH.risk)
        own = computeInitial(rules, notional, positions.leverage[at], markets.initialRate[market]);
      positionInitial += own;
    }
    if (depth !== DEPTH.orders) continue;
    let part = own;
    // The worse side, each with the order costs of its orders (MRG-3).
    if (positions.buys[at] !== 0 || positions.sells[at] !== 0) {
      part = getWorseInitial(state, at, signedLots, positions.leverage[at]);
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
  health.hasIsolated = hasIsolated;
  health.overflow = !(
    equity <= LIMIT &&
    equity >= -LIMIT &&
    notionals <= LIMIT &&
    initial <= LIMIT &&
    losses >= -LIMIT
  );
  if (health.overflow) measureCrossBig(state, account, health);
  return health;
}

/**
 * Measures the margin account of an isolated position into `state.isolatedHealth` and returns it. Its orders reserve
 * from cross, so its initial margin is that of the position.
 */
export function measureIsolated(state: MarginTables, position: PositionRow): Health {
  const { positions, markets, isolatedHealth: health } = state;
  const market = positions.market[position];
  const rules = state.parameters[market]!;
  const signedLots: number = positions.signedLots[position];
  const notional =
    signedLots === 0 ? 0 : getNotionalAtMark(markets, rules, market, signedLots < 0 ? -signedLots : signedLots);
  const gain = signedLots === 0 ? 0 : getGain(state, position, signedLots, notional);
  health.equity = positions.isolated[position] + gain;
  health.maintenance = signedLots === 0 ? 0 : computeMaintenance(rules, notional as never);
  health.positionInitial =
    signedLots === 0
      ? 0
      : computeInitial(rules, notional as never, positions.leverage[position], markets.initialRate[market]);
  health.initial = health.positionInitial;
  health.marketInitial = health.positionInitial;
  health.notional = notional;
  health.losses = gain < 0 ? gain : 0;
  health.overflow = !(health.equity <= LIMIT && health.equity >= -LIMIT && notional <= LIMIT && gain >= -LIMIT);
  if (health.overflow) measureIsolatedBig(state, position, health);
  return health;
}

/** Measures a margin account: the cross one of an account, or that of one of its isolated positions. */
export function measureMarginAccount(
  state: MarginTables,
  account: AccountRow,
  isolated: PositionRow,
  depth: number = DEPTH.orders,
): Health {
  return isolated === NONE ? measure(state, account, depth) : measureIsolated(state, isolated);
}

/**
 * Unrealised PnL at the mark less unsettled funding. A short is worth its notional, which is rounded up, so down with
 * its sign. A long is worth a unit less than its notional where that was rounded.
 */
function getGain(state: MarginTables, position: PositionRow, signedLots: number, notional: number): number {
  const { positions, markets } = state;
  const market = positions.market[position];
  const rules = state.parameters[market]!;
  const value = signedLots < 0 ? -notional : notional - (isWhole(signedLots, markets.lotRest[market], rules) ? 0 : 1);
  return value - positions.cost[position] - getUnsettledFunding(state, position);
}

/** Whether lots at the mark are worth a whole number of quote units. */
function isWhole(lots: number, rest: number, rules: MarketParameters): boolean {
  if (rest === 0) return true;
  const part = lots * rest;
  const whole = Math.floor(part / rules.lotDenominator);
  return part <= LIMIT ? whole * rules.lotDenominator === part : mulMod(lots, rest, rules.lotDenominator) === 0;
}

/**
 * Initial margin of one side of a market at an exposure, with its order costs (MRG-3).
 *
 * @param exposure |size + buys| or |size - sells|, with any sign
 */
export function getSideInitial(
  markets: Markets,
  rules: MarketParameters,
  market: MarketRow,
  leverage: number,
  exposure: number,
  orderCost: number,
): number {
  const notional = getNotionalAtMark(markets, rules, market, exposure < 0 ? -exposure : exposure);
  return computeInitial(rules, notional, leverage, markets.initialRate[market]) + orderCost;
}

/**
 * Initial margin of a position's worse side with its resting orders, at a hypothetical size and leverage; `NaN` if that
 * of either side is out of range.
 */
export function getWorseInitial(
  state: MarginTables,
  position: PositionRow,
  signedLots: number,
  leverage: number,
): number {
  const { positions, markets } = state;
  const market = positions.market[position];
  const rules = state.parameters[market]!;
  const long = signedLots + positions.buys[position];
  const short = signedLots - positions.sells[position];
  const buy = getSideInitial(markets, rules, market, leverage, long, positions.buyOrderCost[position]);
  const sell = getSideInitial(markets, rules, market, leverage, short, positions.sellOrderCost[position]);
  return Math.max(buy, sell);
}

/**
 * Reserve of an isolated position's resting orders, taken from cross: the initial margin of its worse side with them,
 * less that of the position, which its own margin account carries (MRG-2).
 */
export function getIsolatedReserve(state: MarginTables, position: PositionRow): number {
  const { positions, markets } = state;
  if (positions.buys[position] === 0 && positions.sells[position] === 0) return 0;
  const market = positions.market[position];
  const rules = state.parameters[market]!;
  const leverage = positions.leverage[position];
  const signedLots = positions.signedLots[position];
  return (
    getWorseInitial(state, position, signedLots, leverage) -
    getSideInitial(markets, rules, market, leverage, signedLots, 0)
  );
}

/** Equity below maintenance: liquidatable, if there is a position (LIQ). */
export function isBelowMaintenance(health: Health): boolean {
  return health.overflow ? health.bigEquity < health.bigMaintenance : health.equity < health.maintenance;
}

/** Equity covers the initial margin with resting orders (MRG-4, first half). */
export function meetsInitial(health: Health): boolean {
  return health.overflow ? health.bigEquity >= health.bigInitial : health.equity >= health.initial;
}

/**
 * The second half of MRG-4 for a change from (equity, maintenance) to new values: the ratio does not fall; if no
 * maintenance margin is left, equity is not negative. All values are in storable range.
 */
export function keepsRatio(equity: number, maintenance: number, newEquity: number, newMaintenance: number): boolean {
  if (newMaintenance === 0) return newEquity >= 0;
  if (maintenance === 0) return newEquity >= newMaintenance;
  return compareProducts(newEquity, maintenance, equity, newMaintenance) >= 0;
}

/**
 * Collateral that is free to leave a margin account (MRG-5): collateral and losses, less the greater of the initial
 * margin with orders and a tenth of notional.
 */
export function computeFree(collateral: number, health: Health): number {
  if (health.overflow) {
    const tenth = (health.bigNotional + 9n) / 10n;
    const held = health.bigInitial > tenth ? health.bigInitial : tenth;
    const free = BigInt(collateral) + health.bigLosses - held;
    return free < -9_000_000_000_000_000n ? -LIMIT : Number(free);
  }
  const tenth = Math.ceil(health.notional / 10);
  return collateral + health.losses - (health.initial > tenth ? health.initial : tenth);
}
