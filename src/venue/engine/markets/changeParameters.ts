import type { MarketParameters } from "../../../protocol/parameters.ts";
import { getPriceMost } from "../../../protocol/readParameters.ts";
import { changeFunding } from "../funding/interval.ts";
import { trimMarket } from "../matching/reduceOnly.ts";
import { refreshTiered } from "../matching/volume.ts";
import type { MarketRow, PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/**
 * A price that makes new parameters invalid (NUM-3), with the greatest price that they admit. They must admit every
 * present price of the market. A smaller `positionLimit` must not raise the greatest price beyond the one at which the
 * largest open position can be valued.
 */
export function findPriceFault(
  state: State,
  market: MarketRow,
  parameters: MarketParameters,
): { readonly price: number; readonly most: number } | undefined {
  const { positions, markets } = state;
  const { priceMost } = parameters;
  const { mark, index, oracle, reported } = markets;
  const price = Math.max(mark[market], index[market], oracle[market], reported[market]);
  if (price > priceMost) return { price, most: priceMost };
  // A position above the limit does not prevent a pause: a bound no greater than the one before admits no new prices.
  if (priceMost <= state.parameters[market]!.priceMost) return undefined;
  let largest = 0;
  for (let at = 0 as PositionRow; at < positions.rows.high; at++) {
    if (!positions.rows.isLive(at) || positions.market[at] !== market) continue;
    largest = Math.max(largest, Math.abs(positions.signedLots[at]));
  }
  const most = largest > parameters.positionLimitLots ? getPriceMost(parameters, largest) : priceMost;
  return most < priceMost ? { price: priceMost, most } : undefined;
}

/** Puts other parameters into force. Every account with a position in the market is checked in the next risk pass. */
export function changeParameters(state: State, market: MarketRow, parameters: MarketParameters): void {
  const before = state.parameters[market]!;
  state.parameters[market] = parameters;
  refreshTiered(state);
  state.events.marketChanged({ market, definition: state.events.text(parameters.definition) });
  changeFunding(state, market, before, parameters);
  if (parameters.reduceOnlyResting !== before.reduceOnlyResting) trimMarket(state, market);
  const { positions, accounts, risk } = state;
  for (let at = 0 as PositionRow; at < positions.rows.high; at++) {
    if (positions.rows.isLive(at) && positions.market[at] === market) risk.markDirty(accounts, positions.account[at]);
  }
}
