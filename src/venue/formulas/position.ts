import { computeMakerFee, computeTakerFee } from "../engine/matching/fees.ts";
import { computeMarkedValueBig } from "../engine/valuation/notional.ts";
import { computeRealized } from "../engine/valuation/realized.ts";
import { FormulaError } from "./formulaError.ts";
import { type MarketTerms, namesOf, takeFields, takeMark, takeMarket } from "./terms.ts";
import { formatAmount, formatAverage, formatLots, parseAmount, parseLots, parseTicks, parseUnsigned } from "./text.ts";

const LOT = namesOf("lotSize", "lotNumerator", "lotDenominator");
const PNL = namesOf(...LOT, "priceMost");
const FILL = namesOf(...LOT, "tickSize", "tickLotValue");
const FEES = namesOf("takerFee", "makerFee");

/** A position: signed size in units of base, and the signed USD paid for it (negative for a short). */
export interface PositionText {
  readonly size: string;
  readonly cost: string;
}

/**
 * Unrealised profit of a position at the mark (POS-3), USD.
 *
 *     floor(size * mark) - cost
 *
 * Rounding: the value goes down to a quote unit, for longs and shorts alike, so against the holder.
 */
export function computeUnrealizedPnl(
  market: MarketTerms<(typeof PNL)[number]>,
  position: PositionText & { readonly mark: string },
): string {
  takeMarket(market, PNL);
  const { size, cost, mark } = takeFields(position, "position");
  const value = computeMarkedValueBig(market, parseLots(market, size, "size"), takeMark(market, mark));
  return formatAmount(value - BigInt(parseAmount(cost, "cost")), "unrealizedPnl");
}

export interface FilledPosition extends PositionText {
  /** cost / size, 8 decimals, toward zero, for display (POS-1); "0" for a flat position. */
  readonly entryPrice: string;
  /** Profit that the fill realised, fees not counted. */
  readonly realizedPnl: string;
}

/**
 * A position after a fill (POS-2). An increase adds to the cost, a reduction releases cost pro rata, and a fill through
 * zero closes and opens again.
 *
 * @param position before the fill; `{ size: "0", cost: "0" }` for none
 * @param fill     signed size (positive buys), and the order price on the market's grid; or in its place `value`,
 *                 the signed USD paid, for a close at no order price: a takeover, deleveraging, settlement. A buy at a
 *                 positive price pays a positive value, a sale a negative one
 *
 * Rounding: released cost goes toward zero, for both signs; what stays is realised later. Fills themselves never round.
 */
export function computePositionAfterFill(
  market: MarketTerms<(typeof FILL)[number]>,
  position: PositionText,
  fill: { readonly size: string } & ({ readonly price: string } | { readonly value: string }),
): FilledPosition {
  takeMarket(market, FILL);
  takeFields(fill, "fill");
  const signedLots = parseLots(market, takeFields(position, "position").size, "position.size");
  const cost = parseAmount(position.cost, "position.cost");
  const lots = parseLots(market, fill.size, "fill.size");
  if (lots === 0) throw new FormulaError("FORMULA_RANGE", "fill.size", "must not be 0");
  if (signedLots === 0 && cost !== 0)
    throw new FormulaError("FORMULA_RANGE", "position.cost", "must be 0 without a size");
  const value =
    "value" in fill
      ? parseAmount(fill.value, "fill.value")
      : lots * parseTicks(market, fill.price, "fill.price") * market.tickLotValue;
  const realized = computeRealized(signedLots, cost, lots, value);
  const nextSignedLots = signedLots + lots;
  const nextCost = cost + value + realized;
  return {
    size: formatLots(market, nextSignedLots),
    cost: formatAmount(nextCost, "cost"),
    entryPrice: nextSignedLots === 0 ? "0" : formatAverage(market, BigInt(nextCost), BigInt(nextSignedLots)),
    realizedPnl: formatAmount(realized, "realizedPnl"),
  };
}

/**
 * Fees of a fill that is a taker order's first (ORD-7), USD; negative is received.
 *
 * Rounding: fees up, a rebate down, and never above the taker fee of the same match.
 *
 * @param value notional of the fill, USD
 */
export function computeFees(
  market: MarketTerms<(typeof FEES)[number]>,
  value: string,
): { readonly taker: string; readonly maker: string } {
  takeMarket(market, FEES);
  const worth = parseUnsigned(value, "value");
  const taker = computeTakerFee(worth, market.takerFee);
  return { taker: formatAmount(taker), maker: formatAmount(computeMakerFee(worth, market.makerFee, taker)) };
}
