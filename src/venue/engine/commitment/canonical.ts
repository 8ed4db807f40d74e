import { ByteReader } from "../../../ground/collections/byteReader.ts";
import { ByteWriter } from "../../../ground/collections/byteWriter.ts";
import { NONE } from "../../../ground/collections/table.ts";
import type { Amount, Lots, PriceE8, Ticks, TimeMs } from "../../../ground/math/fixed.ts";
import { EngineError } from "../../../protocol/engineError.ts";
import type { OrderId } from "../../../protocol/fields.ts";
import { type Genesis, genesisText } from "../../../protocol/genesis.ts";
import { isParameterFault } from "../../../protocol/parameterFault.ts";
import { readDefinition, readMarketParameters } from "../../../protocol/readParameters.ts";
import { MARGIN_MODE } from "../../../protocol/words.ts";
import { getClientOrderId, getGrant, getLastHeight, getLastTime } from "../book/extras.ts";
import { openOrder } from "../book/orders.ts";
import { getPool, setPool } from "../funding/pool.ts";
import { addIntent, type IntentValues } from "../intents/intents.ts";
import { addMarket } from "../markets/addMarket.ts";
import { putVolume, refreshPastVolumes } from "../matching/volume.ts";
import { refreshMarket } from "../prices/refreshMarket.ts";
import { createAccount } from "../state/accounts.ts";
import { ensurePosition } from "../state/positions.ts";
import { rebuildIntents } from "../state/rebuildIntents.ts";
import {
  type AccountRow,
  type AuthorizationRow,
  FLAG_AGENT,
  FLAG_EXPIRES,
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  getPostOnly,
  getSelfTradeMode,
  getSelfTradeScope,
  INTENT_COLUMNS,
  type MarketRow,
  type OrderRow,
  type OwnerRow,
  type PositionRow,
  type SourceRow,
  type VolumeRow,
} from "../state/schema.ts";
import { State } from "../state/state.ts";
import { TOTAL, TOTAL_NAMES } from "../state/totals.ts";
import { readGrants, writeGrants } from "./canonicalGrants.ts";
import { readUsedNonces, writeUsedNonces } from "./canonicalNonces.ts";
import { readAddress } from "./readAddress.ts";
import { requireVersion } from "./requireVersion.ts";

/** First bytes of a canonical form, with its version. */
const MAGIC = "perplab state 1";

/** Columns of a market that are state of their own, in the order they are written. */
const MARKET_COLUMNS = [
  "oracle",
  "oracleTime",
  "oracleConfidence",
  "candidate",
  "confirmations",
  "reported",
  "reportedTime",
  "restarting",
  "index",
  "mark",
  "basis",
  "last",
  "tradeHigh",
  "tradeLow",
  "premiumSum",
  "premiumHigh",
  "premiumSamples",
  "minuteSum",
  "minuteSamples",
  "sampledTime",
  "settledTime",
  "fundingRate",
  "fundingDue",
  "fundingCarry",
  "reportedRate",
  "settleReported",
  "dust",
  "initialRate",
] as const;

/**
 * The canonical form of a venue (DET-3): its state in one order, free of rows and memory. Accounts and markets come in
 * order of creation, positions by account and market, orders by market, side, price and queue. Derived values (open
 * interest, reserves, indexes, triggers) are left out, except the head of the effects chain, which continues from here.
 */
export function writeCanonical(state: State): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter(estimateBytes(state));
  writeHead(out, state);
  writeMarkets(out, state);
  writeAccounts(out, state);
  writeGrants(out, state);
  writeUsedNonces(out, state);
  writeOrders(out, state);
  writeIntents(out, state);
  writeVolumes(out, state);
  return out.view8();
}

/** Parts of a position, as flags. */
const OPEN = 1;
const ISOLATED = 2;

/** Bytes of a market with its texts, an account, a position, and an order with its id in the list of its position. */
const MARKET_BYTES = 2048;
const ACCOUNT_BYTES = 82;
const POSITION_BYTES = 54;
const ORDER_BYTES = 59;

/** About how long the form becomes, so that it is written without growing; texts make it a little longer. */
function estimateBytes({ accounts, positions, orders, markets }: State): number {
  const rows =
    accounts.rows.count * ACCOUNT_BYTES + positions.rows.count * POSITION_BYTES + orders.rows.count * ORDER_BYTES;
  // Memory is cleared before it is written: a small venue gets little room for the rest.
  return (1 << 12) + markets.rows.count * MARKET_BYTES + rows + Math.min(rows, 1 << 16);
}

/** A cumulative funding index as a signed 64-bit integer, without making a big one. */
function writeIndex(out: ByteWriter, high: number, low: number): void {
  out.u32(low);
  out.f64(high);
}

function writeHead(out: ByteWriter, state: State): void {
  out.text(MAGIC);
  state.genesisText ??= genesisText(state.genesis);
  out.text(state.genesisText);
  out.f64(state.height);
  out.f64(state.timeMs);
  out.f64(state.consumed);
  for (const nonce of state.authorityNonces) out.f64(nonce);
  for (const name of TOTAL_NAMES) out.big(state.totals.get(TOTAL[name]));
  const { insured } = state;
  out.f64(insured.day);
  for (const paid of [insured.accounts, insured.markets]) {
    out.u32(paid.size);
    for (const [key, amount] of [...paid].sort(([a], [b]) => a - b)) {
      out.f64(key);
      out.big(amount);
    }
  }
  const { outflow } = state;
  out.f64(outflow.pausedUntil);
  for (const { startMs, base, used } of outflow.windows) {
    out.f64(startMs);
    out.big(base);
    out.big(used);
  }
}

function writeMarkets(out: ByteWriter, state: State): void {
  const { markets } = state;
  const count = markets.rows.high;
  out.u32(count);
  for (let market = 0 as MarketRow; market < count; market++) {
    out.text(state.marketNames[market]!);
    out.text(state.parameters[market]!.definition);
    for (const column of MARKET_COLUMNS) out.f64(markets[column][market]);
    out.big(getPool(state, market));
    writeIndex(out, markets.fundingHigh[market], markets.fundingLow[market]);
    writeSources(out, state, market);
  }
}

/** Last reports of a market's sources; how many there are, its definition says. */
function writeSources(out: ByteWriter, state: State, market: MarketRow): void {
  const { sources, markets } = state;
  const first = markets.firstSource[market];
  for (let place = 0; place < state.parameters[market]!.sources.length; place++) {
    const row = (first + place) as SourceRow;
    out.f64(sources.price[row]);
    out.f64(sources.confidence[row]);
    out.f64(sources.time[row]);
  }
}

function readSources(input: ByteReader, state: State, market: MarketRow): void {
  const { sources, markets } = state;
  const first = markets.firstSource[market];
  for (let place = 0; place < state.parameters[market]!.sources.length; place++) {
    const row = (first + place) as SourceRow;
    sources.price[row] = input.f64() as PriceE8;
    sources.confidence[row] = input.f64() as PriceE8;
    sources.time[row] = input.f64() as TimeMs;
  }
}

function writeAccounts(out: ByteWriter, state: State): void {
  const { accounts, owners, positions, orders } = state;
  const count = accounts.rows.high;
  out.u32(count);
  for (let account = 0 as AccountRow; account < count; account++) {
    const owner = accounts.owner[account];
    out.u32(owners.w0[owner] >>> 0);
    out.u32(owners.w1[owner] >>> 0);
    out.u32(owners.w2[owner] >>> 0);
    out.u32(owners.w3[owner] >>> 0);
    out.u32(owners.w4[owner] >>> 0);
    out.u32(accounts.subaccount[account] >>> 0);
    out.u8(accounts.role[account]);
    out.f64(accounts.collateral[account]);
    out.f64(accounts.nonceTrading[account]);
    out.f64(accounts.nonceRisk[account]);
    out.f64(accounts.nonceFunds[account]);
    out.f64(accounts.nonceAdmin[account]);
    out.f64(accounts.queuedSince[account]);
    out.f64(accounts.liquidation[account]);
    out.f64(accounts.cancelTime[account]);
    for (let at = accounts.position[account]; at !== NONE; at = positions.next[at]) {
      const open = positions.signedLots[at] !== 0;
      const isolated = positions.mode[at] !== MARGIN_MODE.cross;
      if (!open && !isolated && positions.leverage[at] === 0 && positions.orderCount[at] === 0) continue;
      out.u8(1);
      out.u32(positions.market[at]);
      out.u32(positions.leverage[at]);
      out.u8((open ? OPEN : 0) | (isolated ? ISOLATED : 0));
      if (isolated) {
        out.f64(positions.isolated[at]);
        out.f64(positions.queuedSince[at]);
        out.f64(positions.liquidation[at]);
      }
      if (open) {
        out.f64(positions.signedLots[at]);
        out.f64(positions.cost[at]);
        writeIndex(out, positions.fundingHigh[at], positions.fundingLow[at]);
        out.f64(positions.fundingRemainder[at]);
        out.f64(positions.cooldown[at]);
      }
      // The age of its orders, for rules that take the newest first.
      out.u32(positions.orderCount[at]);
      for (let order = positions.orders[at]; order !== NONE; order = orders.older[order]) out.f64(orders.id[order]);
    }
    out.u8(0);
  }
}

function writeOrders(out: ByteWriter, state: State): void {
  for (const book of state.books) {
    for (let price = book.bestBid; price !== 0; price = book.below(price)) writeLevel(out, state, book.head(price));
    for (let price = book.bestAsk; price !== 0; price = book.above(price)) writeLevel(out, state, book.head(price));
    out.u8(0);
  }
}

/** Owners in the order of their first accounts, days from old to new. */
function writeVolumes(out: ByteWriter, { owners, volumes }: State): void {
  out.u32(volumes.rows.count);
  if (volumes.rows.count === 0) return;
  for (let owner = 0 as OwnerRow; owner < owners.rows.high; owner++) {
    const days: VolumeRow[] = [];
    for (let at = owners.volume[owner]; at !== NONE; at = volumes.older[at]) days.push(at);
    for (const at of days.reverse()) {
      out.u32(owner);
      out.u32(volumes.day[at]);
      out.f64(volumes.volume[at]);
    }
  }
}

function readVolumes(input: ByteReader, state: State): void {
  const count = input.u32();
  for (let place = 0; place < count; place++) {
    const owner = input.u32() as OwnerRow;
    if (owner >= state.owners.rows.high) throw new Error(`owner ${owner} does not exist`);
    const day = input.u32();
    putVolume(state, owner, day, input.f64() as Amount);
  }
  refreshPastVolumes(state);
}

function writeLevel(out: ByteWriter, state: State, head: OrderRow): void {
  const { orders, positions } = state;
  for (let order = head; order !== NONE; order = orders.levelNext[order]) {
    out.u8(1);
    out.f64(orders.id[order]);
    out.u32(positions.account[orders.position[order]]);
    out.u8(orders.flags[order]);
    out.u8(orders.selfTrade[order]);
    out.f64(orders.price[order]);
    out.f64(orders.remaining[order]);
    out.f64(orders.filled[order]);
    out.f64(orders.orderCost[order]);
    out.text(getClientOrderId(state, order));
    if ((orders.flags[order] & FLAG_AGENT) !== 0) out.u32(getGrant(state, order));
    if ((orders.flags[order] & FLAG_EXPIRES) === 0) continue;
    out.f64(getLastHeight(state, order));
    out.f64(getLastTime(state, order));
  }
}

/** Intents by id, which is the order in which they came. */
function writeIntents(out: ByteWriter, state: State): void {
  const { intents, intentIndex, intentTexts } = state;
  out.u32(intents.rows.count);
  for (const id of [...intentIndex.rowOf.keys()].sort(compareIds)) {
    const row = intentIndex.find(id);
    for (const column of INTENT_COLUMNS) out.f64(intents[column][row]);
    out.text(intentTexts[row]!);
  }
}

function compareIds(a: number, b: number): number {
  return a - b;
}

/**
 * A venue from its canonical form. It behaves as the original; every account is checked in its first risk pass.
 *
 * @throws EngineError INVALID_SNAPSHOT
 */
export function readCanonical(bytes: Uint8Array): State {
  try {
    return read(new ByteReader(bytes));
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const fault = `not a canonical form, or cut short (${(error as Error).message})`;
    throw new EngineError("INVALID_SNAPSHOT", fault, { fault }, { cause: error });
  }
}

function read(input: ByteReader): State {
  if (input.text() !== MAGIC) throw new Error(`does not start with "${MAGIC}"`);
  const genesis = JSON.parse(input.text()) as Genesis;
  requireVersion(genesis);
  const state = new State(genesis);
  state.height = input.f64();
  state.timeMs = input.f64();
  state.consumed = input.f64();
  for (let place = 0; place < state.authorityNonces.length; place++) state.authorityNonces[place] = input.f64();
  for (const name of TOTAL_NAMES) state.totals.set(TOTAL[name], input.big());
  state.insured.day = input.f64();
  for (const paid of [state.insured.accounts, state.insured.markets]) {
    for (let count = input.u32(); count > 0; count--) paid.set(input.f64() as AccountRow, input.big());
  }
  state.outflow.pausedUntil = input.f64();
  for (const window of state.outflow.windows) {
    window.copyFrom({ startMs: input.f64(), base: input.big(), used: input.big() });
  }
  readMarkets(input, state);
  const newest = readAccounts(input, state);
  readGrants(input, state);
  readUsedNonces(input, state);
  readOrders(input, state, newest);
  readIntents(input, state);
  readVolumes(input, state);
  if (input.left() !== 0) throw new Error(`${input.left()} bytes too many`);
  state.events.length = 0;
  state.events.texts = [];
  return state;
}

function readMarkets(input: ByteReader, state: State): void {
  const count = input.u32();
  for (let place = 0; place < count; place++) {
    const name = input.text();
    const texts = readDefinition(input.text());
    const parameters = readMarketParameters("linear", { tier2: "", ...texts });
    if (isParameterFault(parameters)) throw new Error(`market ${name}: ${parameters.parameter} ${parameters.reason}`);
    const market = addMarket(state, name, parameters);
    const { markets } = state;
    for (const column of MARKET_COLUMNS) (markets[column] as Record<number, number>)[market] = input.f64();
    setPool(state, market, input.big());
    markets.fundingLow[market] = input.u32();
    markets.fundingHigh[market] = input.f64();
    readSources(input, state, market);
    refreshMarket(state, market);
  }
}

/** Reads accounts and positions; returns, for every position with several orders, their ids from new to old. */
function readAccounts(input: ByteReader, state: State): Map<PositionRow, number[]> {
  const listed = new Map<PositionRow, number[]>();
  const count = input.u32();
  for (let place = 0; place < count; place++) {
    const words = readAddress(input);
    const subaccount = input.u32();
    const account = createAccount(state, { ...words, subaccount }, input.u8());
    const { accounts } = state;
    accounts.collateral[account] = input.f64() as Amount;
    accounts.nonceTrading[account] = input.f64();
    accounts.nonceRisk[account] = input.f64();
    accounts.nonceFunds[account] = input.f64();
    accounts.nonceAdmin[account] = input.f64();
    accounts.queuedSince[account] = input.f64();
    accounts.liquidation[account] = input.f64();
    accounts.cancelTime[account] = input.f64() as TimeMs;
    if (accounts.cancelTime[account] !== 0) state.expiries.cancels.insert(account, accounts.cancelTime[account]);
    while (input.u8() === 1) readPosition(input, state, account, listed);
    state.risk.markDirty(state.accounts, account);
  }
  return listed;
}

function readPosition(input: ByteReader, state: State, account: AccountRow, listed: Map<PositionRow, number[]>): void {
  const market = input.u32() as MarketRow;
  if (market >= state.marketNames.length) throw new Error(`market ${market} does not exist`);
  const position = ensurePosition(state, account, market);
  const { positions, markets } = state;
  positions.leverage[position] = input.u32();
  const flags = input.u8();
  if ((flags & ISOLATED) !== 0) {
    positions.mode[position] = MARGIN_MODE.isolated;
    positions.isolated[position] = input.f64() as Amount;
    positions.queuedSince[position] = input.f64();
    positions.liquidation[position] = input.f64();
  }
  if ((flags & OPEN) !== 0) {
    positions.signedLots[position] = input.f64() as Lots;
    positions.cost[position] = input.f64() as Amount;
    positions.fundingLow[position] = input.u32();
    positions.fundingHigh[position] = input.f64();
    positions.fundingRemainder[position] = input.f64();
    positions.cooldown[position] = input.f64() as TimeMs;
    if (positions.signedLots[position] > 0) {
      markets.openInterest[market] = (markets.openInterest[market] + positions.signedLots[position]) as Lots;
    }
  }
  const ids: number[] = [];
  for (let count = input.u32(); count > 0; count--) ids.push(input.f64());
  listed.set(position, ids);
}

function readOrders(input: ByteReader, state: State, listed: Map<PositionRow, number[]>): void {
  for (let market = 0; market < state.books.length; market++) {
    while (input.u8() === 1) {
      const id = input.f64() as OrderId;
      const account = input.u32() as AccountRow;
      const flags = input.u8();
      const selfTrade = input.u8();
      const expires = (flags & FLAG_EXPIRES) !== 0;
      openOrder(state, {
        id,
        position: ensurePosition(state, account, market as MarketRow),
        side: (flags & FLAG_SELL) !== 0 ? 1 : 0,
        reduceOnly: (flags & FLAG_REDUCE_ONLY) !== 0,
        price: input.f64() as Ticks,
        remaining: input.f64() as Lots,
        filled: input.f64() as Lots,
        orderCost: input.f64() as Amount,
        clientOrderId: input.text(),
        grant: ((flags & FLAG_AGENT) !== 0 ? input.u32() : NONE) as AuthorizationRow,
        postOnly: getPostOnly(flags),
        selfTrade: getSelfTradeMode(selfTrade),
        selfTradeScope: getSelfTradeScope(selfTrade),
        goodTilHeight: expires ? input.f64() : 0,
        goodTilTime: expires ? input.f64() : 0,
      });
    }
  }
  for (const [position, ids] of listed) relink(state, position, ids);
}

function readIntents(input: ByteReader, state: State): void {
  for (let count = input.u32(); count > 0; count--) {
    const values: Record<string, number> = {};
    for (const column of INTENT_COLUMNS) values[column] = input.f64();
    addIntent(state, values as IntentValues, input.text());
  }
  rebuildIntents(state);
}

/** Puts the orders of a position in the order in which they came. */
function relink(state: State, position: PositionRow, newestFirst: readonly number[]): void {
  const { orders, positions } = state;
  let newer = NONE as OrderRow;
  for (const id of newestFirst) {
    const order = state.orderIndex.find(orders, id);
    if (order === NONE) throw new Error(`order ${id} does not exist`);
    orders.newer[order] = newer;
    orders.older[order] = NONE as OrderRow;
    if (newer === NONE) positions.orders[position] = order;
    else orders.older[newer] = order;
    newer = order;
  }
}
