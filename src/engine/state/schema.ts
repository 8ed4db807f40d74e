/** Tables of the venue. One row a thing; a row number is private to one venue and never shows in behaviour. */

import { defineTable, f64, i32, NONE, type Table, u8 } from "../../collections/table.ts";
import type { Amount, Lots, Ppb, PriceE8, Ticks, TimeMs } from "../../math/fixed.ts";
import type { OrderId } from "../../protocol/fields.ts";
import { POST_ONLY } from "../../protocol/words.ts";

declare const row: unique symbol;
type Row<Name extends string> = number & { readonly [row]: Name };

/** Also the account's ordinal: accounts are never removed, so it is the order of creation. */
export type AccountRow = Row<"account">;
/** Also the market's ordinal. */
export type MarketRow = Row<"market">;
export type OwnerRow = Row<"owner">;
export type PositionRow = Row<"position">;
export type OrderRow = Row<"order">;

/** One row an address. */
export const ownerTable = defineTable<OwnerRow>()("owner", {
  w0: i32(),
  w1: i32(),
  w2: i32(),
  w3: i32(),
  w4: i32(),
  account: i32<AccountRow>(NONE), // newest of its accounts
});

/** One row an (address, subaccount). */
export const accountTable = defineTable<AccountRow>()("account", {
  owner: i32<OwnerRow>(),
  ownerNext: i32<AccountRow>(NONE), // of the same owner
  subaccount: i32(),
  role: u8(),
  collateral: f64<Amount>(), // of the cross bucket
  position: i32<PositionRow>(NONE), // first, by market
  nonceTrading: f64(),
  nonceRisk: f64(),
  nonceFunds: f64(),
  nonceAdmin: f64(),
  queuedSince: f64(), // height at which its cross bucket first was due for liquidation, 0 for not waiting
  dirty: u8(), // derived: its margin is to be looked at in the next risk pass
});

/** One row per (account, market) with a size, an order, a chosen leverage or an isolated bucket. */
export const positionTable = defineTable<PositionRow>()("position", {
  account: i32<AccountRow>(),
  market: i32<MarketRow>(),
  size: f64<Lots>(), // positive is long
  cost: f64<Amount>(), // paid for the open size; negative for a short
  fundingHigh: f64(), // cumulative index when last settled, see funding/cumulativeIndex
  fundingLow: f64(),
  fundingRemainder: f64(), // what earlier settlements charged too much, 1e-9 quote units
  buys: f64<Lots>(), // resting orders that may increase
  sells: f64<Lots>(),
  buyCharge: f64<Amount>(), // what those were charged at entry
  sellCharge: f64<Amount>(),
  reduceOnly: f64<Lots>(), // resting reduce-only orders, all on the closing side
  leverage: i32(), // 0 for the market's greatest
  mode: u8(), // MARGIN_MODE: an isolated position is a bucket of its own (MRG-2)
  isolated: f64<Amount>(), // collateral of that bucket; 0 for a cross position
  queuedSince: f64(), // as the account's, for that bucket
  orders: i32<OrderRow>(NONE), // newest resting order
  orderCount: i32(),
  cooldown: f64<TimeMs>(), // liquidation may go on then
  next: i32<PositionRow>(NONE), // of the same account, by market
  trigger: f64<PriceE8>(), // derived: mark at which the account must be looked at
  heapPlace: i32(NONE), // derived
});

/** One row a resting order. */
export const orderTable = defineTable<OrderRow>()("order", {
  id: f64<OrderId>(),
  position: i32<PositionRow>(),
  flags: u8(), // FLAG_…
  price: i32<Ticks>(),
  remaining: f64<Lots>(),
  filled: f64<Lots>(),
  charge: f64<Amount>(),
  goodTilHeight: f64(), // last height at which it may trade, 0 for none
  goodTilTime: f64<TimeMs>(), // last block time, 0 for none
  client: i32(NONE), // place of its client order id
  levelPrevious: i32<OrderRow>(NONE), // older in the queue of its price
  levelNext: i32<OrderRow>(NONE),
  newer: i32<OrderRow>(NONE), // of the same position
  older: i32<OrderRow>(NONE),
});

/** One row a market; parameters and book stand beside it. */
export const marketTable = defineTable<MarketRow>()("market", {
  oracle: f64<PriceE8>(), // last raw oracle price, 0 before the first
  oracleTime: f64<TimeMs>(),
  external: f64<PriceE8>(), // last external mark, 0 for none
  index: f64<PriceE8>(),
  mark: f64<PriceE8>(),
  basis: f64<PriceE8>(), // average of mid - index
  last: i32<Ticks>(), // last traded price, 0 before the first
  openInterest: f64<Lots>(), // sum of longs; derived
  fundingHigh: f64(), // cumulative payment of one lot, see funding/cumulativeIndex
  fundingLow: f64(),
  premiumSum: f64<Ppb>(),
  premiumSamples: f64(),
  sampledTime: f64<TimeMs>(),
  settledTime: f64<TimeMs>(), // end of the last funding interval
  fundingRate: f64<Ppb>(), // of the last settlement
  fundingDue: f64<Ppb>(), // rate that a single payment could not take
  reportedRate: f64<Ppb>(), // recorded rate, to be settled in this block
  settleReported: u8(),
  poolHigh: f64(), // funding pool, see totals
  poolLow: f64(),
  dust: f64<Amount>(),
  lotWhole: f64(), // derived from the mark: value of a lot in whole quote units, and the rest over lotDenominator
  lotRest: f64(),
  bandLow: f64<PriceE8>(), // derived: order prices that the band allows (ORD-5)
  bandHigh: f64<PriceE8>(),
});

export type Owners = Table<OwnerRow, typeof ownerTable.columns>;
export type Accounts = Table<AccountRow, typeof accountTable.columns>;
export type Positions = Table<PositionRow, typeof positionTable.columns>;
export type Orders = Table<OrderRow, typeof orderTable.columns>;
export type Markets = Table<MarketRow, typeof marketTable.columns>;

export const FLAG_SELL = 1;
export const FLAG_REDUCE_ONLY = 2;
/** Post-only: what happens to it if an amendment would make it take is FLAG_SLIDE's to say. */
export const FLAG_POST_ONLY = 4;
export const FLAG_SLIDE = 8;
/** Has a last height or time. */
export const FLAG_EXPIRES = 16;

/** Post-only mode (POST_ONLY) of an order by its flags. */
export function getPostOnly(flags: number): number {
  return (flags & FLAG_POST_ONLY) === 0
    ? POST_ONLY.no
    : (flags & FLAG_SLIDE) === 0
      ? POST_ONLY.reject
      : POST_ONLY.slide;
}
