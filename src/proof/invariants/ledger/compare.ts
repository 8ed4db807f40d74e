import { NONE } from "../../../ground/collections/table.ts";
import { getGrant, getLastHeight, getLastTime } from "../../../venue/engine/book/extras.ts";
import type { AccountRow, MarketRow, OrderRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import { FLAG_AGENT } from "../../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../../venue/engine/state/state.ts";
import { TOTAL_NAMES } from "../../../venue/engine/state/totals.ts";
import { equalLimbs } from "./exactSum.ts";
import type { Ledger } from "./ledger.ts";

/** Where the venue's tables say something else than the events of a moment led to, among what the moment touched. */
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

/** The same for everything: what differs and no event named was written silently. */
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
        ? `account ${positions.account[at]} has a position in market ${positions.market[at]} that no event tells of`
        : comparePosition(ledger, state, own);
  }
  const held = ledger.now.positions;
  for (let row = 0; row < held.rows.high && fault === undefined; row++) {
    // The others were compared.
    if (getPosition(state, held.account[row as PositionRow], held.market[row as PositionRow]) === NONE)
      fault = comparePosition(ledger, state, row as PositionRow);
  }
  for (let row = 0; row < orders.rows.high && fault === undefined; row++) {
    if (!orders.rows.isLive(row)) continue;
    const id = orders.id[row as OrderRow];
    const own = ledger.findOrder(id);
    fault = own === NONE ? `order ${id} rests and no event tells of it` : compareOrder(ledger, state, own);
  }
  if (fault === undefined && ledger.restingOrders !== orders.rows.count)
    fault = `${orders.rows.count} orders rest, events tell of ${ledger.restingOrders}`;
  for (let row = 0; row < markets.rows.high && fault === undefined; row++) {
    fault = compareMarket(ledger, state, row as MarketRow);
  }
  return fault ?? compareTotals(ledger, state);
}

function compareAccount({ now }: Ledger, state: State, row: AccountRow): string | undefined {
  const said = now.accounts;
  const is = state.accounts;
  if (row >= is.rows.high) return `account ${row} is told of and is not there`;
  if (row >= said.rows.high) return `account ${row} is there and no event tells of it`;
  if (
    said.collateral[row] === is.collateral[row] &&
    said.nonceTrading[row] === is.nonceTrading[row] &&
    said.nonceRisk[row] === is.nonceRisk[row] &&
    said.nonceFunds[row] === is.nonceFunds[row] &&
    said.nonceAdmin[row] === is.nonceAdmin[row] &&
    said.queuedSince[row] === is.queuedSince[row] &&
    said.liquidation[row] === is.liquidation[row] &&
    said.cancelTime[row] === is.cancelTime[row] &&
    said.role[row] === is.role[row]
  )
    return undefined;
  return tell(`account ${row}`, ACCOUNT_COLUMNS, said, row, is, row);
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
  "size",
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
  const said = now.positions;
  const is = state.positions;
  const at = getPosition(state, said.account[row], said.market[row]);
  if (at === NONE) {
    const empty =
      said.size[row] === 0 && said.orderCount[row] === 0 && said.mode[row] === 0 && said.leverage[row] === 0;
    if (empty && said.cost[row] === 0 && said.isolated[row] === 0) return undefined;
    return `account ${said.account[row]} in market ${said.market[row]} holds ${said.size[row]} lots by its events, and nothing`;
  }
  // What a flat position remembers of funding is not state.
  const flat = said.size[row] === 0 && is.size[at] === 0;
  if (
    said.size[row] === is.size[at] &&
    said.cost[row] === is.cost[at] &&
    said.buys[row] === is.buys[at] &&
    said.sells[row] === is.sells[at] &&
    said.buyOrderCost[row] === is.buyOrderCost[at] &&
    said.sellOrderCost[row] === is.sellOrderCost[at] &&
    said.reduceOnly[row] === is.reduceOnly[at] &&
    said.orderCount[row] === is.orderCount[at] &&
    said.leverage[row] === is.leverage[at] &&
    said.mode[row] === is.mode[at] &&
    said.isolated[row] === is.isolated[at] &&
    said.queuedSince[row] === is.queuedSince[at] &&
    said.liquidation[row] === is.liquidation[at] &&
    (flat ||
      (said.cooldown[row] === is.cooldown[at] &&
        said.fundingHigh[row] === is.fundingHigh[at] &&
        said.fundingLow[row] === is.fundingLow[at] &&
        said.fundingRemainder[row] === is.fundingRemainder[at]))
  )
    return undefined;
  const name = `account ${said.account[row]} in ${state.marketNames[said.market[row]]}`;
  return tell(name, HOLDING_COLUMNS, said, row, is, at);
}

const ORDER_COLUMNS = ["price", "remaining", "filled", "orderCost", "goodTilHeight", "goodTilTime", "grant"] as const;

function compareOrder(ledger: Ledger, state: State, row: OrderRow): string | undefined {
  const said = ledger.now.orders;
  const is = state.orders;
  const id = said.id[row];
  const at = state.orderIndex.find(is, id);
  const resting = ledger.findOrder(id);
  // One that ended and was opened again in the same moment has two rows; the other one counts.
  if (resting !== NONE && resting !== row) return undefined;
  const rests = resting !== NONE;
  if (at === NONE) return rests ? `order ${id} rests by its events, and is gone` : undefined;
  if (!rests) return `order ${id} ended by its events, and rests`;
  const position = is.position[at];
  const own = said.position[row];
  const { account, market } = ledger.now.positions;
  if (state.positions.account[position] !== account[own] || state.positions.market[position] !== market[own])
    return `order ${id} belongs to another position than its events say`;
  if ((is.flags[at] & ~FLAG_AGENT) !== (said.flags[row] & ~FLAG_AGENT))
    return `order ${id} has flags ${is.flags[at]}, by its events ${said.flags[row]}`;
  if (is.selfTrade[at] !== said.selfTrade[row])
    return `order ${id} has self-trade terms ${is.selfTrade[at]}, by its events ${said.selfTrade[row]}`;
  if (
    said.price[row] === is.price[at] &&
    said.remaining[row] === is.remaining[at] &&
    said.filled[row] === is.filled[at] &&
    said.orderCost[row] === is.orderCost[at] &&
    said.goodTilHeight[row] === getLastHeight(state, at) &&
    said.goodTilTime[row] === getLastTime(state, at) &&
    said.grant[row] === getGrant(state, at)
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
  return tell(`order ${id}`, ORDER_COLUMNS, said, row, found, 0);
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
  const said = now.markets;
  const is = state.markets;
  if (row >= is.rows.high) return `market ${row} is told of and is not there`;
  if (row >= said.rows.high) return `market ${row} is there and no event tells of it`;
  if (
    said.index[row] === is.index[row] &&
    said.mark[row] === is.mark[row] &&
    said.last[row] === is.last[row] &&
    said.openInterest[row] === is.openInterest[row] &&
    said.fundingHigh[row] === is.fundingHigh[row] &&
    said.fundingLow[row] === is.fundingLow[row] &&
    said.fundingRate[row] === is.fundingRate[row] &&
    said.dust[row] === is.dust[row] &&
    said.initialRate[row] === is.initialRate[row] &&
    equalLimbs(said.poolHigh[row], said.poolLow[row], is.poolHigh[row], is.poolLow[row])
  )
    return undefined;
  return tell(state.marketNames[row] ?? `market ${row}`, MARKET_COLUMNS, said, row, is, row);
}

function compareTotals({ totals, authorityNonces, consumed }: Ledger, state: State): string | undefined {
  const said = totals.limbs;
  const is = state.totals.limbs;
  for (let place = 0; place < TOTAL_NAMES.length; place++) {
    const at = place * 2;
    if (!equalLimbs(said[at]!, said[at + 1]!, is[at]!, is[at + 1]!))
      return `${TOTAL_NAMES[place]}: events lead to ${totals.get(place as never)}, it is ${state.totals.get(place as never)}`;
  }
  for (let place = 0; place < 3; place++) {
    if (authorityNonces[place] !== state.authorityNonces[place])
      return `authority ${place}: events lead to nonce ${authorityNonces[place]}, it is ${state.authorityNonces[place]}`;
  }
  return consumed === state.consumed
    ? undefined
    : `${consumed} transactions are committed by their events, ${state.consumed} are counted`;
}

/** The first column that differs, in words. */
function tell(
  name: string,
  columns: readonly string[],
  said: unknown,
  row: number,
  is: unknown,
  at: number,
): string | undefined {
  const lists = [said, is] as Readonly<Record<string, ArrayLike<number>>>[];
  for (const column of columns) {
    const left = lists[0]![column]![row];
    const right = lists[1]![column]![at];
    if (left !== right) return `${name}: ${column} is ${right}, its events lead to ${left}`;
  }
  return `${name} is not what its events lead to`;
}
