import { abs, clamp, divCeil, divFloor, max, min } from "../arithmetic.ts";
import { VALUE_SCALE } from "../market/parameters.ts";
import type { Account, Market, Order, Side } from "../state.ts";
import { LIMIT, PPB } from "../words.ts";

/**
 * Average price of filling a notional on one side with whole lots, 1e-8 USD. It is rounded down for bids and up for
 * asks; undefined if the side is not deep enough (FND-1).
 */
export function computeImpactPrice(market: Market, orders: readonly Order[], side: Side): bigint | undefined {
  const { impactNotional, tickLotValue, lotSize } = market.parameters;
  let value = 0n;
  let lots = 0n;
  for (const { price, fillable } of findFillable(market, orders)) {
    const lotValue = price * tickLotValue;
    const needed = divCeil(impactNotional - value, lotValue);
    const taken = needed < fillable ? needed : fillable;
    value += taken * lotValue;
    lots += taken;
    if (value >= impactNotional) break;
  }
  if (lots === 0n || value < impactNotional) return undefined;
  const divide = side === "buy" ? divFloor : divCeil;
  return min(divide(value * VALUE_SCALE, lots * lotSize), LIMIT);
}

/**
 * The lots that the orders of a side can fill, best first. An account's reduce-only orders fill at most its position
 * less the lots of its orders before them (ORD-9).
 */
function findFillable(
  market: Market,
  orders: readonly Order[],
): { readonly price: bigint; readonly fillable: bigint }[] {
  const ahead = new Map<Account, bigint>();
  return orders.map(({ account, price, remaining, reduceOnly }) => {
    const before = ahead.get(account) ?? 0n;
    const left = abs(account.positions.get(market.ordinal)?.signedLots ?? 0n) - before;
    const fillable = reduceOnly ? max(0n, min(remaining, left)) : remaining;
    ahead.set(account, before + fillable);
    return { price, fillable };
  });
}

/** Distance of the impact prices beyond the index, ppb of the index, toward zero, and at most 1,000 % (FND-1). */
export function computePremium(market: Market): bigint {
  const { index } = market;
  const bid = computeImpactPrice(market, market.bids, "buy") ?? index;
  const ask = computeImpactPrice(market, market.asks, "sell") ?? index;
  const excess = max(0n, bid - index) - max(0n, index - ask);
  return clamp((excess * PPB) / index, -10n * PPB, 10n * PPB);
}
