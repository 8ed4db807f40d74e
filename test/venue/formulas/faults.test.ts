import { describe, expect, test } from "vitest";
import { formatDecimal } from "../../../src/ground/math/decimal.ts";
import { MARKET_PRESET_DOCS, marketPresets } from "../../../src/protocol/marketPresets.ts";
import { PARAMETER_RANGES } from "../../../src/protocol/parameterRanges.ts";
import { marketParameters } from "../../../src/protocol/parameters.ts";
import * as engine from "../../../src/venue/index.ts";

const market = engine.readMarket({ lotSize: "0.000001", minSize: "0.000001" }, "minimal");
const linear = engine.readMarket();
const levels = [
  ["100", "1"],
  ["101", "2"],
];
const held = { size: "1", cost: "100", mark: "101" };
const slice = { size: "3", value: "270", part: "1", closed: "1" };

/** A call of every formula that is accepted. */
const CALLS: Readonly<Record<string, readonly unknown[]>> = {
  readMarket: [{ takerFee: "0.001" }, "linear"],
  readMarketUnchecked: [{ takerFee: "0.001" }, "linear"],
  checkGrid: [market, { price: "1", size: "1" }],
  roundPriceToGrid: [market, "1.5", "down"],
  roundSizeToGrid: [market, "-1.5", "up"],
  computeAccount: [
    {
      collateral: "100",
      positions: [
        {
          ...held,
          market,
          leverage: 2,
          leastRate: "0.1",
          unsettledFunding: "-1",
          buys: "1",
          sells: "2",
          buyOrderCost: "1",
          sellOrderCost: "0",
        },
      ],
    },
  ],
  computeAverage: [{ average: "1", sample: "-2", elapsedMs: 5, tauMs: 7 }],
  computeBankruptcyPrice: [market, { equity: "5", size: "1", mark: "100" }],
  computeBankruptcyPriceOfPart: [market, slice],
  computeClampedPrice: [{ from: "1", to: "2", clamp: "0.1" }],
  computeCostToFill: [market, "buy", "1", levels],
  computeDeleveragingOrder: [
    market,
    [{ account: 1, size: "1", cost: "90", equity: "5", house: false }],
    { mark: "100", accounts: 2, height: 3 },
  ],
  computeFees: [market, "1"],
  computeFillablePrice: [market, { size: "1", mark: "100", equity: "1", maintenance: "5" }],
  computeFreeCollateral: [{ collateral: "1", losses: "-1", initial: "1", notional: "1" }],
  computeFundingPayment: [market, { size: "1", rate: "0.1", index: "1", carried: "0" }],
  computeFundingRate: [linear, ["0.1", "0.2"]],
  computeGreatestFundingRate: [linear, 3_600_000],
  computeGreatestLeverage: [market, { size: "1", mark: "100", leastRate: "0" }],
  computeImpactPrice: [linear, "asks", levels],
  computeLargestSize: [market, { side: "buy", price: "100", mark: "100", equity: "50", leverage: 3, leastRate: "0.1" }],
  computeLiquidationFill: [market, { ...slice, price: "95", insured: true, feeRate: "0.01" }],
  computeLiquidationPrice: [market, { equity: "9", size: "1", mark: "100", maintenanceOfOthers: "1", leverage: 2 }],
  computeLossShares: ["1", ["1", "-1"]],
  computeMargin: [market, { size: "1", mark: "100", leverage: 3, leastRate: "0.2" }],
  computeMedianMark: [
    linear,
    { index: "100", bid: "99", ask: "101", last: "100", reported: "100", basis: "1", elapsedMs: 5 },
  ],
  computeOpenInterestRate: [{ base: "0.1", openNotional: "5", lower: "1", upper: "10" }],
  computeOrderCost: [market, { side: "sell", size: "1", price: "1", mark: "1" }],
  computeMarginWithOrders: [
    market,
    { size: "1", buys: "1", sells: "1", buyOrderCost: "1", sellOrderCost: "1", mark: "1", leverage: 1, leastRate: "0" },
  ],
  computePositionAfterFill: [market, { size: "1", cost: "1" }, { size: "1", price: "1" }],
  computePremium: [linear, { index: "100", bids: [["99", "9"]], asks: [["101", "9"]] }],
  computePremiumFromPrices: [{ index: "100", impactBid: "99", impactAsk: "101" }],
  computePriceBand: [linear, { oracle: "100", index: "100" }],
  computeTwap: [[{ price: "1", ms: 1 }]],
  computeUnrealizedPnl: [market, held],
  computeBankruptcyPrices: ["1", [{ market, size: "1", mark: "100" }]],
};

/** Wrong values: of another type, missing, out of range, off the grid. */
const WRONG: readonly unknown[] = [
  ...[undefined, null, 5, -1.5, Number.NaN, 1n, true, {}, [], [5], "", "x", "0", "-1", "1.0", "1e3", "0.0000000001"],
  ...["9000000000000000000", "-9000000000000000000", "99999999", "0.5", Symbol("s"), () => "1"],
];

type Call = (...given: unknown[]) => unknown;
const formulas = engine as unknown as Readonly<Record<string, Call>>;

/** The arguments with one value replaced, for every value in them but those within a market. */
function* replaceEach(given: unknown, by: unknown): Generator<unknown> {
  yield by;
  if (typeof given !== "object" || given === null || given === market || given === linear) return;
  for (const key of Object.keys(given)) {
    for (const inner of replaceEach((given as Record<string, unknown>)[key], by)) {
      const copy = (Array.isArray(given) ? [...given] : { ...given }) as Record<string, unknown>;
      copy[key] = inner;
      yield copy;
    }
  }
}

describe("arguments that a formula refuses", () => {
  test("every exported formula is called here", () => {
    const exported = Object.keys(engine).filter((name) =>
      /^compute(?!Root|GenesisHash)|^round|^readMarket|^checkGrid/.test(name),
    );
    expect(exported.sort()).toEqual(Object.keys(CALLS).sort());
  });

  // Goal: a caller never sees a TypeError of the inside. Method: every value that is passed, and every argument as a
  // whole, replaced by things of other types and by texts that are out of range.
  test.each(Object.keys(CALLS))("%s answers or throws a FormulaError that names the argument", (name) => {
    const given = CALLS[name]!;
    const formula = formulas[name]!;
    formula(...given);
    let refused = 0;
    for (const [place, value] of given.entries()) {
      for (const wrong of WRONG) {
        for (const changed of replaceEach(value, wrong)) {
          const call = [...given];
          call[place] = changed;
          try {
            formula(...call);
          } catch (error) {
            if (!engine.isFormulaError(error)) throw new Error(`${name}(${String(place)}): ${String(error)}`);
            expect(error.argument.length).toBeGreaterThan(0);
            refused++;
          }
        }
      }
    }
    expect(refused).toBeGreaterThan(5);
  });

  test("a number in place of text is of another type, and a field that is left out is missing", () => {
    const refusal = (call: () => unknown) => {
      try {
        call();
      } catch (error) {
        if (engine.isFormulaError(error)) return [error.code, error.argument, error.message];
      }
      return undefined;
    };
    const margin = (terms: object) => refusal(() => engine.computeMargin(market, terms as never));
    expect(margin({ size: 1, mark: "1" })).toEqual([
      "FORMULA_TYPE",
      "size",
      'size: must be decimal text such as "0.5", not a number',
    ]);
    expect(margin({ size: "1" })).toEqual(["FORMULA_TYPE", "mark", "mark: is missing"]);
    expect(refusal(() => engine.computeAverage({ average: "1", sample: "2", tauMs: 7 } as never))).toEqual([
      "FORMULA_TYPE",
      "elapsedMs",
      "elapsedMs: is missing",
    ]);
    const position = { ...held, market, buyOrderCost: "1", sellOrderCost: "-1" };
    expect(refusal(() => engine.computeAccount({ collateral: "1", positions: [position] }))?.[1]).toBe(
      "positions[0].sellOrderCost",
    );
    expect(refusal(() => engine.computeMargin({} as never, { size: "1", mark: "1" }))?.[0]).toBe("FORMULA_TYPE");
    expect(refusal(() => engine.readMarket({ maxSize: 5 } as never))).toEqual([
      "FORMULA_TYPE",
      "maxSize",
      "maxSize: must be text, not a number",
    ]);
  });

  test("a value out of range says the bound", () => {
    const message = (texts: Record<string, string>, preset = "linear") => {
      try {
        engine.readMarket(texts, preset as never);
      } catch (error) {
        if (engine.isFormulaError(error)) return error.message;
      }
      return undefined;
    };
    expect(message({ maxSize: "1000000000" })).toBe("maxSize: must be at most 90000000");
    expect(message({ takerFee: "-99999999999" })).toBe("takerFee: must not be negative");
    expect(message({ makerFee: "-99999999999" })).toBe("makerFee: must be at least -0.999999");
    expect(message({ takerFee: "0.0000001" })).toBe('takerFee: "0.0000001" has more than 6 digits after the point');
    expect(message({ takerFee: "1.0" })).toMatch(/is not a canonical decimal/);
    expect(message({ tier1: "99999999999 0.1 0.05" })).toBe("tier1: its bound must be at most 9000000000");
    expect(message({}, "nothing")).toContain(Object.keys(marketPresets).join(", "));
    for (const [name, { words, decimals, most }] of PARAMETER_RANGES) {
      if (words.length > 0) continue;
      expect(message({ [name]: "99999999999999999999" }), name).toBe(
        `${name}: must be at most ${formatDecimal(most, decimals)}`,
      );
    }
    const { priceMost, leverageMax } = linear;
    expect(() => engine.computeMargin(linear, { size: "1", mark: "9999999" })).toThrow(formatDecimal(priceMost, 8));
    expect(() => engine.computeMargin(linear, { size: "1", mark: "1", leverage: 41 })).toThrow(String(leverageMax));
  });
});

describe("the market of a formula", () => {
  test("margin and the liquidation price take the same marks and refuse the same leverage", () => {
    const most = formatDecimal(linear.priceMost, 8);
    const above = formatDecimal(linear.priceMost + 1, 8);
    for (const [mark, leverage] of [
      [most, 40],
      [above, 0],
      ["1", 41],
      ["1", -1],
      ["1", 1.5],
      ["0", 0],
    ] as const) {
      const codes = [engine.computeMargin, engine.computeLiquidationPrice].map((formula) => {
        try {
          formula(linear, { size: "0.0001", mark, leverage, equity: "1000000" });
        } catch (error) {
          if (engine.isFormulaError(error)) return error.message;
        }
        return "taken";
      });
      expect(codes[0]).toBe(codes[1]);
      expect(codes[0] === "taken").toBe(mark === most);
    }
  });

  test("a market that no venue takes is read unchecked, and computes", () => {
    const tight = { tier1: "0 0.01 0.005", tier2: "", takerFee: "0", makerFee: "-0.001" };
    expect(() => engine.readMarket(tight)).toThrow("PRC-2");
    expect(() => engine.readMarket({ ...tight, unsafe: "1", takerFee: "0.001" })).toThrow("LIQ-4");
    const read = engine.readMarketUnchecked(tight);
    expect(engine.computeMargin(read, { size: "1", mark: "100" })).toEqual({
      notional: "100",
      initial: "1",
      maintenance: "0.5",
    });
    expect(engine.computeFees(read, "100")).toEqual({ taker: "0", maker: "0" });
    expect(() => engine.readMarketUnchecked({ takerFee: "2" })).toThrow("must be at most");
    expect(() => engine.readMarketUnchecked({ tickSize: "0.00000001", lotSize: "0.00000001" })).toThrow("NUM-1");
  });

  test("a formula reads the parameters that its type names, and no others", () => {
    const { takerFee, makerFee, lotSize, lotNumerator, lotDenominator, tiers, priceMost, leverageMax } = linear;
    expect(engine.computeFees({ takerFee, makerFee }, "1000")).toEqual({ taker: "0.45", maker: "0.15" });
    const terms = { lotSize, lotNumerator, lotDenominator, tiers, priceMost, leverageMax };
    expect(engine.computeMargin(terms, { size: "1", mark: "60000" }).initial).toBe("1500");
  });

  test("every preset has a sentence and a definition that a venue takes", () => {
    expect(Object.keys(marketPresets).sort()).toEqual(Object.keys(MARKET_PRESET_DOCS).sort());
    for (const name of Object.keys(MARKET_PRESET_DOCS)) {
      expect(engine.readMarket({}, name as never).definition).toContain(Object.keys(marketParameters)[0]);
    }
  });
});
