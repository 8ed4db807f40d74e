import { type Lots, mulDivFloor, type PriceE8 } from "../../../ground/math/fixed.ts";
import { CLOSE_KIND } from "../../../protocol/events.ts";
import { ROLE } from "../../../protocol/words.ts";
import { DEPTH, keepsRatio, measureMarginAccount } from "../margin/health.ts";
import type { Health } from "../state/health.ts";
import { marginAccountOf } from "../state/marginAccount.ts";
import type { MarketRow, PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import {
  computeMaintenance,
  computeMaintenanceBig,
  computeMarkedValueBig,
  computeNotional,
  computeNotionalBig,
} from "../valuation/notional.ts";
import { closeAgainst } from "./closeAgainst.ts";
import type { MarginAccount, MarginAccountPosition } from "./liquidatedAccount.ts";
import { getRanking, rankOpposite } from "./ranking.ts";
import { getReserve } from "./reserve.ts";

/**
 * Auto-deleveraging (LIQ-5): closes the rest of a position at its bankruptcy price against the opposite side in rank
 * order. Counterparties that would fall below maintenance by it, or whose equity / maintenance would fall, are skipped;
 * house accounts rank last and are always taken.
 */
export function deleverage(state: State, marginAccount: MarginAccount, part: MarginAccountPosition): void {
  closeByRank(state, marginAccount, part, CLOSE_KIND.deleveraging, (lots) => part.bankruptcy.peek(lots));
}

/** As `deleverage`, at the mark of the block before (policy `hyperliquid`). */
export function deleverageAtPreviousMark(
  state: State,
  marginAccount: MarginAccount,
  part: MarginAccountPosition,
): void {
  const market = part.market as MarketRow;
  const mark = state.risk.marksBefore[market] || state.markets.mark[market];
  const sign = state.positions.signedLots[part.position] > 0 ? 1 : -1;
  closeByRank(state, marginAccount, part, CLOSE_KIND.previousMark, (lots) =>
    computeMarkedValueBig(state.parameters[market]!, (sign * lots) as Lots, mark as PriceE8),
  );
}

/** @param cashFor cash that the liquidated side receives for so many lots */
function closeByRank(
  state: State,
  marginAccount: MarginAccount,
  part: MarginAccountPosition,
  kind: number,
  cashFor: (lots: number) => bigint,
): void {
  const { positions } = state;
  const ranking = getRanking(state, part.position);
  for (let place = ranking.first; place < ranking.positions.length; place++) {
    const open: number = positions.signedLots[part.position];
    if (open === 0) return;
    const counterparty = ranking.positions[place]!;
    if (!isOpposite(state, counterparty, open)) continue;
    const lots = Math.min(Math.abs(open), Math.abs(positions.signedLots[counterparty]));
    const cash = cashFor(lots);
    if (!isHouse(state, counterparty) && !canTake(state, counterparty, open > 0 ? lots : -lots, cash)) continue;
    closeAgainst(state, marginAccount, part, counterparty, lots, cash, kind);
  }
}

/** Close-out (LIQ-6): closes the rest at the mark against the opposite side in rank order. */
export function closeAtMark(state: State, marginAccount: MarginAccount, part: MarginAccountPosition): void {
  const { positions, markets } = state;
  const rules = state.parameters[part.market]!;
  const mark = markets.mark[part.market as MarketRow];
  // An account that came to the other side in this pass is in no earlier ranking.
  const ranking = rankOpposite(state, part.position);
  for (const counterparty of ranking) {
    const open = positions.signedLots[part.position];
    if (open === 0) return;
    const lots = Math.min(Math.abs(open), Math.abs(positions.signedLots[counterparty]));
    const signedLots = (open > 0 ? lots : -lots) as Lots;
    const cash = computeMarkedValueBig(rules, signedLots, mark);
    closeAgainst(state, marginAccount, part, counterparty, lots, cash, CLOSE_KIND.closeOut);
  }
}

/** Whether a position is on the other side of an open size: it may have been closed or turned since it was ranked. */
function isOpposite(state: State, position: PositionRow, open: number): boolean {
  const signedLots = state.positions.signedLots[position];
  return signedLots !== 0 && signedLots > 0 !== open > 0;
}

function isHouse(state: State, position: PositionRow): boolean {
  return state.accounts.role[state.positions.account[position]] === ROLE.house;
}

/**
 * Whether a counterparty may be deleveraged. Equity of its margin account must be above 0. After the fill it must meet
 * maintenance margin or not have lowered equity / maintenance margin.
 *
 * @param lots signed lots that the counterparty takes
 * @param cash what it pays for them
 */
function canTake(state: State, position: PositionRow, lots: number, cash: bigint): boolean {
  const { positions, markets, parameters } = state;
  const account = positions.account[position];
  const health = measureMarginAccount(state, account, marginAccountOf(state, position), DEPTH.risk);
  const reserve = getReserve(state, account);
  if (health.overflow) return canTakeBig(state, position, lots, cash, health, BigInt(reserve));
  const before = health.equity - reserve;
  if (before <= 0) return false;
  const market = positions.market[position];
  const rules = parameters[market]!;
  const mark = markets.mark[market];
  const signedLots = positions.signedLots[position];
  const worthOf = (held: number) => mulDivFloor(held, mark * rules.lotNumerator, rules.lotDenominator);
  const worth = worthOf(signedLots + lots) - worthOf(signedLots);
  const equity = before + worth - Number(cash);
  const maintenance =
    health.maintenance -
    computeMaintenance(rules, computeNotional(rules, signedLots, mark)) +
    computeMaintenance(rules, computeNotional(rules, (signedLots + lots) as Lots, mark));
  return equity >= maintenance || keepsRatio(before, health.maintenance, equity, maintenance);
}

/** As `canTake`, for a counterparty whose sums are out of range. That is no reason to skip it. */
function canTakeBig(
  { positions, markets, parameters }: State,
  position: PositionRow,
  lots: number,
  cash: bigint,
  { bigEquity, bigMaintenance }: Health,
  reserve: bigint,
): boolean {
  const before = bigEquity - reserve;
  if (before <= 0n) return false;
  const market = positions.market[position];
  const rules = parameters[market]!;
  const mark = markets.mark[market];
  const signedLots = positions.signedLots[position];
  const then = (signedLots + lots) as Lots;
  const maintenanceOf = (held: Lots) => computeMaintenanceBig(rules, computeNotionalBig(rules, held, mark));
  const worth = computeMarkedValueBig(rules, then, mark) - computeMarkedValueBig(rules, signedLots, mark);
  const equity = before + worth - cash;
  const maintenance = bigMaintenance - maintenanceOf(signedLots) + maintenanceOf(then);
  return equity >= maintenance || equity * bigMaintenance >= before * maintenance;
}
