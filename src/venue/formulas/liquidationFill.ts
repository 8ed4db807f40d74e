import { type Lots, PPM } from "../../ground/math/fixed.ts";
import { computeFillableLimit } from "../engine/liquidation/bookOrder.ts";
import { computeLiquidationFee } from "../engine/matching/liquidationFill.ts";
import { BankruptcyValue, computeBankruptcyPrice } from "../engine/valuation/bankruptcyValue.ts";
import { computeMaintenanceBig, computeNotionalBig } from "../engine/valuation/notional.ts";
import { FormulaError } from "./formulaError.ts";
import type { BankruptcyPrice } from "./liquidation.ts";
import { type MarketTerms, namesOf, takeFields, takeFlag, takeMark, takeMarket } from "./terms.ts";
import {
  formatAmount,
  formatPrice,
  parseAmount,
  parseLots,
  parsePositiveLots,
  parseShare,
  parseTicks,
} from "./text.ts";

const PART = namesOf("lotSize", "lotNumerator", "lotDenominator");
const FILLABLE = namesOf(...PART, "tickSize", "tickLotValue", "tiers", "priceMost");
const FILL = namesOf(...PART, "tickSize", "tickLotValue", "liquidationFee");

/**
 * Fillable price of a position under liquidation (LIQ-2), USD, on the tick grid: the limit of a liquidation order of
 * the policies `perplab` (with the bankruptcy price, the better of both) and `dydx`.
 *
 *     mark * (1 - sign * 1.5 * m * clamp(1 - equity / maintenance, 0, 1)),  m = maintenance / notional of the position
 *
 * Rounding: for the account that closes, a sale up and a purchase down. "0" for a limit below one tick.
 *
 * @param position    size of the whole position at the start of its liquidation step, and the mark
 * @param equity      of the margin account, USD
 * @param maintenance of the margin account, USD
 */
export function computeFillablePrice(
  market: MarketTerms<(typeof FILLABLE)[number]>,
  position: {
    readonly size: string;
    readonly mark: string;
    readonly equity: string;
    readonly maintenance: string;
  },
): string {
  takeMarket(market, FILLABLE);
  const signedLots = takeOpen(market, takeFields(position, "position").size);
  const notional = computeNotionalBig(market, signedLots, takeMark(market, position.mark));
  const part = {
    long: signedLots > 0,
    lots: Math.abs(signedLots),
    notional,
    maintenance: computeMaintenanceBig(market, notional),
  };
  const equity = BigInt(parseAmount(position.equity, "equity"));
  const ticks = computeFillableLimit(market, part, equity, BigInt(parseAmount(position.maintenance, "maintenance")));
  return formatPrice(BigInt(ticks) * BigInt(market.tickSize));
}

/**
 * Bankruptcy price of a part of a position (LIQ, NUM-2): its slice of the whole bankruptcy value. Slices are cut from a
 * running sum, rounded up for the liquidated account, so that they add up to the whole exactly.
 *
 * @param whole  signed size of the position, and its bankruptcy value, `computeBankruptcyPrices`
 * @param part   lots to close, without a sign
 * @param closed lots that were closed before it; "0" by default
 */
export function computeBankruptcyPriceOfPart(
  market: MarketTerms<(typeof PART)[number]>,
  terms: { readonly size: string; readonly value: string; readonly part: string; readonly closed?: string },
): BankruptcyPrice {
  takeMarket(market, PART);
  const { signedLots, slice, lots } = takeSlice(market, terms);
  const sign = signedLots > 0 ? 1 : -1;
  return { value: formatAmount(slice), price: formatPrice(computeBankruptcyPrice(market, slice, sign * lots)) };
}

export interface LiquidationFill {
  /** Value of the fill, USD, not negative. */
  readonly value: string;
  /** Liquidation fee that the account pays, USD: to the insurance fund. */
  readonly fee: string;
  /** What the insurance fund pays the account, USD; "0" unless the order is insured. */
  readonly cover: string;
  /** What the insurance fund gains, USD: fee less cover. */
  readonly fundDelta: string;
}

/**
 * A fill of a liquidation order (LIQ-2, LIQ-4). Its proceeds above the bankruptcy value of its lots pay the liquidation
 * fee, at most a rate of its value, rounded down. If the order is insured, the insurance fund pays the shortfall. Caps
 * of the fund are not applied: they make the fill smaller (LIQ-4).
 *
 * @param terms size, value and closed as in `computeBankruptcyPriceOfPart`; `part` lots filled at `price`, an order
 *   price; `feeRate` by default `liquidationFee`: the policy `hyperliquid` takes "0", `dydx` "0.015"
 */
export function computeLiquidationFill(
  market: MarketTerms<(typeof FILL)[number]>,
  terms: {
    readonly size: string;
    readonly value: string;
    readonly part: string;
    readonly closed?: string;
    readonly price: string;
    readonly insured?: boolean;
    readonly feeRate?: string;
  },
): LiquidationFill {
  takeMarket(market, FILL);
  const { signedLots, slice, lots } = takeSlice(market, terms);
  const worth = lots * parseTicks(market, terms.price, "price") * market.tickLotValue;
  const value = formatAmount(worth, "value");
  const rate = terms.feeRate === undefined ? market.liquidationFee : parseShare(terms.feeRate, "feeRate");
  const insured = takeFlag(terms.insured, "insured");
  if (rate > PPM) throw new FormulaError("FORMULA_RANGE", "feeRate", "must be at most 1");
  const above = BigInt(signedLots > 0 ? worth : -worth) - slice;
  const fee = above > 0n ? BigInt(computeLiquidationFee(above, worth, rate)) : 0n;
  const cover = insured && above < 0n ? -above : 0n;
  return { value, fee: formatAmount(fee), cover: formatAmount(cover), fundDelta: formatAmount(fee - cover) };
}

function takeOpen(market: MarketTerms<"lotSize">, text: string): Lots {
  const signedLots = parseLots(market, text, "size");
  if (signedLots === 0) throw new FormulaError("FORMULA_RANGE", "size", "must not be 0");
  return signedLots;
}

/** The slice of a bankruptcy value that belongs to a part of a position. */
function takeSlice(
  market: MarketTerms<"lotSize">,
  given: { readonly size: string; readonly value: string; readonly part: string; readonly closed?: string },
): { readonly signedLots: Lots; readonly slice: bigint; readonly lots: number } {
  const terms = takeFields(given, "terms");
  const signedLots = takeOpen(market, terms.size);
  const lots = parsePositiveLots(market, terms.part, "part");
  const closed = parseLots(market, terms.closed ?? "0", "closed");
  if (closed < 0) throw new FormulaError("FORMULA_RANGE", "closed", "must not be negative");
  if (closed + lots > Math.abs(signedLots)) {
    throw new FormulaError("FORMULA_RANGE", "part", "must be at most the rest of the position");
  }
  const bankruptcy = new BankruptcyValue(BigInt(parseAmount(terms.value, "value")), Math.abs(signedLots));
  bankruptcy.take(closed);
  return { signedLots, slice: bankruptcy.peek(lots), lots };
}
