import type { MarketParameters } from "../../protocol/parameters.ts";
import { refreshTiered } from "../matching/volume.ts";
import type { MarketRow, PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** Puts other parameters into force. Everybody with a position in the market is looked at in the next risk pass. */
export function changeParameters(state: State, market: MarketRow, parameters: MarketParameters): void {
  state.parameters[market] = parameters;
  refreshTiered(state);
  state.events.marketChanged({ market, definition: state.events.text(parameters.definition) });
  const { positions, accounts, risk } = state;
  for (let at = 0 as PositionRow; at < positions.rows.high; at++) {
    if (positions.rows.isLive(at) && positions.market[at] === market) risk.markDirty(accounts, positions.account[at]);
  }
}
