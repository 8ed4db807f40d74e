import { NumberIndex } from "../../../../ground/collections/numberIndex.ts";
import {
  clearTable,
  copyTable,
  createTable,
  defineTable,
  NONE,
  type Table,
} from "../../../../ground/collections/table.ts";
import type { Amount, Lots } from "../../../../ground/math/fixed.ts";
import {
  type AccountRow,
  type Accounts,
  accountTable,
  extraTable,
  type MarketRow,
  type Markets,
  marketTable,
  type OrderRow,
  type Orders,
  orderTable,
  type PositionRow,
  type Positions,
  positionTable,
} from "../../../../venue/engine/state/schema.ts";
import { MARKETS_MAX } from "../../../../venue/engine/state/state.ts";

/** An order with its rare fields inline: the ledger serves checks and holds few orders. */
const bookOrderTable = defineTable<OrderRow>()("bookOrder", {
  ...orderTable.columns,
  ...extraTable.columns,
});
export type BookOrders = Table<OrderRow, typeof bookOrderTable.columns>;

export type BookName = "accounts" | "positions" | "orders" | "markets";

const ALL: Readonly<Record<BookName, boolean>> = { accounts: true, positions: true, orders: true, markets: true };

/**
 * Accounts, positions, orders and markets as events report them. Accounts and markets have the venue's rows, which are
 * ordinals. Positions and orders have rows of their own and are found by account and market, and by id. A position row
 * is never removed: an empty one has no meaning.
 */
export class Books {
  accounts: Accounts = createTable(accountTable);
  positions: Positions = createTable(positionTable);
  orders: BookOrders = createTable(bookOrderTable, 64);
  markets: Markets = createTable(marketTable, 4);

  clear(): void {
    clearTable(accountTable, this.accounts);
    clearTable(positionTable, this.positions);
    clearTable(bookOrderTable, this.orders);
    clearTable(marketTable, this.markets);
  }

  /** Copies the tables that are named: all by default. */
  copyFrom({ accounts, positions, orders, markets }: Books, named: Readonly<Record<BookName, boolean>> = ALL): void {
    if (named.accounts) this.accounts = copyTable(accountTable, accounts, this.accounts);
    if (named.positions) this.positions = copyTable(positionTable, positions, this.positions);
    if (named.orders) this.orders = copyTable(bookOrderTable, orders, this.orders);
    if (named.markets) this.markets = copyTable(marketTable, markets, this.markets);
  }
}

/** Copies the columns of a row that the ledger keeps. */
export function copyAccount(from: Accounts, to: Accounts, row: AccountRow): void {
  to.role[row] = from.role[row];
  to.owner[row] = from.owner[row];
  to.collateral[row] = from.collateral[row];
  to.position[row] = from.position[row];
  to.nonceTrading[row] = from.nonceTrading[row];
  to.nonceRisk[row] = from.nonceRisk[row];
  to.nonceFunds[row] = from.nonceFunds[row];
  to.nonceAdmin[row] = from.nonceAdmin[row];
  to.queuedSince[row] = from.queuedSince[row];
  to.liquidation[row] = from.liquidation[row];
  to.cancelTime[row] = from.cancelTime[row];
}

export function copyPosition(from: Positions, to: Positions, row: PositionRow): void {
  to.account[row] = from.account[row];
  to.market[row] = from.market[row];
  to.next[row] = from.next[row];
  copyHolding(from, row, to, row);
}

/** The columns of a position, without its links in lists. */
export function copyHolding(from: Positions, source: PositionRow, to: Positions, row: PositionRow): void {
  to.signedLots[row] = from.signedLots[source];
  to.cost[row] = from.cost[source];
  to.fundingHigh[row] = from.fundingHigh[source];
  to.fundingLow[row] = from.fundingLow[source];
  to.fundingRemainder[row] = from.fundingRemainder[source];
  to.buys[row] = from.buys[source];
  to.sells[row] = from.sells[source];
  to.buyOrderCost[row] = from.buyOrderCost[source];
  to.sellOrderCost[row] = from.sellOrderCost[source];
  to.reduceOnly[row] = from.reduceOnly[source];
  to.leverage[row] = from.leverage[source];
  to.mode[row] = from.mode[source];
  to.isolated[row] = from.isolated[source];
  to.queuedSince[row] = from.queuedSince[source];
  to.liquidation[row] = from.liquidation[source];
  to.orderCount[row] = from.orderCount[source];
  to.cooldown[row] = from.cooldown[source];
}

export function copyOrder(from: BookOrders, to: BookOrders, row: OrderRow): void {
  to.id[row] = from.id[row];
  to.position[row] = from.position[row];
  copyTerms(from, row, to, row);
  to.goodTilHeight[row] = from.goodTilHeight[row];
  to.goodTilTime[row] = from.goodTilTime[row];
  to.grant[row] = from.grant[row];
}

/** The columns of an order, without its place in the book. */
export function copyTerms(from: Orders, source: OrderRow, to: Orders, row: OrderRow): void {
  to.flags[row] = from.flags[source];
  to.selfTrade[row] = from.selfTrade[source];
  to.price[row] = from.price[source];
  to.remaining[row] = from.remaining[source];
  to.filled[row] = from.filled[source];
  to.orderCost[row] = from.orderCost[source];
}

export function copyMarket(from: Markets, to: Markets, row: MarketRow): void {
  to.index[row] = from.index[row];
  to.mark[row] = from.mark[row];
  to.last[row] = from.last[row];
  to.openInterest[row] = from.openInterest[row];
  to.fundingHigh[row] = from.fundingHigh[row];
  to.fundingLow[row] = from.fundingLow[row];
  to.fundingRate[row] = from.fundingRate[row];
  to.poolHigh[row] = from.poolHigh[row];
  to.poolLow[row] = from.poolLow[row];
  to.dust[row] = from.dust[row];
  to.initialRate[row] = from.initialRate[row];
}

/** Rows of positions by account and market, created on demand. */
export class PositionRows {
  private readonly index = new NumberIndex(64);

  copyFrom({ index }: PositionRows): void {
    index.copy(this.index);
  }

  find(account: number, market: number): PositionRow {
    return this.index.find(account * MARKETS_MAX + market) as PositionRow;
  }

  clear(): void {
    this.index.clear();
  }

  /** Adds an empty position to both copies, in its account's list by market. */
  add(books: readonly Books[], account: AccountRow, market: MarketRow): PositionRow {
    let made = NONE as PositionRow;
    for (const { accounts, positions } of books) {
      made = positions.rows.allocate();
      positions.account[made] = account;
      positions.market[made] = market;
      positions.signedLots[made] = 0 as Lots;
      positions.cost[made] = 0 as Amount;
      let before = NONE as PositionRow;
      let at = accounts.position[account];
      while (at !== NONE && positions.market[at] < market) {
        before = at;
        at = positions.next[at];
      }
      positions.next[made] = at;
      if (before === NONE) accounts.position[account] = made;
      else positions.next[before] = made;
    }
    this.index.insert(account * MARKETS_MAX + market, made);
    return made;
  }
}
