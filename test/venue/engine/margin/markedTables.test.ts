import { expect, test } from "vitest";
import { MarkedTables } from "../../../../src/venue/engine/margin/markedTables.ts";
import type { MarketRow } from "../../../../src/venue/engine/state/schema.ts";
import { getNotionalAtMark } from "../../../../src/venue/engine/valuation/notional.ts";
import { TestVenue } from "../../../helpers/venue.ts";

// Goal: a read at a mark that no block has gives what the venue gives in a block with that mark (MRG-1). Method: one
// venue at each mark, and tables of the first that take the mark of the second. The lot makes values that are rounded.
test("tables at another mark value lots and rates as a venue at that mark does", () => {
  const market = 0 as MarketRow;
  const open = (mark: string) =>
    new TestVenue({
      markets: { TEST: { lotSize: "0.000003", tickSize: "1", minSize: "0.000003", markMethod: "reported" } },
      accounts: { alice: "1000" },
      prices: { TEST: mark },
    }).state;
  const [here, there] = [open("100"), open("133.33333333")];
  const tables = new MarkedTables(here);
  tables.setMark(market, there.markets.mark[market]!);
  const rules = here.parameters[market]!;
  for (const lots of [1, 7, 1_000_003]) {
    const value = getNotionalAtMark(there.markets, rules, market, lots);
    expect(getNotionalAtMark(tables.markets, rules, market, lots)).toBe(value);
    expect(getNotionalAtMark(here.markets, rules, market, lots)).not.toBe(value);
  }
  expect(tables.markets.initialRate[market]).toBe(there.markets.initialRate[market]);
});
