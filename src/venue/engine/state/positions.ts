import { NONE } from "../../../ground/collections/table.ts";
import type { Amount, Lots, PriceE8, TimeMs } from "../../../ground/math/fixed.ts";
import { MARGIN_MODE } from "../../../protocol/words.ts";
import { keepAccount } from "./journalRows.ts";
import type { AccountRow, MarketRow, OrderRow, PositionRow } from "./schema.ts";
import { getPosition, MARKETS_MAX, type State } from "./state.ts";

/** The position row of (account, market), created if it does not exist. It may be empty. */
export function ensurePosition(state: State, account: AccountRow, market: MarketRow): PositionRow {
  const found = getPosition(state, account, market);
  if (found !== NONE) return found;
  const position = state.journal.allocate(state.positions);
  keepAccount(state, account);
  const { positions, accounts } = state;
  positions.account[position] = account;
  positions.market[position] = market;
  positions.signedLots[position] = 0 as Lots;
  positions.cost[position] = 0 as Amount;
  positions.fundingHigh[position] = state.markets.fundingHigh[market];
  positions.fundingLow[position] = state.markets.fundingLow[market];
  positions.fundingRemainder[position] = 0;
  positions.buys[position] = 0 as Lots;
  positions.sells[position] = 0 as Lots;
  positions.buyOrderCost[position] = 0 as Amount;
  positions.sellOrderCost[position] = 0 as Amount;
  positions.reduceOnly[position] = 0 as Lots;
  positions.leverage[position] = 0;
  positions.mode[position] = MARGIN_MODE.cross;
  positions.isolated[position] = 0 as Amount;
  positions.queuedSince[position] = 0;
  positions.liquidation[position] = 0;
  positions.orders[position] = NONE as OrderRow;
  positions.orderCount[position] = 0;
  positions.cooldown[position] = 0 as TimeMs;
  positions.trigger[position] = 0 as PriceE8;
  positions.heapPlace[position] = NONE;
  state.positionIndex.insert(account * MARKETS_MAX + market, position);
  // The list of an account is kept by market: walking it does not depend on the order in which positions were opened.
  let before = NONE as PositionRow;
  let at = accounts.position[account];
  while (at !== NONE && positions.market[at] < market) {
    before = at;
    at = positions.next[at];
  }
  positions.next[position] = at;
  if (before === NONE) {
    accounts.position[account] = position;
  } else {
    if (state.journal.on) state.journal.cell(positions.next, before);
    positions.next[before] = position;
  }
  return position;
}

/** Gives a position row back if it holds nothing: no size, no order, nothing chosen. */
export function releaseIfEmpty(state: State, position: PositionRow): void {
  const { positions, accounts } = state;
  if (positions.signedLots[position] !== 0 || positions.orderCount[position] !== 0) return;
  if (positions.leverage[position] !== 0 || positions.mode[position] !== MARGIN_MODE.cross) return;
  if (state.journal.on) {
    state.emptied.push(position);
    return;
  }
  if (state.risk.recording) {
    state.risk.emptied.add(position);
    return;
  }
  const account = positions.account[position];
  state.risk.disarm(positions, position);
  state.positionIndex.remove(account * MARKETS_MAX + positions.market[position]);
  const next = positions.next[position];
  let before = NONE as PositionRow;
  let at = accounts.position[account];
  while (at !== position) {
    before = at;
    at = positions.next[at];
  }
  if (before === NONE) accounts.position[account] = next;
  else positions.next[before] = next;
  positions.rows.release(position);
}
