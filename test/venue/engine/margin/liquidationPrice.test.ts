import fc from "fast-check";
import { expect, test } from "vitest";
import { type Amount, LIMIT, type Lots, type PriceE8 } from "../../../../src/ground/math/fixed.ts";
import { isParameterFault } from "../../../../src/protocol/parameterFault.ts";
import type { MarketParameters } from "../../../../src/protocol/parameters.ts";
import { readMarketParameters } from "../../../../src/protocol/readParameters.ts";
import { findLiquidationPrice, getRestOfMargin } from "../../../../src/venue/engine/margin/liquidationPrice.ts";
import {
  computeMaintenanceBig,
  computeMarkedValueBig,
  computeNotionalBig,
} from "../../../../src/venue/engine/valuation/notional.ts";
import { TestVenue } from "../../../helpers/venue.ts";

function rules(texts: Record<string, string>): MarketParameters {
  const read = readMarketParameters("linear", { markMethod: "reported", ...texts });
  if (isParameterFault(read)) throw new Error(`${read.parameter}: ${read.reason}`);
  return read;
}

const shapes = [
  rules({}),
  rules({ tickSize: "0.01", lotSize: "0.0001", tier1: "0 0.02 0.01", tier2: "1000 0.04 0.02" }),
  rules({ tickSize: "1", lotSize: "1000", positionLimit: "90000000", tier2: "" }),
];

/** The same search in big integers alone. */
function findExactly(parameters: MarketParameters, lots: Lots, rest: bigint, mark: PriceE8): number | undefined {
  const isLiquidatable = (price: number): boolean => {
    const notional = computeNotionalBig(parameters, lots, price as PriceE8);
    const value = computeMarkedValueBig(parameters, lots, price as PriceE8);
    return rest + value < computeMaintenanceBig(parameters, notional);
  };
  if (isLiquidatable(mark)) return mark;
  let safe: number = mark;
  let gone = lots > 0 ? 1 : parameters.priceMost;
  if (!isLiquidatable(gone)) return undefined;
  while (Math.abs(safe - gone) > 1) {
    const middle = Math.floor((safe + gone) / 2);
    if (isLiquidatable(middle)) gone = middle;
    else safe = middle;
  }
  return gone;
}

// Goal: the path of doubles is the exact one. Method: sizes, prices and equities of usual magnitude and up to what is
// storable and beyond, against the search in big integers.
test("the liquidation price is that of the search in big integers", () => {
  const lots = fc.oneof(fc.integer({ min: -10_000, max: 10_000 }), fc.integer({ min: -LIMIT, max: LIMIT }));
  const price = fc.oneof(fc.integer({ min: 1, max: 1e13 }), fc.integer({ min: 1, max: LIMIT }));
  // Equity less value at the mark: from far below to far above it.
  const slack = fc.oneof(
    fc.bigInt(-1_000_000n, 10_000_000_000n),
    fc.bigInt(-BigInt(LIMIT), BigInt(LIMIT)),
    fc.bigInt(-(10n ** 24n), 10n ** 24n),
  );
  let found = 0;
  fc.assert(
    fc.property(fc.constantFrom(...shapes), lots, price, slack, (parameters, size, at, over) => {
      fc.pre(size !== 0 && at <= parameters.priceMost);
      const rest = over - computeMarkedValueBig(parameters, size as Lots, at as PriceE8);
      const exact = findExactly(parameters, size as Lots, rest, at as PriceE8);
      if (exact !== undefined && exact !== at) found++;
      expect(findLiquidationPrice(parameters, size as Lots, rest, at as PriceE8)).toBe(exact);
    }),
    { numRuns: 400 },
  );
  expect(found).toBeGreaterThan(20);
});

test("the equity that a lone position leaves is exact up to the storable range", () => {
  const v = new TestVenue({ accounts: { alice: "1000", bob: "1000" }, prices: { TEST: "100" } });
  v.do(v.sell("bob", "1", "100"), v.buy("alice", "1", "100"));
  const [account, position] = [v.row("alice"), v.positionRow("alice")];
  const { accounts, positions } = v.state;
  const any = fc.oneof(fc.integer({ min: -LIMIT, max: LIMIT }), fc.constantFrom(LIMIT, -LIMIT, LIMIT - 1, 1 - LIMIT));
  let beyond = 0;
  fc.assert(
    fc.property(any, any, (collateral, cost) => {
      accounts.collateral[account] = collateral as Amount;
      positions.cost[position] = cost as Amount;
      const exact = BigInt(collateral) - BigInt(cost);
      if (exact > 2n ** 53n) beyond++;
      expect(BigInt(getRestOfMargin(v.state, position))).toBe(exact);
    }),
  );
  expect(beyond).toBeGreaterThan(5);
});
