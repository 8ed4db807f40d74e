import type { MarketParameters } from "../../protocol/parameters.ts";
import { clearPremiums } from "../funding/samples.ts";
import { refreshTiered } from "../matching/volume.ts";
import type { MarketRow, PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** Puts other parameters into force. Everybody with a position in the market is looked at in the next risk pass. */
export function changeParameters(state: State, market: MarketRow, parameters: MarketParameters): void {
  const { fundingMethod } = state.parameters[market]!;
  state.parameters[market] = parameters;
  refreshTiered(state);
  state.events.marketChanged({ market, definition: state.events.text(parameters.definition) });
  // Another method would misread the samples: funding starts anew, as in a new market.
  if (fundingMethod !== parameters.fundingMethod) clearPremiums(state, market, 0);
  const { positions, accounts, risk } = state;
  for (let at = 0 as PositionRow; at < positions.rows.high; at++) {
    if (positions.rows.isLive(at) && positions.market[at] === market) risk.markDirty(accounts, positions.account[at]);
  }
}
