import type { Lots, PriceE8 } from "../../../ground/math/fixed.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { findLiquidationPrice } from "../../../venue/engine/margin/liquidationPrice.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import {
  computeMaintenance,
  computeMaintenanceBig,
  computeMarkedValue,
  computeMarkedValueBig,
  computeNotional,
  computeNotionalBig,
} from "../../../venue/engine/valuation/notional.ts";
import type { MarginedPosition } from "../../report/input.ts";

/**
 * Liquidation prices of positions from equity and maintenance margin of their margin accounts at a moment that is past:
 * the price that `getLiquidationPrice` returned then, while every other mark is unchanged (MRG-6).
 */
export function createLiquidationPrice(state: State): (position: MarginedPosition) => PriceE8 | undefined {
  const known = state.parameters.map(() => ({
    lots: 0,
    rest: 0n as number | bigint,
    price: undefined as PriceE8 | undefined,
  }));
  return (position) => {
    const { market, size, mark } = position;
    const rules = state.parameters[market]!;
    const lots = (size / rules.lotSize) as Lots;
    const short = computeRest(rules, lots, position);
    const rest = Number.isNaN(short) ? computeRestBig(rules, lots, position) : short;
    const last = known[market]!;
    // Without a trade, a payment or another position a price that is ahead of the mark stays the same.
    const { price } = last;
    const isAhead = price !== undefined && (lots > 0 ? price < mark : price > mark);
    if (last.lots === lots && last.rest === rest && isAhead) return price;
    last.lots = lots;
    last.rest = rest;
    last.price = findLiquidationPrice(rules, lots, BigInt(rest), mark);
    return last.price;
  };
}

/** Terms up to this add up exactly. */
const SHORT = 2 ** 51;

/** Equity less maintenance margin of a margin account without the position; `NaN` where doubles may not be exact. */
function computeRest(rules: MarketParameters, lots: Lots, { mark, equity, maintenance }: MarginedPosition): number {
  const own = computeMaintenance(rules, computeNotional(rules, lots, mark));
  const value = computeMarkedValue(rules, lots, mark);
  const others = maintenance - own;
  const isShort = Math.abs(equity) <= SHORT && Math.abs(value) <= SHORT && maintenance <= SHORT && own <= SHORT;
  return isShort ? equity - value - others : Number.NaN;
}

function computeRestBig(rules: MarketParameters, lots: Lots, { mark, equity, maintenance }: MarginedPosition): bigint {
  const own = computeMaintenanceBig(rules, computeNotionalBig(rules, lots, mark));
  return BigInt(equity) - computeMarkedValueBig(rules, lots, mark) - (BigInt(maintenance) - own);
}
