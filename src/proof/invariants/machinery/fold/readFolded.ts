import { NONE } from "../../../../ground/collections/table.ts";
import { ID_COLUMNS, TERMS } from "../../../../venue/engine/authorization/addGrant.ts";
import { getClientOrderId, getGrant, getLastHeight, getLastTime } from "../../../../venue/engine/book/extras.ts";
import type {
  AuthorizationRow,
  IntentRow,
  LaneRow,
  MarketRow,
  OwnerRow,
  Owners,
  SourceRow,
} from "../../../../venue/engine/state/schema.ts";
import {
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  getPostOnly,
  getSelfTradeMode,
  getSelfTradeScope,
  INTENT_COLUMNS,
} from "../../../../venue/engine/state/schema.ts";
import type { State } from "../../../../venue/engine/state/state.ts";
import { TOTAL } from "../../../../venue/engine/state/totals.ts";
import type { UsedNonces } from "../../../../venue/engine/state/usedNonces.ts";
import { listAccounts, listMarkets, ordersOf, positionsOf } from "../../../../venue/engine/state/walk.ts";
import { joined } from "../exact/health.ts";
import { createFolded, type FoldedMarket, type FoldedVenue } from "./folded.ts";

const POOL_BASE = 4_503_599_627_370_496n; // 2^52

/** A venue's tables as plain objects: the start of a fold, or one side of a comparison. */
export function readFolded(state: State): FoldedVenue {
  const venue = createFolded(state.genesis);
  venue.height = state.height;
  venue.timeMs = state.timeMs;
  venue.consumed = state.consumed;
  venue.authorityNonces.splice(0, 3, ...state.authorityNonces);
  venue.insurance = state.totals.get(TOTAL.insurance);
  venue.fees = state.totals.get(TOTAL.fees);
  venue.badDebt = state.totals.get(TOTAL.badDebt);
  venue.inflows = state.totals.get(TOTAL.inflows);
  venue.withdrawals = state.totals.get(TOTAL.withdrawals);
  venue.insured.day = state.insured.day;
  for (const [account, paid] of state.insured.accounts) venue.insured.accounts.set(account, paid);
  for (const [market, paid] of state.insured.markets) venue.insured.markets.set(market, paid);
  venue.pausedUntil = state.outflow.pausedUntil;
  state.outflow.windows.forEach(({ startMs, base, used }, place) => {
    Object.assign(venue.outflow[place]!, { startMs, base, used });
  });
  for (const market of listMarkets(state)) venue.markets.push(readMarket(state, market));
  for (const account of listAccounts(state)) readAccount(state, venue, account);
  const { intents, intentTexts } = state;
  for (let row = 0 as IntentRow; row < intents.rows.high; row++) {
    if (!intents.rows.isLive(row)) continue;
    const values: Record<string, number> = {};
    for (const column of INTENT_COLUMNS) values[column] = intents[column][row]!;
    venue.intents.set(intents.id[row]!, { values, client: intentTexts[row]! });
  }
  const { owners, volumes } = state;
  for (let owner = 0 as OwnerRow; owner < owners.rows.high; owner++) {
    const days: [number, number][] = [];
    for (let at = owners.volume[owner]!; at !== NONE; at = volumes.older[at]!) {
      days.push([volumes.day[at]!, volumes.volume[at]!]);
    }
    if (days.length > 0) venue.volumes.set(owner, new Map(days.reverse()));
  }
  readGrants(state, venue);
  return venue;
}

function readGrants(state: State, venue: FoldedVenue): void {
  const { authorizations, grants, lanes, agents } = state;
  for (let row = 0; row < authorizations.rows.high; row++) {
    const at = row as AuthorizationRow;
    const words = readWords(agents, authorizations.agent[at]!);
    for (const column of ID_COLUMNS) words.push(authorizations[column][at]! >>> 0);
    const terms: number[] = [];
    for (const column of TERMS) terms.push(authorizations[column][at]!);
    venue.grants.push({
      account: authorizations.account[at]!,
      words,
      status: authorizations.status[at]!,
      terms,
      day: authorizations.day[at]!,
      used: authorizations.used[at]!,
      texts: [grants.labels[row]!, grants.markets[row]!, grants.subaccounts[row]!],
    });
  }
  for (let row = 0; row < lanes.rows.high; row++) {
    const at = row as LaneRow;
    venue.lanes.push({
      account: lanes.account[at]!,
      words: readWords(agents, lanes.agent[at]!),
      nonces: [lanes.nonceTrading[at]!, lanes.nonceRisk[at]!, lanes.nonceFunds[at]!, lanes.nonceAdmin[at]!],
      used: readUsed(state.agentNonces, row, lanes.nonceTrading[at]!),
    });
  }
}

/** The words of an address. */
function readWords({ w0, w1, w2, w3, w4 }: Owners, row: OwnerRow): number[] {
  return [w0[row]! >>> 0, w1[row]! >>> 0, w2[row]! >>> 0, w3[row]! >>> 0, w4[row]! >>> 0];
}

/** Used nonces of a lane's window, including all below `next`. */
export function readUsed(nonces: UsedNonces, row: number, next: number): Set<number> {
  const used = new Set<number>();
  for (let nonce = Math.max(0, next - nonces.size); nonce < next; nonce++) if (nonces.has(row, nonce)) used.add(nonce);
  return used;
}

function readMarket(state: State, market: MarketRow): FoldedMarket {
  const { markets } = state;
  return {
    name: state.marketNames[market]!,
    definition: state.parameters[market]!.definition,
    oracle: markets.oracle[market]!,
    oracleTime: markets.oracleTime[market]!,
    oracleConfidence: markets.oracleConfidence[market]!,
    candidate: markets.candidate[market]!,
    confirmations: markets.confirmations[market]!,
    reported: markets.reported[market]!,
    reportedTime: markets.reportedTime[market]!,
    restarting: markets.restarting[market]!,
    sources: state.parameters[market]!.sources.map((_, place) => {
      const row = (markets.firstSource[market]! + place) as SourceRow;
      return {
        price: state.sources.price[row]!,
        confidence: state.sources.confidence[row]!,
        time: state.sources.time[row]!,
      };
    }),
    index: markets.index[market]!,
    mark: markets.mark[market]!,
    basis: markets.basis[market]!,
    last: markets.last[market]!,
    tradeHigh: markets.tradeHigh[market]!,
    tradeLow: markets.tradeLow[market]!,
    premiumSum: markets.premiumSum[market]!,
    premiumHigh: markets.premiumHigh[market]!,
    premiumSamples: markets.premiumSamples[market]!,
    minuteSum: markets.minuteSum[market]!,
    minuteSamples: markets.minuteSamples[market]!,
    sampledTime: markets.sampledTime[market]!,
    settledTime: markets.settledTime[market]!,
    fundingRate: markets.fundingRate[market]!,
    fundingDue: markets.fundingDue[market]!,
    fundingCarry: markets.fundingCarry[market]!,
    reportedRate: markets.reportedRate[market]!,
    settleReported: markets.settleReported[market]!,
    pool: BigInt(markets.poolHigh[market]!) * POOL_BASE + BigInt(markets.poolLow[market]!),
    dust: markets.dust[market]!,
    initialRate: markets.initialRate[market]!,
    funding: joined(markets.fundingHigh[market]!, markets.fundingLow[market]!),
    levels: [readSide(state, market, 0), readSide(state, market, 1)],
  };
}

/** Queues of one side of a book, by price. */
function readSide(state: State, market: MarketRow, side: number): Map<number, number[]> {
  const { orders } = state;
  const book = state.books[market]!;
  const levels = new Map<number, number[]>();
  let price = side === 0 ? book.bestBid : book.bestAsk;
  while (price !== 0) {
    const queue: number[] = [];
    for (let at = book.head(price); at !== NONE; at = orders.levelNext[at]!) queue.push(orders.id[at]!);
    levels.set(price, queue);
    price = side === 0 ? book.below(price) : book.above(price);
  }
  return levels;
}

function readAccount(state: State, venue: FoldedVenue, account: ReturnType<typeof listAccounts>[number]): void {
  const { accounts, owners, positions, orders } = state;
  const owner = accounts.owner[account]!;
  const held: FoldedVenue["accounts"][number] = {
    words: [...readWords(owners, owner), accounts.subaccount[account]! >>> 0],
    role: accounts.role[account]!,
    collateral: accounts.collateral[account]!,
    nonces: [
      accounts.nonceTrading[account]!,
      accounts.nonceRisk[account]!,
      accounts.nonceFunds[account]!,
      accounts.nonceAdmin[account]!,
    ],
    used: readUsed(state.ownerNonces, account, accounts.nonceTrading[account]!),
    queuedSince: accounts.queuedSince[account]!,
    liquidation: accounts.liquidation[account]!,
    cancelTime: accounts.cancelTime[account]!,
    positions: new Map(),
  };
  venue.accounts.push(held);
  for (const at of positionsOf(state, account)) {
    const rows = ordersOf(state, at).reverse();
    held.positions.set(positions.market[at]!, {
      signedLots: positions.signedLots[at]!,
      cost: positions.cost[at]!,
      funding: joined(positions.fundingHigh[at]!, positions.fundingLow[at]!),
      fundingRemainder: positions.fundingRemainder[at]!,
      cooldown: positions.cooldown[at]!,
      leverage: positions.leverage[at]!,
      mode: positions.mode[at]!,
      isolated: positions.isolated[at]!,
      queuedSince: positions.queuedSince[at]!,
      liquidation: positions.liquidation[at]!,
      orders: rows.map((row) => orders.id[row]!),
    });
    for (const row of rows) {
      venue.orders.set(orders.id[row]!, {
        account,
        market: positions.market[at]!,
        side: (orders.flags[row]! & FLAG_SELL) === 0 ? 0 : 1,
        reduceOnly: (orders.flags[row]! & FLAG_REDUCE_ONLY) !== 0,
        postOnly: getPostOnly(orders.flags[row]!),
        selfTrade: getSelfTradeMode(orders.selfTrade[row]!),
        selfTradeScope: getSelfTradeScope(orders.selfTrade[row]!),
        price: orders.price[row]!,
        remaining: orders.remaining[row]!,
        filled: orders.filled[row]!,
        orderCost: orders.orderCost[row]!,
        client: getClientOrderId(state, row),
        goodTilHeight: getLastHeight(state, row),
        goodTilTime: getLastTime(state, row),
        grant: getGrant(state, row),
      });
    }
  }
}
