/** Decimal text into the engine's whole numbers and back, for formulas. Reading is strict: nothing is rounded here. */
import { DecimalError, formatDecimal, parseDecimal } from "../../ground/math/decimal.ts";
import {
  AMOUNT_DECIMALS,
  type Amount,
  LIMIT,
  type Lots,
  PRICE_DECIMALS,
  type PriceE8,
  SIZE_DECIMALS,
  type Ticks,
} from "../../ground/math/fixed.ts";
import type { MarketParameters } from "../../protocol/parameters.ts";
import { OFF_GRID, TICKS_MOST, toSteps } from "../engine/handler/grid.ts";
import { FormulaError } from "./formulaError.ts";

const PPM_DECIMALS = 6;
const PPB_DECIMALS = 9;

function parse(text: string, decimals: number, argument: string): number {
  if (typeof text !== "string") {
    const given = text === undefined ? "is missing" : `must be decimal text such as "0.5", not ${nameType(text)}`;
    throw new FormulaError("FORMULA_TYPE", argument, given);
  }
  try {
    return parseDecimal(text, decimals);
  } catch (error) {
    if (!(error instanceof DecimalError)) throw error;
    throw new FormulaError(error.fault === "range" ? "FORMULA_RANGE" : "FORMULA_DECIMAL", argument, error.message);
  }
}

function nameType(value: unknown): string {
  return value === null ? "null" : typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** Collateral, value or margin; any sign. */
export function parseAmount(text: string, argument: string): Amount {
  return parse(text, AMOUNT_DECIMALS, argument) as Amount;
}

/** An amount that is not negative. */
export function parseUnsigned(text: string, argument: string): Amount {
  const amount = parseAmount(text, argument);
  if (amount < 0) throw new FormulaError("FORMULA_RANGE", argument, "must not be negative");
  return amount;
}

/** A reference price: positive. */
export function parsePrice(text: string, argument: string): PriceE8 {
  const price = parse(text, PRICE_DECIMALS, argument);
  if (price <= 0) throw new FormulaError("FORMULA_RANGE", argument, "must be positive");
  return price as PriceE8;
}

/** A difference of reference prices; any sign. */
export function parseBasis(text: string, argument: string): number {
  return parse(text, PRICE_DECIMALS, argument);
}

/** The parameters by which sizes are read. */
export type SizeTerms = Pick<MarketParameters, "lotSize">;
/** The parameters by which order prices are read. */
export type TickTerms = Pick<MarketParameters, "tickSize">;

/** A signed size in lots of the market; positive is long, or buys. */
export function parseLots(market: SizeTerms, text: string, argument: string): Lots {
  const size = parse(text, SIZE_DECIMALS, argument);
  const lots = toSteps(size < 0 ? -size : size, market.lotSize);
  if (lots === OFF_GRID) {
    const lot = format(market.lotSize, SIZE_DECIMALS, argument);
    throw new FormulaError("FORMULA_GRID", argument, `is not a whole number of lots of ${lot}`);
  }
  return (size < 0 ? 0 - lots : lots) as Lots;
}

/** A signed size, on the grid or not, in 1e-8. */
export function parseSize(text: string, argument: string): number {
  return parse(text, SIZE_DECIMALS, argument);
}

/** A size that is above 0. */
export function parsePositiveLots(market: SizeTerms, text: string, argument: string): Lots {
  const lots = parseLots(market, text, argument);
  if (lots <= 0) throw new FormulaError("FORMULA_RANGE", argument, "must be positive");
  return lots;
}

/** An order price in ticks of the market. */
export function parseTicks(market: TickTerms, text: string, argument: string): Ticks {
  const ticks = toSteps(parsePrice(text, argument), market.tickSize);
  if (ticks === OFF_GRID) {
    const tick = formatPrice(market.tickSize);
    throw new FormulaError("FORMULA_GRID", argument, `is not a whole number of ticks of ${tick}`);
  }
  if (ticks > TICKS_MOST) {
    const most = formatPrice(BigInt(TICKS_MOST) * BigInt(market.tickSize));
    throw new FormulaError("FORMULA_RANGE", argument, `must be at most ${most}, ${TICKS_MOST} ticks`);
  }
  return ticks as Ticks;
}

/** A funding rate or premium, 9 decimals; any sign. */
export function parseRate(text: string, argument: string): number {
  return parse(text, PPB_DECIMALS, argument);
}

/** A share, 6 decimals, not negative. */
export function parseShare(text: string, argument: string): number {
  const share = parse(text, PPM_DECIMALS, argument);
  if (share < 0) throw new FormulaError("FORMULA_RANGE", argument, "must not be negative");
  return share;
}

/** A part of a quote unit in steps of 10^-decimals USD. */
export function parseRemainder(text: string, decimals: number, argument: string): number {
  return parse(text, decimals, argument);
}

/** A whole number of at least `least`, for times and counts. */
export function takeCount(value: number, least: number, argument: string): number {
  if (typeof value !== "number") {
    const given = value === undefined ? "is missing" : `must be a number, not ${nameType(value)}`;
    throw new FormulaError("FORMULA_TYPE", argument, given);
  }
  if (!(Number.isInteger(value) && value >= least && value <= LIMIT)) {
    throw new FormulaError("FORMULA_RANGE", argument, `must be a whole number from ${least} to ${LIMIT}`);
  }
  return value;
}

function format(value: number | bigint, decimals: number, result: string): string {
  if (typeof value === "number" && !(value <= Number.MAX_SAFE_INTEGER && value >= -Number.MAX_SAFE_INTEGER)) {
    throw new FormulaError("FORMULA_RANGE", result, "the result is beyond what can be stored");
  }
  return formatDecimal(typeof value === "number" ? value + 0 : value, decimals);
}

export function formatAmount(value: number | bigint, result = "amount"): string {
  return format(value, AMOUNT_DECIMALS, result);
}

export function formatPrice(value: number | bigint, result = "price"): string {
  return format(value, PRICE_DECIMALS, result);
}

export function formatRate(value: number, result = "rate"): string {
  return format(value, PPB_DECIMALS, result);
}

export function formatShare(value: number, result = "share"): string {
  return format(value, PPM_DECIMALS, result);
}

export function formatLots(market: SizeTerms, lots: number, result = "size"): string {
  return format(BigInt(lots) * BigInt(market.lotSize), SIZE_DECIMALS, result);
}

/** An order price in ticks of the market. */
export function formatTicks(market: MarketParameters, ticks: number, result = "price"): string {
  return format(BigInt(ticks) * BigInt(market.tickSize), PRICE_DECIMALS, result);
}

/** An average price over lots, 1e-8 USD, from their value: |value| / lots, toward zero. */
export function formatAverage(
  market: Pick<MarketParameters, "lotNumerator" | "lotDenominator">,
  value: bigint,
  lots: bigint,
): string {
  const size = lots < 0n ? -lots : lots;
  const worth = value < 0n ? -value : value;
  return formatPrice((worth * BigInt(market.lotDenominator)) / (size * BigInt(market.lotNumerator)));
}
