import type { Amount, Lots, PriceE8 } from "../../../ground/math/fixed.ts";
import { CANCEL_CAUSE } from "../../../protocol/events.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { MARKET_STATUS } from "../../../protocol/words.ts";
import { dropOrder } from "../book/orders.ts";
import { sweepPool } from "../funding/pool.ts";
import { dropMarketIntents } from "../intents/followOrders.ts";
import { returnIsolated } from "../margin/isolated.ts";
import { changeParameters } from "../markets/changeParameters.ts";
import { applyFill } from "../matching/applyFill.ts";
import { refreshMarket } from "../prices/refreshMarket.ts";
import { marginAccountOf } from "../state/marginAccount.ts";
import { releaseIfEmpty } from "../state/positions.ts";
import type { MarketRow, OrderRow, PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { computeMarkedValueBig } from "../valuation/notional.ts";
import { coverSettlement, type Settled } from "./coverSettlement.ts";

/**
 * Ends a market (MKT). Orders are cancelled, the mark becomes the settlement price, funding is settled, and every
 * position is closed at it. Then negative margin accounts are paid for, and the collateral of isolated margin accounts
 * returns to cross.
 *
 * Cost: once per position row of the venue, and what the market holds.
 */
export function applySettlement(
  state: State,
  market: MarketRow,
  price: PriceE8,
  settling: MarketParameters,
  settled: MarketParameters,
): void {
  if (state.parameters[market]!.status !== MARKET_STATUS.settling) changeParameters(state, market, settling);
  dropMarketIntents(state, market);
  for (const order of listOrders(state, market)) dropOrder(state, order, CANCEL_CAUSE.settlement);
  const { markets } = state;
  markets.mark[market] = price;
  state.events.pricesMoved({ market, index: markets.index[market], mark: price, basis: markets.basis[market] });
  refreshMarket(state, market);
  const holders = listHolders(state, market);
  const closed = closeAll(state, market, price, holders);
  coverSettlement(state, market, closed);
  for (const position of holders) returnIsolated(state, position);
  changeParameters(state, market, settled);
  for (const position of holders) releaseIfEmpty(state, position);
}

/**
 * Closes every position at the price. Each is worth its value rounded down, long or short, so their sum is slightly
 * below zero. The difference goes to the market's dust account (NUM-2). Sizes net to zero, so that is all.
 */
function closeAll(state: State, market: MarketRow, price: PriceE8, holders: readonly PositionRow[]): Settled[] {
  const { positions, markets } = state;
  let rounding = 0n;
  const closed = holders.map((position): Settled => {
    const signedLots = positions.signedLots[position];
    const value = valueAt(state, market, signedLots, price);
    rounding -= value;
    const isolated = marginAccountOf(state, position);
    const gain = applyFill(state, position, (0 - signedLots) as Lots, (0 - Number(value)) as Amount, 0 as Amount);
    return { account: positions.account[position], isolated, gain };
  });
  markets.dust[market] = (markets.dust[market] + Number(rounding)) as Amount;
  state.events.marketSettled({ market, price, rounding: Number(rounding) });
  sweepPool(state, market);
  return closed;
}

/** Value of a signed size at a price, rounded down. */
export function valueAt(state: State, market: MarketRow, signedLots: Lots, price: PriceE8): bigint {
  return computeMarkedValueBig(state.parameters[market]!, signedLots, price);
}

/** Open positions of a market, by account. */
export function listHolders({ positions }: State, market: MarketRow): PositionRow[] {
  const found: PositionRow[] = [];
  const high = positions.rows.high;
  for (let at = 0 as PositionRow; at < high; at++) {
    if (positions.rows.isLive(at) && positions.market[at] === market && positions.signedLots[at] !== 0) found.push(at);
  }
  return found.sort((a, b) => positions.account[a] - positions.account[b]);
}

/** Resting orders of a market, by id. */
function listOrders({ orders, positions }: State, market: MarketRow): OrderRow[] {
  const found: OrderRow[] = [];
  const high = orders.rows.high;
  for (let at = 0 as OrderRow; at < high; at++) {
    if (orders.rows.isLive(at) && positions.market[orders.position[at]] === market) found.push(at);
  }
  return found.sort((a, b) => orders.id[a] - orders.id[b]);
}
