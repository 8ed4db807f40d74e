import { NONE } from "../../../ground/collections/table.ts";
import { LIMIT, type Lots, type PriceE8 } from "../../../ground/math/fixed.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { getUnsettledFunding } from "../funding/owed.ts";
import { getCollateral, marginAccountOf } from "../state/marginAccount.ts";
import type { MarginTables } from "../state/marginTables.ts";
import type { PositionRow } from "../state/schema.ts";
import {
  computeMaintenance,
  computeMaintenanceBig,
  computeMarkedValue,
  computeMarkedValueBig,
  computeNotional,
  computeNotionalBig,
  type LotTerms,
  type TierTerms,
} from "../valuation/notional.ts";

/**
 * First reference price of a position's market, going against the position from the present mark, at which its margin
 * account falls below maintenance while every other mark is unchanged (MRG-6):
 *
 *     p = (equity - size * mark - maintenance of the others + deduction_k) / (|size| * rate_k - size)
 *
 * found by halving on the exact rounded margin: it is the very price at which the engine liquidates.
 *
 * @returns undefined where there is none: no position, or no positive price (long) or price below the market's greatest
 *          (short) does it. A margin account below maintenance already gets the present mark.
 */
export function getLiquidationPrice(state: MarginTables, position: PositionRow): PriceE8 | undefined {
  const { positions, markets, parameters } = state;
  const signedLots = positions.signedLots[position];
  if (signedLots === 0) return undefined;
  const market = positions.market[position];
  const rest = getRestOfMargin(state, position);
  return findLiquidationPrice(parameters[market]!, signedLots, rest, markets.mark[market]);
}

/**
 * Equity of the margin account of a position without the position's value, less the maintenance of its other positions.
 *
 * @returns a number for the only position of an account, where doubles are exact
 */
export function getRestOfMargin(state: MarginTables, position: PositionRow): number | bigint {
  const { positions, markets, parameters, accounts } = state;
  const account = positions.account[position];
  const isolated = marginAccountOf(state, position);
  const collateral = getCollateral(state, account, isolated);
  if (accounts.position[account] === position && positions.next[position] === NONE) {
    const paid = collateral - positions.cost[position];
    const short = paid - getUnsettledFunding(state, position);
    if (Number.isSafeInteger(paid) && Number.isSafeInteger(short)) return short;
  }
  let rest = BigInt(collateral);
  for (let at = accounts.position[account]; at !== NONE; at = positions.next[at]) {
    if (positions.signedLots[at] === 0 || marginAccountOf(state, at) !== isolated) continue;
    rest -= BigInt(positions.cost[at]) + BigInt(getUnsettledFunding(state, at));
    if (at === position) continue;
    const other = parameters[positions.market[at]]!;
    const mark = markets.mark[positions.market[at]];
    rest += computeMarkedValueBig(other, positions.signedLots[at], mark);
    rest -= computeMaintenanceBig(other, computeNotionalBig(other, positions.signedLots[at], mark));
  }
  return rest;
}

/**
 * First price, going from the mark against a position, at which the position's value and the rest fall below its
 * maintenance.
 *
 * @param given see `getRestOfMargin`
 */
export function findLiquidationPrice(
  rules: LotTerms & TierTerms & Pick<MarketParameters, "priceMost">,
  signedLots: Lots,
  given: number | bigint,
  mark: PriceE8,
): PriceE8 | undefined {
  const rest = BigInt(given);
  const isLiquidatableBig = (price: PriceE8): boolean =>
    rest + computeMarkedValueBig(rules, signedLots, price) <
    computeMaintenanceBig(rules, computeNotionalBig(rules, signedLots, price));
  // Halving takes some fifty steps. Nearly all are within what a double holds exactly, several times faster; the others
  // take the exact path.
  const short = Number(rest);
  const isShort = Math.abs(short) <= LIMIT;
  const isLiquidatable = (at: number): boolean => {
    const price = at as PriceE8;
    if (!isShort) return isLiquidatableBig(price);
    const notional = computeNotional(rules, signedLots, price);
    if (!(notional <= LIMIT)) return isLiquidatableBig(price);
    const equity = short + computeMarkedValue(rules, signedLots, price);
    const maintenance = computeMaintenance(rules, notional);
    const isExact = Math.abs(equity) <= Number.MAX_SAFE_INTEGER && Math.abs(maintenance) <= LIMIT;
    return isExact ? equity < maintenance : isLiquidatableBig(price);
  };
  if (isLiquidatable(mark)) return mark;
  let safe: number = mark;
  let gone = signedLots > 0 ? 1 : rules.priceMost;
  if (!isLiquidatable(gone)) return undefined;
  while (Math.abs(safe - gone) > 1) {
    const middle = Math.floor((safe + gone) / 2);
    if (isLiquidatable(middle)) gone = middle;
    else safe = middle;
  }
  return gone as PriceE8;
}
