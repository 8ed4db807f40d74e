import { describe, expect, test } from "vitest";
import { marketPresets } from "../../src/protocol/marketPresets.ts";
import { isParameterFault } from "../../src/protocol/parameterFault.ts";
import { readMarketParameters } from "../../src/protocol/readParameters.ts";
import { ruleSetNames, ruleSetOf } from "../../src/venue/simulation/compare/ruleSets.ts";
import { TestVenue } from "../helpers/venue.ts";

const VENUES = ["hyperliquid", "dydx", "binance"] as const;

test.each(Object.keys(marketPresets))("the preset %s passes the rules of markets unchanged", (preset) => {
  const market = readMarketParameters(preset, {});
  if (isParameterFault(market)) throw new Error(`${market.parameter}: ${market.reason}`);
  expect(market.unsafe).toBe(0);
});

test.each(["linear", "thin", "replay", ...VENUES])("orders enter a market of the preset %s", (preset) => {
  const v = new TestVenue({ markets: { TEST: { preset } }, accounts: { alice: "100000" } });
  // A market that makes its own mark takes none.
  v.do(v.price("60000", preset === "dydx" ? {} : { mark: "60000" }));
  expect(v.try(v.buy("alice", "0.01", "59000"))).toBe("applied");
});

// ADR 17: the fund pays no account for a liquidation into an offer of its own.
test("at the default close-out ratio the remaining equity at 10x pays for a move of the mark and the slippage (LIQ-4)", () => {
  const market = readMarketParameters("linear", { tier1: "0 0.1 0.05", tier2: "" });
  if (isParameterFault(market)) throw new Error(market.reason);
  const { closeOut, markClamp, insuranceSlippage, tiers } = market;
  expect((closeOut * tiers[0]!.maintenanceRate) / 1e6).toBeGreaterThanOrEqual(markClamp + insuranceSlippage);
  expect(readMarketParameters("minimal", {})).toMatchObject({ closeOut: 0 });
  expect(readMarketParameters("replay", {})).toMatchObject({ closeOut: 0 });
});

// ADR 25: what the margin does not pay for, another account does, whatever the venue does then.
test("a thin market has margin for a fall by 30 %, and its backstop pays no price far from the oracle price", () => {
  const market = readMarketParameters("thin", {});
  if (isParameterFault(market)) throw new Error(market.reason);
  expect(market.tiers[0]!.initialRate).toBeGreaterThanOrEqual(300_000);
  expect(market.leverageMax).toBe(3);
  for (const preset of ["linear", "thin"])
    expect(readMarketParameters(preset, {})).toMatchObject({ takeoverDistance: 0 });
  for (const preset of ["replay", ...VENUES, "minimal"])
    expect(readMarketParameters(preset, {})).toMatchObject({ takeoverDistance: 1e12 });
});

describe("the presets of venues", () => {
  const read = (name: string) => {
    const market = readMarketParameters(name, {});
    if (isParameterFault(market)) throw new Error(market.reason);
    return market;
  };

  test("have the margin, fees and methods of their Bitcoin markets", () => {
    const of = (name: string) => {
      const { tiers, takerFee, makerFee, fundingMethod, liquidationPolicy, fundingInterval } = read(name);
      const { initialRate, maintenanceRate } = tiers[0]!;
      return [initialRate, maintenanceRate, takerFee, makerFee, fundingMethod, liquidationPolicy, fundingInterval];
    };
    expect(of("hyperliquid")).toEqual([25_000, 12_500, 450, 150, 0, 1, 3_600_000]);
    expect(of("dydx")).toEqual([50_000, 30_000, 500, -110, 2, 2, 3_600_000]);
    expect(of("binance")).toEqual([8_000, 4_000, 500, 200, 3, 3, 28_800_000]);
  });

  test("can be compared by name: every market can take their rules", () => {
    expect(ruleSetNames()).toEqual(expect.arrayContaining(["perplab", ...VENUES]));
    const v = new TestVenue({ markets: { TEST: { preset: "minimal" } } });
    for (const name of VENUES) {
      const [change] = ruleSetOf(name, v.state)!.changes;
      const market = readMarketParameters("", change!.parameters, v.state.parameters[v.marketRow()]!);
      if (isParameterFault(market)) throw new Error(`${name}: ${market.parameter} ${market.reason}`);
      expect(market.liquidationPolicy).toBe(read(name).liquidationPolicy);
      expect(market.tiers).toEqual(read(name).tiers);
    }
  });
});
