import { LIMIT, type Lots } from "../../../ground/math/fixed.ts";
import { MARGIN_MODE } from "../../../protocol/words.ts";
import { DEPTH, keepsRatio, measure, measureIsolated } from "../margin/health.ts";
import { canFund, computeIsolatedMove, getIsolatedInitial } from "../margin/isolated.ts";
import { computeSurplus } from "../margin/surplus.ts";
import type { PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { computeInitial, computeMaintenance, computeMarkedValue, getNotionalAtMark } from "../valuation/notional.ts";

/**
 * Whether a maker may take a fill (ORD-6). After it, equity covers the fill margin of its positions, midway between
 * maintenance margin and initial margin, or the fill satisfies the second half of MRG-4.
 *
 * @param lots   signed size of the fill for the maker
 * @param value  signed quote units paid
 * @param fee    paid by the maker, negative for a rebate
 * @param before lots and value of fills of a cross position, not yet applied, that come first when looking ahead
 */
export function canMake(
  state: State,
  position: PositionRow,
  lots: number,
  value: number,
  fee: number,
  before?: { readonly lots: number; readonly value: number; readonly fee: number },
): boolean {
  const { positions, markets, parameters } = state;
  if (positions.mode[position] !== MARGIN_MODE.cross) return canMakeIsolated(state, position, lots, value, fee);
  if (before === undefined && isAmple(state, position, lots, value, fee)) return true;
  const health = measure(state, positions.account[position], DEPTH.positions);
  if (health.overflow) return false;
  const market = positions.market[position];
  const rules = parameters[market]!;
  const mark = markets.mark[market];
  const leverage = positions.leverage[position];
  const least = markets.initialRate[market];
  const signedLots = (positions.signedLots[position] + (before?.lots ?? 0)) as Lots;
  const next = (signedLots + lots) as Lots;
  const notional = getNotionalAtMark(markets, rules, market, Math.abs(positions.signedLots[position]));
  const nextNotional = getNotionalAtMark(markets, rules, market, Math.abs(next));
  const worth = computeMarkedValue(rules, next, mark) - computeMarkedValue(rules, positions.signedLots[position], mark);
  const equity = health.equity + worth - value - fee - (before?.value ?? 0) - (before?.fee ?? 0);
  const maintenance =
    health.maintenance - computeMaintenance(rules, notional) + computeMaintenance(rules, nextNotional);
  const initial =
    health.positionInitial -
    computeInitial(rules, notional, leverage, least) +
    computeInitial(rules, nextNotional, leverage, least);
  if (!(Math.abs(equity) <= LIMIT && initial <= LIMIT)) return false;
  if (equity * 2 >= initial + maintenance) return true;
  return (
    maintenance <= health.maintenance &&
    initial <= health.positionInitial &&
    keepsRatio(health.equity, health.maintenance, equity, maintenance)
  );
}

/**
 * Whether it is certain, without the exact sums, that a maker's cross margin account takes a fill (`computeSurplus`):
 * equity after it covers initial margin with orders, and so the fill requirement. At the mark the fill is worth at
 * least `worth`.
 */
function isAmple(state: State, position: PositionRow, lots: number, value: number, fee: number): boolean {
  const { positions, markets } = state;
  const market = positions.market[position];
  const next = positions.signedLots[position] + lots;
  const lot = markets.lotWhole[market];
  const worth = lots * (lots < 0 ? lot + 1 : lot);
  if (!(value <= LIMIT / 8 && value >= -LIMIT / 8)) return false;
  return computeSurplus(state, positions.account[position], market, next, next) + worth - value - fee >= 0;
}

/**
 * As `canMake`, for an isolated position: its margin accounts can carry the fill (`canFund`), and after it the
 * position's own covers its fill margin, or is no nearer liquidation. Fills after a first one cannot be predicted,
 * since earlier fills change the rest of cross: `MakersAhead` does not ask for them.
 */
function canMakeIsolated(state: State, position: PositionRow, lots: number, value: number, fee: number): boolean {
  if (!canFund(state, position, lots, value, fee)) return false;
  const { positions, markets } = state;
  const market = positions.market[position];
  const rules = state.parameters[market]!;
  const mark = markets.mark[market];
  const signedLots = positions.signedLots[position];
  const next = (signedLots + lots) as Lots;
  // Opened through zero: funded to its initial margin. Closed: `canFund` saw that nothing negative is left.
  if (next === 0 || (signedLots !== 0 && next > 0 !== signedLots > 0)) return true;
  const health = measureIsolated(state, position);
  if (health.overflow) return false;
  const worth = computeMarkedValue(rules, next, mark) - computeMarkedValue(rules, signedLots, mark);
  const moved = computeIsolatedMove(state, position, lots, value, fee);
  const equity = health.equity + worth - value - fee + moved;
  const notional = getNotionalAtMark(markets, rules, market, Math.abs(next));
  const maintenance = computeMaintenance(rules, notional);
  const initial = getIsolatedInitial(state, position, next);
  if (equity * 2 >= initial + maintenance) return true;
  return (
    maintenance <= health.maintenance &&
    initial <= health.initial &&
    keepsRatio(health.equity, health.maintenance, equity, maintenance)
  );
}
