import { computeLossShare } from "../engine/liquidation/lossShare.ts";
import { findLiquidationPrice } from "../engine/margin/liquidationPrice.ts";
import {
  computeBankruptcyValues,
  computeBankruptcyPrice as computePrice,
} from "../engine/valuation/bankruptcyValue.ts";
import { computeMaintenanceBig, computeMarkedValueBig, computeNotionalBig } from "../engine/valuation/notional.ts";
import { FormulaError } from "./formulaError.ts";
import { type MarketTerms, namesOf, takeFields, takeLeverage, takeList, takeMark, takeMarket } from "./terms.ts";
import { formatAmount, formatPrice, parseAmount, parseLots, parseUnsigned } from "./text.ts";

const ZERO = namesOf("lotSize", "lotNumerator", "lotDenominator", "tiers", "priceMost");
const PRICE = namesOf(...ZERO, "leverageMax");
type BankruptcyMarket = MarketTerms<(typeof ZERO)[number]>;

/**
 * Price at which a margin account becomes liquidatable while every other mark is unchanged (MRG-6), USD: the first
 * reference price, from the mark against the position, at which equity is below maintenance,
 *
 *     p = (equity - size * mark - maintenance of the others + deduction_k) / (|size| * rate_k - size)
 *
 * found on the rounded maintenance margin, so that it is the very price at which the venue liquidates. Undefined where
 * there is none; the mark itself for a margin account that is below maintenance already. Source: dYdX, Binance (tiers).
 *
 * @param equity of the margin account at the present marks, USD
 * @param maintenanceOfOthers of the margin account's other positions, USD; none by default
 * @param leverage that the owner chose, checked as by `computeMargin`; it moves no liquidation price
 */
export function computeLiquidationPrice(
  market: MarketTerms<(typeof PRICE)[number]>,
  position: {
    readonly equity: string;
    readonly size: string;
    readonly mark: string;
    readonly maintenanceOfOthers?: string;
    readonly leverage?: number;
  },
): string | undefined {
  takeMarket(market, PRICE);
  const signedLots = parseLots(market, takeFields(position, "position").size, "size");
  const mark = takeMark(market, position.mark);
  takeLeverage(market, position.leverage);
  const equity = BigInt(parseAmount(position.equity, "equity"));
  const others = parseUnsigned(position.maintenanceOfOthers ?? "0", "maintenanceOfOthers");
  if (signedLots === 0) return undefined;
  const worth = computeMarkedValueBig(market, signedLots, mark);
  const rest = equity - worth - BigInt(others);
  const price = findLiquidationPrice(market, signedLots, rest, mark);
  return price === undefined ? undefined : formatPrice(price);
}

/** A position of a margin account under liquidation, in its market. */
export interface HeldPosition {
  readonly market: BankruptcyMarket;
  readonly size: string;
  readonly mark: string;
}

export interface BankruptcyPrice {
  /** What closing the whole position must fetch, USD; negative where closing costs money. */
  readonly value: string;
  /** value / size, 8 decimals, a sale up and a purchase down; it may be zero or negative (LIQ, NUM-2). */
  readonly price: string;
}

/**
 * Bankruptcy prices of a margin account's positions (LIQ). A close at them keeps equity / maintenance margin of the
 * other positions. Closing all of them leaves equity of exactly 0.
 *
 *     value = size * mark - share of equity,  share pro rata to maintenance       z = mark * (1 - sign * m * equity / maintenance)
 *
 * Shares are cut from a running sum, by larger maintenance, so they add up to the equity to the unit. Source: Lighter,
 * dYdX.
 *
 * @param equity    of the margin account, USD
 * @param positions all of them; ties of maintenance are cut in the order given
 * @returns in the order given
 */
export function computeBankruptcyPrices(equity: string, positions: readonly HeldPosition[]): BankruptcyPrice[] {
  const parts = takeList(positions, "positions").map((position, place) => {
    const { market, size, mark } = takeFields(position, `positions[${place}]`);
    takeMarket(market, ZERO, `positions[${place}].market`);
    const lots = parseLots(market, size, `positions[${place}].size`);
    if (lots === 0) throw new FormulaError("FORMULA_RANGE", `positions[${place}].size`, "must not be 0");
    const price = takeMark(market, mark, `positions[${place}].mark`);
    const maintenance = computeMaintenanceBig(market, computeNotionalBig(market, lots, price));
    return { market, lots, maintenance, value: computeMarkedValueBig(market, lots, price) };
  });
  const order = parts.map((_, place) => place);
  order.sort((a, b) => Number(parts[b]!.maintenance - parts[a]!.maintenance) || a - b);
  const sorted = order.map((place) => parts[place]!);
  const totals = computeBankruptcyValues(BigInt(parseAmount(equity, "equity")), sorted);
  const bankruptcies = new Array<BankruptcyPrice>(parts.length);
  order.forEach((place, at) => {
    const { market, lots } = parts[place]!;
    bankruptcies[place] = {
      value: formatAmount(totals[at]!),
      price: formatPrice(computePrice(market, totals[at]!, lots)),
    };
  });
  return bankruptcies;
}

/**
 * Bankruptcy price of a position that is alone in its margin account, USD: closed at it, nothing is left. It is the
 * bankruptcy price of a margin account of one.
 */
export function computeBankruptcyPrice(
  market: BankruptcyMarket,
  position: { readonly equity: string; readonly size: string; readonly mark: string },
): BankruptcyPrice {
  const { equity, size, mark } = takeFields(position, "position");
  return computeBankruptcyPrices(equity, [{ market, size, mark }])[0]!;
}

/**
 * How an unpaid loss is shared out (LIQ-6), USD: pro rata to equity above maintenance, capped by it, each share
 * rounded down. What rounding or the cap leaves is bad debt.
 *
 * @param above equity above maintenance of each account that shares the loss; a negative one shares nothing
 */
export function computeLossShares(
  loss: string,
  above: readonly string[],
): { readonly shares: string[]; readonly badDebt: string } {
  const lost = BigInt(parseUnsigned(loss, "loss"));
  const room = takeList(above, "above").map((text, place) => {
    const amount = BigInt(parseAmount(text, `above[${place}]`));
    return amount > 0n ? amount : 0n;
  });
  const total = room.reduce((sum, amount) => sum + amount, 0n);
  const shares = room.map((amount) => (total === 0n ? 0n : computeLossShare(lost, amount, total)));
  return {
    shares: shares.map((share) => formatAmount(share)),
    badDebt: formatAmount(shares.reduce((rest, share) => rest - share, lost)),
  };
}
