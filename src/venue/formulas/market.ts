import type { MarketPreset } from "../../protocol/marketPresets.ts";
import { isParameterFault } from "../../protocol/parameterFault.ts";
import { GRID_RULES, PARAMETER_RULES, type ParameterRule } from "../../protocol/parameterRules.ts";
import type { MarketParameters, ParameterTexts } from "../../protocol/parameters.ts";
import { readMarketParameters } from "../../protocol/readParameters.ts";
import { TICKS_MOST } from "../engine/handler/grid.ts";
import { FormulaError } from "./formulaError.ts";
import { type MarketTerms, namesOf, takeFields, takeMarket, takeWord } from "./terms.ts";
import { formatLots, formatPrice, parsePositiveLots, parsePrice, parseSize, parseTicks } from "./text.ts";

/**
 * The market that a formula computes with: the same reading, defaults and checks as `createMarket`.
 *
 *     readMarket({ tier1: "0 0.1 0.05", tier2: "" })
 *
 * A venue refuses a market whose mark may outrun its margin: `markClamp` + `fundingPaymentMax` must be below the first
 * maintenance rate (PRC-2). `unsafe: "1"` lifts that rule, in a venue too. `readMarketUnchecked` lifts all rules
 * between parameters.
 *
 * @param texts  named parameters, over those of the preset; an empty text for a tier removes it
 * @param preset one of those in docs/reference/parameters.md; `linear` by default
 * @throws {FormulaError} FORMULA_MARKET for a definition that a venue would refuse, with the bound or the rule
 */
export function readMarket(texts: ParameterTexts = {}, preset: MarketPreset = "linear"): MarketParameters {
  return read(texts, preset, PARAMETER_RULES);
}

/**
 * As `readMarket`, without the rules between parameters, which a venue needs and a single formula does not. Use it to
 * compute margin by tiers that no clamp fits, or with a rebate above the taker fee. Each parameter is in its own range,
 * tiers rise, and ticks and lots fit together (NUM-1). No venue takes such a market.
 */
export function readMarketUnchecked(texts: ParameterTexts = {}, preset: MarketPreset = "linear"): MarketParameters {
  return read(texts, preset, GRID_RULES);
}

function read(texts: ParameterTexts, preset: string, rules: readonly ParameterRule[]): MarketParameters {
  for (const [name, text] of Object.entries(takeFields(texts, "texts"))) {
    if (typeof text !== "string") throw new FormulaError("FORMULA_TYPE", name, `must be text, not a ${typeof text}`);
  }
  if (typeof preset !== "string") throw new FormulaError("FORMULA_TYPE", "preset", "must be the name of a preset");
  const made = readMarketParameters(preset, texts, undefined, rules);
  if (isParameterFault(made)) throw new FormulaError("FORMULA_MARKET", made.parameter, made.reason);
  return made;
}

const GRID = namesOf("lotSize", "tickSize");

/**
 * Whether a price and a size lie on a market's grid (ORD-5): the code with which an order would be rejected, or
 * undefined.
 *
 * @param size  units of base, above 0
 * @param price USD, above 0
 */
export function checkGrid(
  market: MarketTerms<(typeof GRID)[number]>,
  order: { readonly price: string; readonly size: string },
): "OFF_LOT" | "OFF_TICK" | undefined {
  takeMarket(market, GRID);
  const { price, size } = takeFields(order, "order");
  try {
    parsePositiveLots(market, size, "size");
  } catch (error) {
    if (isGridError(error)) return "OFF_LOT";
    throw error;
  }
  try {
    parseTicks(market, price, "price");
  } catch (error) {
    if (isGridError(error)) return "OFF_TICK";
    throw error;
  }
  return undefined;
}

/**
 * A price on the tick grid of a market (ORD-5): the nearest at or below, or at or above it.
 *
 * @param price USD, above 0; "0" results where no tick lies below it
 */
export function roundPriceToGrid(market: MarketTerms<"tickSize">, price: string, direction: "down" | "up"): string {
  takeMarket(market, ["tickSize"]);
  const steps = toStepsWithin(parsePrice(price, "price"), market.tickSize, direction);
  if (steps > TICKS_MOST) {
    throw new FormulaError("FORMULA_RANGE", "price", `must be at most ${TICKS_MOST} ticks`);
  }
  return formatPrice(BigInt(steps) * BigInt(market.tickSize));
}

/**
 * A size on the lot grid of a market (ORD-5): the nearest at or below, or at or above it.
 *
 * @param size units of base, any sign; a negative one is rounded like its magnitude
 */
export function roundSizeToGrid(market: MarketTerms<"lotSize">, size: string, direction: "down" | "up"): string {
  takeMarket(market, ["lotSize"]);
  const quantity = parseSize(size, "size");
  const steps = toStepsWithin(Math.abs(quantity), market.lotSize, direction);
  return formatLots(market, quantity < 0 ? 0 - steps : steps);
}

function toStepsWithin(quantity: number, step: number, direction: "down" | "up"): number {
  const down = Math.floor(quantity / step);
  return takeWord(direction, ["down", "up"], "direction") === "down" || down * step === quantity ? down : down + 1;
}

function isGridError(error: unknown): boolean {
  return error instanceof FormulaError && error.code === "FORMULA_GRID";
}
