/** Tables of the venue. One row a thing; a row number is private to one venue and never shows in behaviour. */

import { defineTable, f64, i32, NONE, type Table, u8 } from "../../../ground/collections/table.ts";
import type { Amount, Lots, Ppb, Ppm, PriceE8, Ticks, TimeMs } from "../../../ground/math/fixed.ts";
import type { OrderId } from "../../../protocol/fields.ts";
import { POST_ONLY } from "../../../protocol/words.ts";

declare const row: unique symbol;
type Row<Name extends string> = number & { readonly [row]: Name };

/** Also the account's ordinal: accounts are never removed, so it is the order of creation. */
export type AccountRow = Row<"account">;
/** Also the market's ordinal. */
export type MarketRow = Row<"market">;
export type OwnerRow = Row<"owner">;
export type PositionRow = Row<"position">;
export type OrderRow = Row<"order">;
export type ExtraRow = Row<"extra">;
export type IntentRow = Row<"intent">;
export type VolumeRow = Row<"volume">;
/** Also the grant's ordinal: grants are never removed. */
export type AuthorizationRow = Row<"authorization">;
/** Also the lane's ordinal: lanes are never removed. */
export type LaneRow = Row<"lane">;
export type SourceRow = Row<"source">;

/** One row an address. */
export const ownerTable = defineTable<OwnerRow>()("owner", {
  w0: i32(),
  w1: i32(),
  w2: i32(),
  w3: i32(),
  w4: i32(),
  account: i32<AccountRow>(NONE), // newest of its accounts
  volume: i32<VolumeRow>(NONE), // of its newest day
  volumePast: f64<Amount>(), // derived: of the 30 UTC days before this one
});

/** One row an owner and UTC day with fills, while a market has fee tiers (ORD-7). */
export const volumeTable = defineTable<VolumeRow>()("volume", {
  owner: i32<OwnerRow>(),
  day: i32(), // since 1970
  volume: f64<Amount>(), // notional traded; stays at 9e15 once there
  older: i32<VolumeRow>(NONE), // of the same owner
});

/** One row an (address, subaccount). */
export const accountTable = defineTable<AccountRow>()("account", {
  owner: i32<OwnerRow>(),
  ownerNext: i32<AccountRow>(NONE), // of the same owner
  subaccount: i32(),
  role: u8(),
  collateral: f64<Amount>(), // of the cross margin account
  position: i32<PositionRow>(NONE), // first, by market
  nonceTrading: f64(),
  nonceRisk: f64(),
  nonceFunds: f64(),
  nonceAdmin: f64(),
  queuedSince: f64(), // height at which its cross margin account first was due for liquidation, 0 for not waiting
  liquidation: f64(), // open liquidation record of its cross margin account, 0 for none
  intents: i32<IntentRow>(NONE), // newest; derived
  intentCount: i32(), // derived
  cancelTime: f64<TimeMs>(), // block time at which all its orders are cancelled, 0 for none
  dirty: u8(), // derived: its margin is checked in the next risk pass
});

/** One row per (account, market) with a size, an order, a chosen leverage or an isolated margin account. */
export const positionTable = defineTable<PositionRow>()("position", {
  account: i32<AccountRow>(),
  market: i32<MarketRow>(),
  signedLots: f64<Lots>(), // positive is long
  cost: f64<Amount>(), // paid for the open size; negative for a short
  fundingHigh: f64(), // cumulative index when last settled, see funding/cumulativeIndex
  fundingLow: f64(),
  fundingRemainder: f64(), // what earlier settlements charged too much, 1e-9 quote units
  buys: f64<Lots>(), // resting orders that may increase
  sells: f64<Lots>(),
  buyOrderCost: f64<Amount>(), // what those were charged at entry
  sellOrderCost: f64<Amount>(),
  reduceOnly: f64<Lots>(), // resting reduce-only orders, all on the closing side
  leverage: i32(), // 0 for the market's greatest
  mode: u8(), // MARGIN_MODE: an isolated position is a margin account of its own (MRG-2)
  isolated: f64<Amount>(), // collateral of that margin account; 0 for a cross position
  queuedSince: f64(), // as the account's, for that margin account
  liquidation: f64(), // likewise
  orders: i32<OrderRow>(NONE), // newest resting order
  orderCount: i32(),
  cooldown: f64<TimeMs>(), // liquidation may continue then
  next: i32<PositionRow>(NONE), // of the same account, by market
  trigger: f64<PriceE8>(), // derived: mark at which the account must be checked
  heapPlace: i32(NONE), // derived
});

/** One row a resting order. */
export const orderTable = defineTable<OrderRow>()("order", {
  id: f64<OrderId>(),
  position: i32<PositionRow>(),
  flags: u8(), // FLAG_…
  selfTrade: u8(), // mode and scope that it has as a taker, see `packSelfTrade`
  price: i32<Ticks>(),
  remaining: f64<Lots>(),
  filled: f64<Lots>(),
  orderCost: f64<Amount>(),
  extra: i32<ExtraRow>(NONE), // what few orders have
  levelPrevious: i32<OrderRow>(NONE), // older in the queue of its price
  levelNext: i32<OrderRow>(NONE),
  newer: i32<OrderRow>(NONE), // of the same position
  older: i32<OrderRow>(NONE),
});

/**
 * One row a resting order with an expiry, a grant or a client order id: few have any, and all have their own columns.
 */
export const extraTable = defineTable<ExtraRow>()("extra", {
  goodTilHeight: f64(), // last height at which it may trade, 0 for none
  goodTilTime: f64<TimeMs>(), // last block time, 0 for none
  grant: i32<AuthorizationRow>(NONE), // under which an agent entered it
  client: i32(NONE), // place of its client order id
});

/** One row an intent: an order that waits for its condition (INT). */
export const intentTable = defineTable<IntentRow>()("intent", {
  id: f64<OrderId>(), // also of the order that it places
  group: f64(), // id of the first intent of its group, 0 for one alone
  entry: f64(), // id of the order whose fills arm it, 0 for none
  account: i32<AccountRow>(),
  market: i32<MarketRow>(),
  kind: u8(), // INTENT_KIND of a single one
  state: u8(), // INTENT_STATE
  side: u8(),
  reduceOnly: u8(), // dies with the position that it reduces
  size: f64<Lots>(), // left to trade; waiting: 0
  filled: f64<Lots>(), // by its own order
  fraction: f64<Ppb>(), // of the position when it fires, instead of a size; 0 for none
  source: u8(), // PRICE_SOURCE
  trigger: f64<PriceE8>(),
  extreme: f64<PriceE8>(), // best price so far of a trailing stop
  trail: f64<PriceE8>(), // distance of a trailing stop, absolute or as a ratio
  trailRate: f64<Ppb>(),
  orderType: u8(), // of the order that it places, and so on
  price: i32<Ticks>(),
  slippage: f64<Ppb>(),
  timeInForce: u8(),
  postOnly: u8(),
  selfTrade: u8(),
  selfTradeScope: u8(),
  startMs: f64<TimeMs>(), // time of the first slice of a schedule
  intervalMs: f64(),
  slices: f64(),
  sliced: f64(), // slices whose time has come
  goodTilHeight: f64(), // last height at which it may fire, 0 for none
  goodTilTime: f64<TimeMs>(), // last block time, 0 for none
  authorization: i32(NONE), // grant under which it was placed
  armedHeight: f64(), // it is checked from the next block on
  newer: i32<IntentRow>(NONE), // of the same account; derived
  older: i32<IntentRow>(NONE),
});

/** Columns of an intent that are state of their own, in the order of its canonical form. */
export const INTENT_COLUMNS = [
  "id",
  "group",
  "entry",
  "account",
  "market",
  "kind",
  "state",
  "side",
  "reduceOnly",
  "size",
  "filled",
  "fraction",
  "source",
  "trigger",
  "extreme",
  "trail",
  "trailRate",
  "orderType",
  "price",
  "slippage",
  "timeInForce",
  "postOnly",
  "selfTrade",
  "selfTradeScope",
  "startMs",
  "intervalMs",
  "slices",
  "sliced",
  "goodTilHeight",
  "goodTilTime",
  "authorization",
  "armedHeight",
] as const;
export type IntentColumn = (typeof INTENT_COLUMNS)[number];

/** One row a source of a market, in the order of its parameter: its last report. */
export const sourceTable = defineTable<SourceRow>()("source", {
  price: f64<PriceE8>(), // 0 before the first
  confidence: f64<PriceE8>(),
  time: f64<TimeMs>(),
});

/** One row a market; parameters and book are stored apart from it. */
export const marketTable = defineTable<MarketRow>()("market", {
  oracle: f64<PriceE8>(), // last raw oracle price, 0 before the first
  oracleTime: f64<TimeMs>(),
  oracleConfidence: f64<PriceE8>(), // reported with it
  candidate: f64<PriceE8>(), // report too far from the oracle, not confirmed yet; 0 for none
  confirmations: f64(), // reports in a row that say so
  firstSource: i32<SourceRow>(NONE), // of its sources, which lie in a row; derived
  reported: f64<PriceE8>(), // last reported mark, 0 for none
  reportedTime: f64<TimeMs>(),
  restarting: u8(), // 1 after a gap between blocks, until a fresh price
  validity: u8(), // how far the price may be trusted; derived
  index: f64<PriceE8>(),
  mark: f64<PriceE8>(),
  basis: f64<PriceE8>(), // average of mid - index
  last: i32<Ticks>(), // last traded price, 0 before the first
  tradeHigh: i32<Ticks>(), // extremes of trades since triggers were last checked, 0 for none; kept while there are intents
  tradeLow: i32<Ticks>(),
  markBefore: f64<PriceE8>(), // derived: prices at the start of the block, while there are intents
  indexBefore: f64<PriceE8>(),
  lastBefore: i32<Ticks>(),
  openInterest: f64<Lots>(), // sum of longs; derived
  fundingHigh: f64(), // cumulative payment of one lot, see funding/cumulativeIndex
  fundingLow: f64(),
  premiumSum: f64(), // of the samples of the interval, see funding/samples
  premiumHigh: f64(), // the same, in 2^52
  premiumSamples: f64(),
  minuteSum: f64(), // of the samples of the running minute of dYdX's funding, ppb
  minuteSamples: f64(),
  sampledTime: f64<TimeMs>(),
  settledTime: f64<TimeMs>(), // end of the last funding interval
  fundingRate: f64<Ppb>(), // of the last settlement
  fundingDue: f64<Ppb>(), // rate that a single payment could not take
  fundingCarry: f64(), // what dividing a rate left, see computeFundingShare
  reportedRate: f64<Ppb>(), // recorded rate, to be settled in this block
  settleReported: u8(), // 0 between blocks
  poolHigh: f64(), // funding pool, see totals
  poolLow: f64(),
  dust: f64<Amount>(),
  initialRate: f64<Ppm>(), // least initial rate by open interest, worked out once a block; 0 for none (MRG-1)
  lotWhole: f64(), // derived from the mark: value of a lot in whole quote units, and the rest over lotDenominator
  lotRest: f64(),
  bandLow: f64<PriceE8>(), // derived: order prices that the band allows (ORD-5)
  bandHigh: f64<PriceE8>(),
});

/** One row a grant (AUT); texts are stored apart from it. */
export const authorizationTable = defineTable<AuthorizationRow>()("authorization", {
  account: i32<AccountRow>(), // that granted; its owner's accounts may be acted for
  agent: i32<OwnerRow>(), // address of the agent
  i0: i32(), // id: the transaction that granted, 32 bits each
  i1: i32(),
  i2: i32(),
  i3: i32(),
  i4: i32(),
  i5: i32(),
  i6: i32(),
  i7: i32(),
  status: u8(), // AUTHORIZATION_STATUS
  scopes: i32(), // a bit for each
  maxOrderNotional: f64(), // quote units; -1 for none, as the others
  maxPositionNotional: f64(),
  maxDailyNotional: f64(),
  maxOpenOrders: f64(),
  validFrom: f64<TimeMs>(),
  expiresAt: f64<TimeMs>(),
  day: f64(), // UTC day, counted from 1970, in which `used` was used
  used: f64<Amount>(),
  openOrders: i32(), // derived: orders that rest under it
});

/** One row an (account, agent) that ever signed: nonces of its own, for ever (NON-1, NON-5). */
export const laneTable = defineTable<LaneRow>()("lane", {
  account: i32<AccountRow>(),
  agent: i32<OwnerRow>(),
  nonceTrading: f64(),
  nonceRisk: f64(),
  nonceFunds: f64(),
  nonceAdmin: f64(),
});

export type Authorizations = Table<AuthorizationRow, typeof authorizationTable.columns>;
export type Lanes = Table<LaneRow, typeof laneTable.columns>;
export type Owners = Table<OwnerRow, typeof ownerTable.columns>;
export type Volumes = Table<VolumeRow, typeof volumeTable.columns>;
export type Accounts = Table<AccountRow, typeof accountTable.columns>;
export type Positions = Table<PositionRow, typeof positionTable.columns>;
export type Orders = Table<OrderRow, typeof orderTable.columns>;
export type Extras = Table<ExtraRow, typeof extraTable.columns>;
export type Intents = Table<IntentRow, typeof intentTable.columns>;
export type Sources = Table<SourceRow, typeof sourceTable.columns>;
export type Markets = Table<MarketRow, typeof marketTable.columns>;

export const FLAG_SELL = 1;
export const FLAG_REDUCE_ONLY = 2;
/** Post-only. FLAG_SLIDE decides what happens if an amendment would make it take. */
export const FLAG_POST_ONLY = 4;
export const FLAG_SLIDE = 8;
/** Has a last height or time. */
export const FLAG_EXPIRES = 16;
/** Rests under a grant. */
export const FLAG_AGENT = 32;

/** Self-trade mode (SELF_TRADE) and scope (SELF_TRADE_SCOPE) of an order as the one byte that it keeps (ORD-4). */
export function packSelfTrade(mode: number, scope: number): number {
  return mode | (scope << 2);
}

export function getSelfTradeMode(packed: number): number {
  return packed & 3;
}

export function getSelfTradeScope(packed: number): number {
  return packed >> 2;
}

/** Post-only mode (POST_ONLY) of an order by its flags. */
export function getPostOnly(flags: number): number {
  return (flags & FLAG_POST_ONLY) === 0
    ? POST_ONLY.no
    : (flags & FLAG_SLIDE) === 0
      ? POST_ONLY.reject
      : POST_ONLY.slide;
}
