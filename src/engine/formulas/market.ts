import {
  isParameterFault,
  type MarketParameters,
  type ParameterTexts,
  readMarketParameters,
} from "../../protocol/parameters.ts";
import { FormulaError } from "./formulaError.ts";
import { parsePositiveLots, parseTicks } from "./text.ts";

/**
 * The market that a formula computes with: the same reading, defaults and checks as `createMarket`.
 *
 *     readMarket({ tier1: "0 0.1 0.05", tier2: "" })
 *
 * @param texts  named parameters, over those of the preset; an empty text for a tier removes it
 * @param preset `linear` (default), `replay`, `minimal`
 * @throws {FormulaError} FORMULA_MARKET for a definition that a venue would refuse
 */
export function readMarket(texts: ParameterTexts = {}, preset = "linear"): MarketParameters {
  const read = readMarketParameters(preset, texts);
  if (isParameterFault(read)) throw new FormulaError("FORMULA_MARKET", read.parameter, read.reason);
  return read;
}

/**
 * Whether a price and a size lie on a market's grid (ORD-5): the code with which an order would be rejected, or undefined.
 *
 * @param size  units of base, above 0
 * @param price USD, above 0
 */
export function checkGrid(
  market: MarketParameters,
  { price, size }: { readonly price: string; readonly size: string },
): "OFF_LOT" | "OFF_TICK" | undefined {
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

function isGridError(error: unknown): boolean {
  return error instanceof FormulaError && error.code === "FORMULA_GRID";
}
