import type { Lots, PriceE8 } from "../../../ground/math/fixed.ts";
import { findLiquidationPrice } from "../../../venue/engine/margin/liquidationPrice.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import {
  computeMaintenanceBig,
  computeMarkedValueBig,
  computeNotionalBig,
} from "../../../venue/engine/valuation/notional.ts";
import type { MarginedPosition } from "../../report/input.ts";

/**
 * Liquidation prices of positions from equity and maintenance margin of their margin accounts at a moment that is past: the
 * price that `getLiquidationPrice` returned then, while every other mark is unchanged (MRG-6).
 */
export function createLiquidationPrice(state: State): (position: MarginedPosition) => PriceE8 | undefined {
  const known = state.parameters.map(() => ({ lots: 0, rest: 0n, price: undefined as PriceE8 | undefined }));
  return ({ market, size, mark, equity, maintenance }) => {
    const rules = state.parameters[market]!;
    const lots = (size / rules.lotSize) as Lots;
    const own = computeMaintenanceBig(rules, computeNotionalBig(rules, lots, mark));
    const rest = BigInt(equity) - computeMarkedValueBig(rules, lots, mark) - (BigInt(maintenance) - own);
    const last = known[market]!;
    // Without a trade, a payment or another position a price that is ahead of the mark stays the same.
    const { price } = last;
    const isAhead = price !== undefined && (lots > 0 ? price < mark : price > mark);
    if (last.lots === lots && last.rest === rest && isAhead) return price;
    last.lots = lots;
    last.rest = rest;
    last.price = findLiquidationPrice(rules, lots, rest, mark);
    return last.price;
  };
}
