import { LIMIT, mulDivFloor, PPB, type PriceE8 } from "../../../ground/math/fixed.ts";
import { PRICE_SOURCE } from "../../../protocol/words.ts";
import { isBelow } from "../state/intentIndex.ts";
import type { IntentRow, Intents, MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** The present price of a source, 1e-8 USD; 0 where there is none yet. */
export function getPrice(state: State, market: MarketRow, source: number): PriceE8 {
  const { markets } = state;
  if (source === PRICE_SOURCE.mark) return markets.mark[market];
  if (source === PRICE_SOURCE.index) return markets.index[market];
  return toPrice(state, market, markets.last[market]);
}

/** A trade's price in 1e-8 USD. */
export function toPrice(state: State, market: MarketRow, ticks: number): PriceE8 {
  const price = ticks * state.parameters[market]!.tickSize;
  return (price > LIMIT ? LIMIT : price) as PriceE8;
}

/** Inputs of a trailing stop's trigger. */
export interface Trail {
  readonly kind: number;
  readonly side: number;
  /** Best price so far, 1e-8 USD. */
  readonly extreme: number;
  /** Distance: absolute, or 0 and a ratio. */
  readonly trail: number;
  readonly trailRate: number;
}

/**
 * Trigger of a trailing stop: its distance away from the best price so far. A ratio of that price is rounded down; the
 * trigger is never below 0.
 */
export function computeTrailTrigger({ kind, side, extreme, trail, trailRate }: Trail): PriceE8 {
  const distance = trail === 0 ? mulDivFloor(extreme, trailRate, PPB) : trail;
  const trigger = isBelow(kind, side) ? extreme - distance : extreme + distance;
  return (trigger < 0 ? 0 : trigger > LIMIT ? LIMIT : trigger) as PriceE8;
}

/** The same for an intent that is in the table. */
export function getTrailTrigger(intents: Intents, row: IntentRow): PriceE8 {
  return computeTrailTrigger({
    kind: intents.kind[row],
    side: intents.side[row],
    extreme: intents.extreme[row],
    trail: intents.trail[row],
    trailRate: intents.trailRate[row],
  });
}
