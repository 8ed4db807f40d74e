import { countUpTo } from "../../../ground/math/sorted.ts";
import { type Decision, marketOf, sideOf } from "./decision.ts";
import type { PriceSeries } from "./survey.ts";

/** How far ahead recorded prices are compared with decisions, in bars or minutes. */
const HORIZONS = [1, 4, 24];
/** Standard deviations from chance at which a strategy is taken to know the data: about one in a billion by chance. */
export const FORESIGHT_LIMIT = 6;

/**
 * How often a strategy that was shown an unrelated market bought before the recorded price rose, and sold before it
 * fell. A strategy that knows only the shown market is right as often as chance.
 */
export interface Foresight {
  /** Steps of the recorded prices: bars, or minutes of trades. */
  readonly horizon: number;
  readonly decisions: number;
  readonly right: number;
  /** By chance, given how often the price rises and how often the strategy buys. */
  readonly expected: number;
  /** Standard deviations from `expected`; below 0 where it is wrong more often. */
  readonly score: number;
  /** The first order of the more frequent kind, with the recorded prices that it went with, or against, 1e-8 USD. */
  readonly first: { readonly decision: Decision; readonly now: number; readonly later: number };
}

/** The horizon in which decisions are farthest from chance; undefined without a decision that can be compared. */
export function measureForesight(
  decisions: readonly Decision[],
  markets: readonly string[],
  series: readonly PriceSeries[],
): Foresight | undefined {
  let best: Foresight | undefined;
  for (const horizon of HORIZONS) {
    const found = measureAt(horizon, decisions, markets, series);
    if (found !== undefined && (best === undefined || Math.abs(found.score) > Math.abs(best.score))) best = found;
  }
  return best;
}

function measureAt(
  horizon: number,
  decisions: readonly Decision[],
  markets: readonly string[],
  series: readonly PriceSeries[],
): Foresight | undefined {
  const rising = series.map(({ price }) => shareRising(price, horizon));
  /** By market: the first step that a further decision may begin at, so that no move counts twice. */
  const free = markets.map(() => 0);
  let counted = 0;
  let right = 0;
  let expected = 0;
  let variance = 0;
  const first = new Map<boolean, Foresight["first"]>();
  for (const decision of decisions) {
    const side = sideOf(decision);
    const market = markets.indexOf(marketOf(decision));
    if (side === 0 || market < 0) continue;
    const { timeMs, price } = series[market]!;
    const at = countUpTo(timeMs, decision.timeMs) - 1;
    const now = price[at];
    const later = price[at + horizon];
    if (now === undefined || later === undefined || now === later || at < free[market]!) continue;
    free[market] = at + horizon;
    const chance = side > 0 ? rising[market]! : 1 - rising[market]!;
    counted++;
    const isRight = later > now === side > 0;
    if (isRight) right++;
    if (!first.has(isRight)) first.set(isRight, { decision, now, later });
    expected += chance;
    variance += chance * (1 - chance);
  }
  if (counted === 0) return undefined;
  const score = variance === 0 ? 0 : (right - expected) / Math.sqrt(variance);
  return { horizon, decisions: counted, right, expected, score, first: first.get(score >= 0) ?? first.get(score < 0)! };
}

/** Share of moves over a horizon that rise, of those that are not flat. */
function shareRising(price: readonly number[], horizon: number): number {
  let up = 0;
  let moves = 0;
  for (let at = 0; at + horizon < price.length; at++) {
    const change = price[at + horizon]! - price[at]!;
    if (change === 0) continue;
    moves++;
    if (change > 0) up++;
  }
  return moves === 0 ? 0.5 : up / moves;
}
