import { formatDecimal } from "../../../ground/math/decimal.ts";
import { LIMIT } from "../../../ground/math/fixed.ts";
import { isParameterFault } from "../../../protocol/parameterFault.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { readMarketParameters } from "../../../protocol/readParameters.ts";
import type { MarketRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";

/** Decimals of a size. */
const DECIMALS = 8;

interface PositionLimit {
  /** As a parameter's text. */
  readonly text: string;
  readonly isRefused: () => boolean;
}

/**
 * Whether the open positions and orders of a market exclude these rules (NUM-3). Either one of its prices exceeds the
 * greatest price, or the greatest price would rise and be too great for a position beyond the limit.
 */
export function isTooGreat(state: State, market: MarketRow, rules: MarketParameters): boolean {
  if (findGreatest(state, market) > rules.priceMost) return true;
  if (rules.priceMost <= state.parameters[market]!.priceMost) return false;
  const largest = findLargest(state, market);
  return largest > rules.positionLimitLots && !hasRoom(rules, rules.priceMost, largest);
}

/** At a price that leaves room, this many lots are worth a quarter of the bound; one lot's numerator is the bound. */
function hasRoom({ lotNumerator, lotDenominator }: MarketParameters, price: number, lots: number): boolean {
  const product = BigInt(price) * BigInt(lotNumerator);
  return product <= BigInt(LIMIT) && product * BigInt(lots) * 4n <= BigInt(LIMIT) * BigInt(lotDenominator);
}

/** The greatest of the market's prices that lead its mark. */
function findGreatest({ markets }: State, market: MarketRow): number {
  return Math.max(...[markets.mark, markets.index, markets.oracle, markets.reported].map((column) => column[market]));
}

/** Position limits to try: one lot, values around the largest position, and around the most that its prices allow. */
export function listLimits(state: State, market: MarketRow): readonly PositionLimit[] {
  const rules = state.parameters[market]!;
  const largest = findLargest(state, market);
  const worth = BigInt(findGreatest(state, market)) * BigInt(rules.lotNumerator) * 4n;
  const edge = worth === 0n ? largest : Number((BigInt(LIMIT) * BigInt(rules.lotDenominator)) / worth);
  return [1, largest - 1, largest, edge, edge + 1].map((lots) => {
    const text = formatDecimal(BigInt(Math.max(1, lots)) * BigInt(rules.lotSize), DECIMALS);
    const isRefused = () => {
      const read = readMarketParameters("", { positionLimit: text }, rules);
      return isParameterFault(read) || isTooGreat(state, market, read);
    };
    return { text, isRefused };
  });
}

/** Lots of the largest position; 0 without positions. */
function findLargest({ positions }: State, market: MarketRow): number {
  let largest = 0;
  for (let at = 0 as PositionRow; at < positions.rows.high; at++) {
    if (positions.rows.isLive(at) && positions.market[at] === market)
      largest = Math.max(largest, Math.abs(positions.signedLots[at]!));
  }
  return largest;
}
