import type { TimeMs } from "../../../ground/math/fixed.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { addSources } from "../prices/oracle.ts";
import { Book } from "../state/book.ts";
import type { MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** Adds a market with an empty book. */
export function addMarket(state: State, name: string, parameters: MarketParameters): MarketRow {
  const market = state.markets.rows.allocate();
  state.parameters.push(parameters);
  if (parameters.feeTiers.length > 0) state.tiered = true;
  state.marketNames.push(name);
  state.marketRows.set(name, market);
  state.books.push(new Book());
  state.markets.oracleTime[market] = 0 as TimeMs;
  addSources(state, market, parameters);
  state.events.marketCreated({
    market,
    name: state.events.text(name),
    definition: state.events.text(parameters.definition),
  });
  return market;
}
