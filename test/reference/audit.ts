/**
 * The books of a venue, added up from nothing in bigint: what must hold after every block, whatever happened in it.
 * Tests run it after each block; it shares no code with the engine but the tables that it reads.
 */
import { NONE } from "../../src/ground/collections/table.ts";
import { REDUCE_ONLY_RESTING } from "../../src/protocol/words.ts";
import {
  type AccountRow,
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  type MarketRow,
  type OrderRow,
  type PositionRow,
} from "../../src/venue/engine/state/schema.ts";
import type { State } from "../../src/venue/engine/state/state.ts";
import { TOTAL } from "../../src/venue/engine/state/totals.ts";

const BASE = 2n ** 52n;

/** Halves of a cumulative funding index. */
const join = (high: number, low: number) => BigInt(high) * 2n ** 32n + BigInt(low);

/** Throws with what is wrong; returns silently if nothing is. */
export function audit(state: State): void {
  const faults = [
    ...auditConservation(state),
    ...auditMarkets(state),
    ...auditReserves(state),
    ...auditBooks(state),
    ...auditStored(state),
  ];
  if (faults.length > 0) throw new Error(`audit at height ${state.height}: ${faults.join("; ")}`);
}

/** POS-4: what is inside equals what came in less what went out. */
function auditConservation(state: State): string[] {
  const { accounts, positions, markets, totals } = state;
  let inside = totals.get(TOTAL.insurance) + totals.get(TOTAL.fees) - totals.get(TOTAL.badDebt);
  for (let row = 0; row < accounts.rows.high; row++) inside += BigInt(accounts.collateral[row as AccountRow]!);
  for (let row = 0; row < positions.rows.high; row++) {
    const at = row as PositionRow;
    if (positions.rows.isLive(row)) inside += BigInt(positions.isolated[at]!) - BigInt(positions.cost[at]!);
  }
  for (let row = 0; row < markets.rows.high; row++) {
    const market = row as MarketRow;
    inside +=
      BigInt(markets.dust[market]!) + BigInt(markets.poolHigh[market]!) * BASE + BigInt(markets.poolLow[market]!);
  }
  const came = totals.get(TOTAL.inflows) - totals.get(TOTAL.withdrawals);
  const faults: string[] = [];
  if (inside !== came) faults.push(`conservation: inside ${inside}, came in ${came}`);
  if (totals.get(TOTAL.insurance) < 0n) faults.push("insurance below zero");
  if (totals.get(TOTAL.badDebt) < 0n) faults.push("bad debt below zero");
  if (totals.get(TOTAL.fees) < 0n) faults.push("fees below zero");
  return faults;
}

/** Sizes net to zero, open interest is the sum of longs, pool plus claims is never negative. */
function auditMarkets(state: State): string[] {
  const { positions, markets } = state;
  const faults: string[] = [];
  for (let row = 0; row < markets.rows.high; row++) {
    const market = row as MarketRow;
    let net = 0n;
    let longs = 0n;
    let pool = BigInt(markets.poolHigh[market]!) * BASE + BigInt(markets.poolLow[market]!);
    for (let at = 0; at < positions.rows.high; at++) {
      const position = at as PositionRow;
      if (!positions.rows.isLive(at) || positions.market[position] !== market) continue;
      const size = BigInt(positions.signedLots[position]!);
      net += size;
      if (size > 0n) longs += size;
      if (size === 0n) continue;
      // Unsettled claim, rounded against the account.
      const now = join(markets.fundingHigh[market]!, markets.fundingLow[market]!);
      const entry = join(positions.fundingHigh[position]!, positions.fundingLow[position]!);
      const delta = BigInt.asIntN(84, now - entry);
      const owed = size * delta - BigInt(positions.fundingRemainder[position]!);
      const quotient = owed / 1_000_000_000n;
      pool += owed > 0n && quotient * 1_000_000_000n !== owed ? quotient + 1n : quotient;
    }
    if (net !== 0n) faults.push(`market ${row}: sizes sum to ${net}`);
    if (longs !== BigInt(markets.openInterest[market]!)) faults.push(`market ${row}: open interest is not ${longs}`);
    if (pool < 0n) faults.push(`market ${row}: pool and claims ${pool}`);
    if (longs === 0n && pool !== 0n) faults.push(`market ${row}: pool ${pool} at zero open interest`);
    if (markets.dust[market]! < 0) faults.push(`market ${row}: dust below zero`);
  }
  return faults;
}

/** Sums that positions keep of their resting orders equal a walk over the orders. */
function auditReserves(state: State): string[] {
  const { positions, orders } = state;
  const faults: string[] = [];
  for (let at = 0; at < positions.rows.high; at++) {
    const position = at as PositionRow;
    if (!positions.rows.isLive(at)) continue;
    const sums = { buys: 0, sells: 0, buyOrderCost: 0, sellOrderCost: 0, reduceOnly: 0, count: 0 };
    for (let order = positions.orders[position]!; order !== NONE; order = orders.older[order]!) {
      sums.count++;
      const flags = orders.flags[order]!;
      const remaining = orders.remaining[order]!;
      if (remaining <= 0) faults.push(`order ${orders.id[order]}: ${remaining} left`);
      if ((flags & FLAG_REDUCE_ONLY) !== 0) {
        sums.reduceOnly += remaining;
        const closes =
          (flags & FLAG_SELL) !== 0 ? positions.signedLots[position]! > 0 : positions.signedLots[position]! < 0;
        if (!closes) faults.push(`order ${orders.id[order]}: reduce-only, and closes nothing`);
      } else if ((flags & FLAG_SELL) !== 0) {
        sums.sells += remaining;
        sums.sellOrderCost += orders.orderCost[order]!;
      } else {
        sums.buys += remaining;
        sums.buyOrderCost += orders.orderCost[order]!;
      }
    }
    const kept = {
      buys: positions.buys[position],
      sells: positions.sells[position],
      buyOrderCost: positions.buyOrderCost[position],
      sellOrderCost: positions.sellOrderCost[position],
      reduceOnly: positions.reduceOnly[position],
      count: positions.orderCount[position],
    };
    if (JSON.stringify(sums) !== JSON.stringify(kept)) {
      faults.push(`position ${at}: keeps ${JSON.stringify(kept)}, orders say ${JSON.stringify(sums)}`);
    }
    const { reduceOnlyResting } = state.parameters[positions.market[position]!]!;
    const trims = reduceOnlyResting === REDUCE_ONLY_RESTING.trim;
    if (trims && sums.reduceOnly > Math.abs(positions.signedLots[position]!))
      faults.push(`position ${at}: reduce-only beyond its size`);
  }
  return faults;
}

/** Every order is once in its level, books are not crossed, the index finds every order. */
function auditBooks(state: State): string[] {
  const { orders, books, positions } = state;
  const faults: string[] = [];
  let walked = 0;
  books.forEach((book, market) => {
    if (book.bestBid !== 0 && book.bestAsk !== 0 && book.bestBid >= book.bestAsk)
      faults.push(`book ${market} is crossed`);
    for (let price = book.bestBid; price !== 0; price = book.below(price)) walk(price, 0);
    for (let price = book.bestAsk; price !== 0; price = book.above(price)) walk(price, FLAG_SELL);
    function walk(price: number, side: number): void {
      let before = NONE;
      for (let order = book.head(price as never); order !== NONE; order = orders.levelNext[order]!) {
        walked++;
        if (orders.price[order] !== price || (orders.flags[order]! & FLAG_SELL) !== side) faults.push(`level ${price}`);
        if (orders.levelPrevious[order] !== before) faults.push(`queue of ${price} is broken`);
        if (positions.market[orders.position[order]!] !== market)
          faults.push(`order ${orders.id[order]} in book ${market}`);
        if (state.orderIndex.find(orders, orders.id[order]!) !== order)
          faults.push(`order ${orders.id[order]} not found`);
        before = order;
      }
    }
  });
  if (walked !== orders.rows.count) faults.push(`${orders.rows.count} orders, ${walked} in books`);
  if (state.orderIndex.count !== walked) faults.push(`order index holds ${state.orderIndex.count}`);
  return faults;
}

/** Everything stored is a whole number of at most 9e15 (NUM-3). */
function auditStored(state: State): string[] {
  const faults: string[] = [];
  const look = (what: string, value: number) => {
    if (!Number.isInteger(value) || Math.abs(value) > 9e15) faults.push(`${what} is ${value}`);
  };
  const { accounts, positions, orders, markets } = state;
  for (let row = 0; row < accounts.rows.high; row++) look(`collateral ${row}`, accounts.collateral[row as AccountRow]!);
  for (let row = 0; row < positions.rows.high; row++) {
    if (!positions.rows.isLive(row)) continue;
    const position = row as PositionRow;
    for (const name of ["signedLots", "cost", "isolated", "buyOrderCost", "sellOrderCost"] as const)
      look(name, positions[name][position]!);
  }
  for (let row = 0; row < orders.rows.high; row++) {
    if (orders.rows.isLive(row)) look("orderCost", orders.orderCost[row as OrderRow]!);
  }
  for (let row = 0; row < markets.rows.high; row++) {
    const market = row as MarketRow;
    for (const name of ["index", "mark", "basis", "dust", "premiumSum", "fundingDue", "fundingRate"] as const) {
      look(name, markets[name][market]!);
    }
  }
  return faults;
}
