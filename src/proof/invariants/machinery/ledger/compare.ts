import { NONE } from "../../../../ground/collections/table.ts";
import { getGrant, getLastHeight, getLastTime } from "../../../../venue/engine/book/extras.ts";
import type { AccountRow, MarketRow, OrderRow, PositionRow } from "../../../../venue/engine/state/schema.ts";
import { FLAG_AGENT } from "../../../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../../../venue/engine/state/state.ts";
import { TOTAL_NAMES } from "../../../../venue/engine/state/totals.ts";
import { equalLimbs } from "./exactSum.ts";
import type { Ledger } from "./ledger.ts";

/** The first touched row whose table values differ from those that the moment's events lead to. */
export function compareTouched(ledger: Ledger, state: State): string | undefined {
  const { accounts, positions, orders, markets } = ledger;
  let fault: string | undefined;
  for (let at = 0; at < accounts.count && fault === undefined; at++) {
    fault = compareAccount(ledger, state, accounts.list[at]! as AccountRow);
  }
  for (let at = 0; at < positions.count && fault === undefined; at++) {
    fault = comparePosition(ledger, state, positions.list[at]! as PositionRow);
  }
  for (let at = 0; at < orders.count && fault === undefined; at++) {
    fault = compareOrder(ledger, state, orders.list[at]! as OrderRow);
  }
  for (let at = 0; at < markets.count && fault === undefined; at++) {
    fault = compareMarket(ledger, state, markets.list[at]! as MarketRow);
  }
  return fault ?? compareTotals(ledger, state);
}

/** The same for all rows: a difference that no event named is a silent write. */
export function compareAll(ledger: Ledger, state: State): string | undefined {
  const { accounts, positions, orders, markets } = state;
  let fault: string | undefined;
  for (let row = 0; row < accounts.rows.high && fault === undefined; row++) {
    fault = compareAccount(ledger, state, row as AccountRow);
  }
  for (let row = 0; row < positions.rows.high && fault === undefined; row++) {
    if (!positions.rows.isLive(row)) continue;
    const at = row as PositionRow;
    const own = ledger.positionRows.find(positions.account[at], positions.market[at]);
    fault =
      own === NONE
        ? `account ${positions.account[at]} has a position in market ${positions.market[at]} that no event reports`
        : comparePosition(ledger, state, own);
  }
  const held = ledger.now.positions;
  for (let row = 0; row < held.rows.high && fault === undefined; row++) {
    // The others were compared above.
    if (getPosition(state, held.account[row as PositionRow], held.market[row as PositionRow]) === NONE)
      fault = comparePosition(ledger, state, row as PositionRow);
  }
  for (let row = 0; row < orders.rows.high && fault === undefined; row++) {
    if (!orders.rows.isLive(row)) continue;
    const id = orders.id[row as OrderRow];
    const own = ledger.findOrder(id);
    fault = own === NONE ? `order ${id} rests and no event reports it` : compareOrder(ledger, state, own);
  }
  if (fault === undefined && ledger.restingOrders !== orders.rows.count)
    fault = `${orders.rows.count} orders rest, events report ${ledger.restingOrders}`;
  for (let row = 0; row < markets.rows.high && fault === undefined; row++) {
    fault = compareMarket(ledger, state, row as MarketRow);
  }
  return fault ?? compareTotals(ledger, state);
}

function compareAccount({ now }: Ledger, state: State, row: AccountRow): string | undefined {
  const reported = now.accounts;
  const is = state.accounts;
  if (row >= is.rows.high) return `account ${row} is named by events and does not exist`;
  if (row >= reported.rows.high) return `account ${row} exists and no event reports it`;
  if (
    reported.collateral[row] === is.collateral[row] &&
    reported.nonceTrading[row] === is.nonceTrading[row] &&
    reported.nonceRisk[row] === is.nonceRisk[row] &&
    reported.nonceFunds[row] === is.nonceFunds[row] &&
    reported.nonceAdmin[row] === is.nonceAdmin[row] &&
    reported.queuedSince[row] === is.queuedSince[row] &&
    reported.liquidation[row] === is.liquidation[row] &&
    reported.cancelTime[row] === is.cancelTime[row] &&
    reported.role[row] === is.role[row]
  )
    return undefined;
  return describeDifference(`account ${row}`, ACCOUNT_COLUMNS, reported, row, is, row);
}

const ACCOUNT_COLUMNS = [
  "collateral",
  "nonceTrading",
  "nonceRisk",
  "nonceFunds",
  "nonceAdmin",
  "queuedSince",
  "liquidation",
  "cancelTime",
  "role",
] as const;

const HOLDING_COLUMNS = [
  "signedLots",
  "cost",
  "buys",
  "sells",
  "buyOrderCost",
  "sellOrderCost",
  "reduceOnly",
  "orderCount",
  "leverage",
  "mode",
  "isolated",
  "queuedSince",
  "liquidation",
  "cooldown",
  "fundingHigh",
  "fundingLow",
  "fundingRemainder",
] as const;

function comparePosition({ now }: Ledger, state: State, row: PositionRow): string | undefined {
  const reported = now.positions;
  const is = state.positions;
  const at = getPosition(state, reported.account[row], reported.market[row]);
  if (at === NONE) {
    const empty =
      reported.signedLots[row] === 0 &&
      reported.orderCount[row] === 0 &&
      reported.mode[row] === 0 &&
      reported.leverage[row] === 0;
    if (empty && reported.cost[row] === 0 && reported.isolated[row] === 0) return undefined;
    return `account ${reported.account[row]} in market ${reported.market[row]} holds ${reported.signedLots[row]} lots by its events, and has no position`;
  }
  // The funding fields of a flat position are not state.
  const flat = reported.signedLots[row] === 0 && is.signedLots[at] === 0;
  if (
    reported.signedLots[row] === is.signedLots[at] &&
    reported.cost[row] === is.cost[at] &&
    reported.buys[row] === is.buys[at] &&
    reported.sells[row] === is.sells[at] &&
    reported.buyOrderCost[row] === is.buyOrderCost[at] &&
    reported.sellOrderCost[row] === is.sellOrderCost[at] &&
    reported.reduceOnly[row] === is.reduceOnly[at] &&
    reported.orderCount[row] === is.orderCount[at] &&
    reported.leverage[row] === is.leverage[at] &&
    reported.mode[row] === is.mode[at] &&
    reported.isolated[row] === is.isolated[at] &&
    reported.queuedSince[row] === is.queuedSince[at] &&
    reported.liquidation[row] === is.liquidation[at] &&
    (flat ||
      (reported.cooldown[row] === is.cooldown[at] &&
        reported.fundingHigh[row] === is.fundingHigh[at] &&
        reported.fundingLow[row] === is.fundingLow[at] &&
        reported.fundingRemainder[row] === is.fundingRemainder[at]))
  )
    return undefined;
  const name = `account ${reported.account[row]} in ${state.marketNames[reported.market[row]]}`;
  return describeDifference(name, HOLDING_COLUMNS, reported, row, is, at);
}

const ORDER_COLUMNS = ["price", "remaining", "filled", "orderCost", "goodTilHeight", "goodTilTime", "grant"] as const;

function compareOrder(ledger: Ledger, state: State, row: OrderRow): string | undefined {
  const reported = ledger.now.orders;
  const is = state.orders;
  const id = reported.id[row];
  const at = state.orderIndex.find(is, id);
  const resting = ledger.findOrder(id);
  // An order that ended and was opened again in the same moment has two rows; the other row counts.
  if (resting !== NONE && resting !== row) return undefined;
  const rests = resting !== NONE;
  if (at === NONE) return rests ? `order ${id} rests by its events, and is missing` : undefined;
  if (!rests) return `order ${id} ended by its events, and rests`;
  const position = is.position[at];
  const own = reported.position[row];
  const { account, market } = ledger.now.positions;
  if (state.positions.account[position] !== account[own] || state.positions.market[position] !== market[own])
    return `order ${id} belongs to another position than its events say`;
  if ((is.flags[at] & ~FLAG_AGENT) !== (reported.flags[row] & ~FLAG_AGENT))
    return `order ${id} has flags ${is.flags[at]}, by its events ${reported.flags[row]}`;
  if (is.selfTrade[at] !== reported.selfTrade[row])
    return `order ${id} has self-trade terms ${is.selfTrade[at]}, by its events ${reported.selfTrade[row]}`;
  if (
    reported.price[row] === is.price[at] &&
    reported.remaining[row] === is.remaining[at] &&
    reported.filled[row] === is.filled[at] &&
    reported.orderCost[row] === is.orderCost[at] &&
    reported.goodTilHeight[row] === getLastHeight(state, at) &&
    reported.goodTilTime[row] === getLastTime(state, at) &&
    reported.grant[row] === getGrant(state, at)
  )
    return undefined;
  const found = {
    price: [is.price[at]],
    remaining: [is.remaining[at]],
    filled: [is.filled[at]],
    orderCost: [is.orderCost[at]],
    goodTilHeight: [getLastHeight(state, at)],
    goodTilTime: [getLastTime(state, at)],
    grant: [getGrant(state, at)],
  };
  return describeDifference(`order ${id}`, ORDER_COLUMNS, reported, row, found, 0);
}

const MARKET_COLUMNS = [
  "index",
  "mark",
  "last",
  "openInterest",
  "fundingHigh",
  "fundingLow",
  "fundingRate",
  "dust",
  "initialRate",
  "poolHigh",
  "poolLow",
] as const;

function compareMarket({ now }: Ledger, state: State, row: MarketRow): string | undefined {
  const reported = now.markets;
  const is = state.markets;
  if (row >= is.rows.high) return `market ${row} is named by events and does not exist`;
  if (row >= reported.rows.high) return `market ${row} exists and no event reports it`;
  if (
    reported.index[row] === is.index[row] &&
    reported.mark[row] === is.mark[row] &&
    reported.last[row] === is.last[row] &&
    reported.openInterest[row] === is.openInterest[row] &&
    reported.fundingHigh[row] === is.fundingHigh[row] &&
    reported.fundingLow[row] === is.fundingLow[row] &&
    reported.fundingRate[row] === is.fundingRate[row] &&
    reported.dust[row] === is.dust[row] &&
    reported.initialRate[row] === is.initialRate[row] &&
    equalLimbs(reported.poolHigh[row], reported.poolLow[row], is.poolHigh[row], is.poolLow[row])
  )
    return undefined;
  return describeDifference(state.marketNames[row] ?? `market ${row}`, MARKET_COLUMNS, reported, row, is, row);
}

function compareTotals({ totals, authorityNonces, consumed }: Ledger, state: State): string | undefined {
  const reported = totals.limbs;
  const is = state.totals.limbs;
  for (let place = 0; place < TOTAL_NAMES.length; place++) {
    const at = place * 2;
    if (!equalLimbs(reported[at]!, reported[at + 1]!, is[at]!, is[at + 1]!))
      return `${TOTAL_NAMES[place]}: events lead to ${totals.get(place as never)}, it is ${state.totals.get(place as never)}`;
  }
  for (let place = 0; place < 3; place++) {
    if (authorityNonces[place] !== state.authorityNonces[place])
      return `authority ${place}: events lead to nonce ${authorityNonces[place]}, it is ${state.authorityNonces[place]}`;
  }
  return consumed === state.consumed
    ? undefined
    : `${consumed} transactions are committed by their events, the venue counts ${state.consumed}`;
}

/** Describes the first column that differs. */
function describeDifference(
  name: string,
  columns: readonly string[],
  reported: unknown,
  row: number,
  is: unknown,
  at: number,
): string | undefined {
  const lists = [reported, is] as Readonly<Record<string, ArrayLike<number>>>[];
  for (const column of columns) {
    const left = lists[0]![column]![row];
    const right = lists[1]![column]![at];
    if (left !== right) return `${name}: ${column} is ${right}, its events lead to ${left}`;
  }
  return `${name} differs from its events`;
}
