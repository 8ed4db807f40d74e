import { AMOUNT_DECIMALS, PRICE_DECIMALS, SIZE_DECIMALS } from "../../../ground/math/fixed.ts";
import { type Column, decimal, flag, nullable, text, time, whole } from "../../tables/columns.ts";
import { defineTable, type Table } from "../../tables/table.ts";

const RATE_DECIMALS = 9;

const usd = (about: string) => decimal(AMOUNT_DECIMALS, "USD", about);
const price = (about: string) => decimal(PRICE_DECIMALS, "USD per base", about);
const size = (about: string) => decimal(SIZE_DECIMALS, "base", about);
const market = text("Market");

export const fills = defineTable("fills", "One row is a fill of the account, in the order in which they happened.", {
  time: time("Time of the block"),
  market,
  side: text("`buy` or `sell`, of the account"),
  size: size("Size, positive"),
  price: price("Price; of a close outside the order book, its value by its size, rounded down"),
  value: usd("Price times size, positive"),
  fee: usd("Trading fee: positive is paid, negative is a rebate"),
  role: text("`maker` or `taker`"),
  realizedPnl: usd("Profit of the part that closes a position, without fees and funding"),
  position: size("Position after the fill; positive is long"),
  orderId: nullable(text("Order, as in `orders`; none for a liquidation and for a close outside the order book")),
  liquidationId: nullable(text("Liquidation that caused the fill")),
  liquidationFee: usd("Fee of a liquidation, paid to the insurance fund"),
});

export const orders = defineTable(
  "orders",
  "One row is an order, written when it ends; those open at the end of the run come last.",
  {
    id: nullable(text("Transaction that entered it, as the strategy knows it; none where the venue placed the order")),
    orderId: nullable(text("Order; none where it was rejected or never reached a block")),
    sent: nullable(time("When the strategy sent it; none where the venue placed the order")),
    entered: nullable(
      time("Time of the block with its transaction, or in which the venue placed it; none if no block had it"),
    ),
    ended: nullable(
      time("Time of the block in which it ended; none for an order that is open or never reached a block"),
    ),
    market,
    side: nullable(text("`buy` or `sell`; none where a close of a position was rejected")),
    type: text("`limit`, `market`, `close` of a position, or the kind of the intent that placed it"),
    timeInForce: nullable(text("`GTC`, `IOC`, `FOK` or `GTT`; none where it is not known")),
    price: nullable(price("Limit price, as amended last; none for a market order without a worst price")),
    size: nullable(size("Size, as amended or cut last; none where a close of a whole position was rejected")),
    reduceOnly: flag("Whether it may only reduce a position"),
    filled: size("Filled size"),
    averagePrice: nullable(price("Value of its fills by their size, rounded down; none without a fill")),
    value: usd("Value of its fills"),
    fee: usd("Trading fees of its fills"),
    fills: whole("Number of its fills"),
    amendments: whole("Number of amendments that were applied"),
    status: text(
      "`filled`, `cancelled`, `expired` (unfilled rest of an IOC or FOK), `rejected`, `open` at the end of the run, or " +
        "`unsent`: the run ended first",
    ),
    reason: nullable(text("Code of the rejection, or cause of the end")),
  },
);

export const trades = defineTable(
  "trades",
  "One row is a round trip, a position from flat to flat or through zero, in the order in which they closed; those open at the end come last.",
  {
    market,
    side: text("`long` or `short`"),
    entryTime: time("Time of the first fill"),
    exitTime: nullable(time("Time of the last fill; none for a position that is open at the end")),
    size: size("Greatest size of the position"),
    entered: size("Sum of the sizes that increased the position"),
    exited: size("Sum of the sizes that reduced it"),
    entryPrice: price("Average price of the fills that increased it, rounded down"),
    exitPrice: nullable(price("Average price of the fills that reduced it, rounded down; none without one")),
    fills: whole("Number of fills; one through zero counts in both trips"),
    realizedPnl: usd("Profit of its prices, without fees and funding"),
    unrealizedPnl: usd("The same of what is open at the end of the run, at the mark; 0 for a closed trip"),
    fee: usd("Trading fees; of a fill through zero by size, the closing part rounded down"),
    funding: usd("Funding received less paid"),
    liquidationFee: usd("Fees of liquidations"),
    net: usd("realizedPnl + unrealizedPnl + funding - fee - liquidationFee"),
    worst: usd("Lowest realised plus unrealised profit on the way, at most 0: the adverse excursion"),
    best: usd("Highest realised plus unrealised profit on the way, at least 0: the favourable excursion"),
    liquidated: flag("Whether a liquidation filled any part of it"),
  },
);

export const funding = defineTable("funding", "One row is a funding payment of a position.", {
  time: time("Time of the block that paid"),
  market,
  rate: decimal(RATE_DECIMALS, "1", "Rate of the interval; longs pay if it is positive"),
  mark: price("Mark price"),
  index: price("Index price, which the payment is computed with"),
  position: size("Position that paid or received; positive is long"),
  amount: usd("Into the account; negative is paid"),
});

export const equity = defineTable(
  "equity",
  "One row is the account at the start of the run, at each whole interval of the clock (UTC), and at the end of the run, as the last moment of the replay up to then left it.",
  {
    time: time("Time of the row"),
    equity: usd("Collateral, unrealised profit at the mark and accrued funding"),
    balance: usd("Collateral"),
    unrealizedPnl: usd("Unrealised profit of all positions at the mark"),
    maintenance: usd("Maintenance margin of all positions"),
    funding: usd("Sum of all funding payments so far"),
    fee: usd("Sum of all trading and liquidation fees so far"),
    buyAndHold: nullable(
      usd("Equity of the same deposit held in equal parts of every market; none before the first mark"),
    ),
  },
);

export const adjustments = defineTable(
  "adjustments",
  "One row is collateral that came or went without a fill or a funding payment.",
  {
    time: time("Time of the block"),
    kind: text("`deficitCovered`, `lossSocialized` or `transfer`"),
    amount: usd("Into the account; negative is paid"),
  },
);

/** Every table of a backtest by its name. */
export const exportTables = { fills, orders, trades, funding, equity, adjustments } as const;

/** Name of a table: the last word of its file's stem. */
export type ExportName = keyof typeof exportTables;

/** The first column of every table of a run with several strategies; a run of one has no such column. */
export const strategyColumn = text("Name of the strategy whose account the row is of");

/** A table as a run with several strategies writes it. */
export function withStrategy({ name, about, columns }: Table): Table {
  return defineTable(name, about, { strategy: strategyColumn, ...columns });
}

/** Columns in the order of the files. */
export function columnsOf(name: ExportName): [name: string, column: Column][] {
  return Object.entries(exportTables[name].columns);
}
