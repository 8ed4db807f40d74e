/**
 * Changes orders that the venue would reject so that it accepts them: fault by fault, by the rejection code. An order
 * that is still rejected is sent as it is. Deliberate faults and edges are not repaired.
 */

import { LIMIT } from "../../../ground/math/fixed.ts";
import type { RejectionCode } from "../../../protocol/rejections.ts";
import { MARKET_STATUS, ORDER_TYPE, POST_ONLY, SIDE, TIME_IN_FORCE } from "../../../protocol/words.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import { drawRevival } from "./authorities.ts";
import type { BlockBuilder } from "./blockBuilder.ts";
import { findEdge, refusalOf } from "./edges.ts";
import { reportPrice } from "./prices.ts";
import { signSystem } from "./sign.ts";

/** An order or an amendment under repair, in payload units. */
export interface Draft {
  market: string;
  side: number;
  orderType: number;
  size: number;
  price: number;
  slippage: number;
  timeInForce: number;
  goodTilHeight: number;
  goodTilTime: number;
  postOnly: number;
  reduceOnly: boolean;
  clientOrderId: string;
}

/** Maximum number of faults that are repaired, one after another. */
const TRIES = 7;
/** Percentages of the largest size that margin allows. */
const PARTS = [60, 100, 30, 10, 90, 100, 50, 4] as const;

/**
 * True if a choice requests repair: three of four do, 0 does not. The other orders are sent as drawn, since repair
 * relies on the venue under test.
 */
export function isRepaired(choice: number): boolean {
  return choice % 4 !== 0;
}

/** An order under repair. */
interface Work {
  readonly builder: BlockBuilder;
  readonly account: AccountRow;
  readonly draft: Draft;
  /** Selects among several possible repairs. */
  readonly detail: number;
  market: MarketRow;
  /** True if the order was already moved to another market. */
  isMoved: boolean;
}

/** @param detail selects among several possible repairs */
export function repairOrder(
  builder: BlockBuilder,
  account: AccountRow,
  market: MarketRow,
  draft: Draft,
  detail: number,
): void {
  const { height, timeMs } = builder.state;
  // An order that expires with this block has expired when it is executed.
  if (detail % 4 !== 3) {
    if (draft.goodTilHeight !== 0) draft.goodTilHeight = Math.max(draft.goodTilHeight, height + 2);
    if (draft.goodTilTime !== 0) draft.goodTilTime = Math.max(draft.goodTilTime, timeMs + 6_000);
  }
  const work: Work = { builder, account, draft, detail, market, isMoved: false };
  for (let tries = 0; tries < TRIES; tries++) {
    const code = refusalOf(builder.state, account, "placeOrder", draft);
    if (code === undefined || !repair(work, code)) return;
  }
}

/** Repairs one fault. False if the order cannot be repaired, or if another transaction repairs the cause first. */
function repair(work: Work, code: RejectionCode): boolean {
  const { builder, draft, market } = work;
  const { state } = builder;
  const rules = state.parameters[market]!;
  switch (code) {
    case "MARKET_NOT_FOUND":
      draft.market = state.marketNames[market]!;
      return true;
    case "MARKET_CLOSED":
      if (rules.status === MARKET_STATUS.postOnly) return rest(draft);
      return (rules.status === MARKET_STATUS.reduceOnly && reduce(work)) || move(work);
    case "OPERATION_PAUSED":
      return move(work);
    case "PRICE_UNAVAILABLE":
    case "PRICE_NOT_VALID":
    case "MARKET_RESTARTING":
      report(builder, market);
      return false;
    case "PRICE_REQUIRED":
    case "OFF_TICK":
      draft.price =
        Math.max(1, Math.floor((draft.price || state.markets.mark[market]!) / rules.tickSize)) * rules.tickSize;
      return true;
    case "EXPIRY_MISMATCH":
    case "EXPIRY_PASSED":
      return live(draft, TIME_IN_FORCE.GTC);
    case "FIELD_REFUSED":
      draft.slippage = 0;
      return true;
    case "SLIPPAGE_TOO_LARGE":
      draft.slippage = rules.slippageMax * 1000;
      return true;
    case "SIZE_NOT_POSITIVE":
    case "OFF_LOT":
    case "SIZE_TOO_SMALL":
    case "NOTIONAL_TOO_SMALL": {
      const least = getLeast(builder, market, draft);
      if (draft.size === least * rules.lotSize) return move(work);
      draft.size = least * rules.lotSize;
      return true;
    }
    case "NUMERIC_LIMIT":
    case "SIZE_TOO_LARGE": {
      const least = getLeast(builder, market, draft);
      if (draft.size === rules.maxLots * rules.lotSize || least > rules.maxLots) return move(work);
      draft.size = rules.maxLots * rules.lotSize;
      return true;
    }
    case "PRICE_OUT_OF_BAND":
      return keepInBand(work) || move(work);
    case "CLIENT_ORDER_ID_USED":
      draft.clientOrderId = "";
      return true;
    case "OPEN_ORDERS_LIMIT":
      draft.postOnly = POST_ONLY.no;
      return live(draft, TIME_IN_FORCE.IOC);
    case "POST_ONLY_WITH_TAKING":
    case "POST_ONLY_WOULD_TAKE":
      draft.postOnly = POST_ONLY.no;
      return true;
    case "REDUCE_ONLY_WOULD_INCREASE":
      if (reduce(work)) return true;
      draft.reduceOnly = false;
      return true;
    case "EXPOSURE_FROZEN":
      return reduce(work);
    case "INSUFFICIENT_MARGIN":
      return afford(work) || reduce(work);
    default:
      return false;
  }
}

/** The least size in lots that the market accepts at the order's price. */
export function getLeast(
  { state }: BlockBuilder,
  market: MarketRow,
  { price, slippage }: Pick<Draft, "price" | "slippage">,
): number {
  const { minLots, minNotional, tickSize, tickLotValue, lotSize } = state.parameters[market]!;
  if (minNotional === 0) return minLots;
  // Without a price, use the worst one: the slippage bound below the mark.
  const worst = price || (state.markets.mark[market]! / 1e9) * Math.max(1e6, 1e9 - Math.max(0, slippage)) - tickSize;
  const ticks = Math.max(1, Math.floor(worst / tickSize));
  // A market may require more than is storable.
  return Math.min(Math.max(minLots, Math.ceil(minNotional / (ticks * tickLotValue))), Math.floor(LIMIT / lotSize));
}

function live(draft: Draft, timeInForce: number): boolean {
  if (draft.timeInForce !== TIME_IN_FORCE.IOC && draft.timeInForce !== TIME_IN_FORCE.FOK)
    draft.timeInForce = timeInForce;
  draft.goodTilHeight = 0;
  draft.goodTilTime = 0;
  return true;
}

/** Makes the order post-only with sliding. */
function rest(draft: Draft): boolean {
  if (draft.postOnly !== POST_ONLY.no || draft.price === 0) return false;
  draft.orderType = ORDER_TYPE.limit;
  draft.slippage = 0;
  draft.timeInForce = TIME_IN_FORCE.GTC;
  draft.postOnly = POST_ONLY.slide;
  return true;
}

/** Makes the order close at most the open size; false if nothing is open or the order already does. */
function reduce({ builder: { state, scene }, account, market, draft }: Work): boolean {
  const signedLots = scene.signedLotsOf(account, market);
  const side = signedLots > 0 ? SIDE.sell : SIDE.buy;
  if (signedLots === 0 || (draft.reduceOnly && draft.side === side)) return false;
  const { lotSize, maxLots } = state.parameters[market]!;
  draft.reduceOnly = true;
  draft.side = side;
  draft.size = Math.min(draft.size, Math.abs(signedLots) * lotSize, maxLots * lotSize);
  return true;
}

/** Reduces the order to a percentage of what margin allows; false if that is below the market's least size. */
function afford({ builder, account, market, draft, detail }: Work): boolean {
  const { lotSize } = builder.state.parameters[market]!;
  const tries = (lots: number) =>
    refusalOf(builder.state, account, "placeOrder", { ...draft, size: lots * lotSize }) !== "INSUFFICIENT_MARGIN";
  const least = getLeast(builder, market, draft);
  const lots = Math.floor(draft.size / lotSize);
  if (lots <= least || !tries(least)) return false;
  const most = findEdge(least, lots, tries);
  draft.size = Math.max(least, Math.floor((most * PARTS[detail % PARTS.length]!) / 100)) * lotSize;
  return true;
}

/** Moves the order to another market that trades: few lots at the mark. If none trades, the operator activates one. */
function move(work: Work): boolean {
  if (moves(work)) return true;
  if (work.detail % 4 === 0) revive(work.builder);
  return false;
}

function moves(work: Work): boolean {
  const { builder, draft, detail } = work;
  const { parameters, markets, marketNames } = builder.state;
  if (work.isMoved) return false;
  work.isMoved = true;
  for (let step = 1; step < marketNames.length; step++) {
    const row = ((work.market + step) % marketNames.length) as MarketRow;
    const { status, tickSize, lotSize, pauseTrade } = parameters[row]!;
    if (status !== MARKET_STATUS.active || pauseTrade !== 0 || markets.mark[row] === 0 || markets.restarting[row] !== 0)
      continue;
    work.market = row;
    draft.market = marketNames[row]!;
    if (draft.price !== 0) draft.price = Math.max(1, Math.round(markets.mark[row]! / tickSize)) * tickSize;
    draft.size = Math.min(getLeast(builder, row, draft) * (1 + detail), Math.floor(LIMIT / lotSize)) * lotSize;
    return true;
  }
  return false;
}

/** Moves the price into the band, mostly with room for index moves before execution. */
function keepInBand({ builder: { state }, market, draft, detail }: Work): boolean {
  const { tickSize } = state.parameters[market]!;
  const low = Math.ceil(state.markets.bandLow[market]! / tickSize);
  const high = Math.floor(state.markets.bandHigh[market]! / tickSize);
  if (low > high) return false;
  const room = detail % 4 === 3 ? 0 : Math.floor((high - low) / 4);
  const ticks = Math.round((draft.price || state.markets.mark[market]!) / tickSize);
  const kept = Math.max(1, Math.min(Math.max(ticks, low + room), high - room));
  if (draft.price === kept * tickSize) {
    if (draft.postOnly === POST_ONLY.no) return false;
    draft.postOnly = POST_ONLY.no; // it slid out of the band
    return true;
  }
  draft.price = kept * tickSize;
  draft.slippage = 0;
  return true;
}

/** Reports the world price earlier in the block, unless a report exists. */
function report(builder: BlockBuilder, market: MarketRow): void {
  const name = builder.state.marketNames[market]!;
  const path = builder.prices.find((one) => one.market.name === name);
  const isReported = ({ payload }: { payload: unknown }) => (payload as { market?: string }).market === name;
  if (path === undefined || builder.oracle.some(isReported)) return;
  builder.oracle.push(signSystem(builder, "oracleUpdate", reportPrice(builder, path)));
}

/** If no market trades, the operator activates one, once per block. */
function revive(builder: BlockBuilder): void {
  if (builder.system.some(({ action }) => action === "updateMarket" || action === "createMarket")) return;
  for (const { action, payload } of drawRevival(builder)) builder.system.push(signSystem(builder, action, payload));
}
