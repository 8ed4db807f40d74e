import { createTable } from "../../../ground/collections/table.ts";
import type { PriceE8 } from "../../../ground/math/fixed.ts";
import { refreshLotValue } from "../prices/refreshMarket.ts";
import { Health } from "../state/health.ts";
import type { MarginTables } from "../state/marginTables.ts";
import { type Accounts, type MarketRow, type Markets, marketTable, type Positions } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { computeInitialRate } from "./initialRate.ts";

/**
 * The margin tables of a venue at marks of their own, which no block has: everything else is the venue's, now and
 * later. With the same marks in the venue, each margin computation gives the same numbers.
 */
export class MarkedTables implements MarginTables {
  readonly accounts: Accounts;
  readonly positions: Positions;
  readonly markets: Markets;
  readonly parameters: MarginTables["parameters"];
  readonly health = new Health();
  readonly isolatedHealth = new Health();

  /** @param state a venue to which no market is added any more */
  constructor(state: State) {
    this.accounts = state.accounts;
    this.positions = state.positions;
    this.parameters = state.parameters;
    const own = createTable(marketTable, state.markets.rows.capacity);
    const { mark, lotWhole, lotRest, initialRate } = own;
    this.markets = Object.assign(own, state.markets, { mark, lotWhole, lotRest, initialRate });
  }

  /** Gives a market another mark. */
  setMark(market: MarketRow, mark: PriceE8): void {
    const { markets } = this;
    const rules = this.parameters[market]!;
    markets.mark[market] = mark;
    refreshLotValue(markets, rules, market);
    markets.initialRate[market] = computeInitialRate(markets, rules, market);
  }
}
