import { describe, expect, test } from "vitest";
import { formatDecimal, parseDecimal } from "../../../src/ground/math/decimal.ts";
import { computeCostToFill } from "../../../src/venue/formulas/costToFill.ts";
import { type FormulaErrorCode, isFormulaError } from "../../../src/venue/formulas/formulaError.ts";
import {
  computeFundingPayment,
  computeFundingRate,
  computeImpactPrice,
  computePremium,
} from "../../../src/venue/formulas/funding.ts";
import {
  computeBankruptcyPrice,
  computeBankruptcyPrices,
  computeLiquidationPrice,
  computeLossShares,
} from "../../../src/venue/formulas/liquidation.ts";
import {
  computeFreeCollateral,
  computeLargestSize,
  computeMargin,
  computeMarginWithOrders,
  computeOpenInterestRate,
  computeOrderCost,
} from "../../../src/venue/formulas/margin.ts";
import { checkGrid, readMarket } from "../../../src/venue/formulas/market.ts";
import { computeFees, computePositionAfterFill, computeUnrealizedPnl } from "../../../src/venue/formulas/position.ts";
import {
  computeAverage,
  computeClampedPrice,
  computeMedianMark,
  computePriceBand,
  computeTwap,
} from "../../../src/venue/formulas/prices.ts";

/** One quote unit a lot and tick; 10 % initial, 5 % maintenance. */
const market = readMarket({ lotSize: "0.000001", minSize: "0.000001", takerFee: "0", makerFee: "0" }, "minimal");
const linear = readMarket();

describe("a position", () => {
  test("is valued down, long and short", () => {
    const at = (size: string, mark: string) => computeUnrealizedPnl(market, { size, cost: "0", mark });
    expect(at("0.000001", "1.5")).toBe("0.000001");
    expect(at("-0.000001", "1.5")).toBe("-0.000002");
    expect(computeUnrealizedPnl(linear, { size: "0.5", cost: "30000", mark: "61000.5" })).toBe("500.25");
    expect(computeUnrealizedPnl(linear, { size: "-0.5", cost: "-30000", mark: "61000.5" })).toBe("-500.25");
  });

  test("grows, shrinks, closes and turns with a fill", () => {
    const fill = (size: string, cost: string, lots: string, price: string) =>
      computePositionAfterFill(linear, { size, cost }, { size: lots, price });
    expect(fill("0", "0", "1", "100")).toEqual({ size: "1", cost: "100", entryPrice: "100", realizedPnl: "0" });
    expect(fill("1", "100", "2", "103")).toEqual({ size: "3", cost: "306", entryPrice: "102", realizedPnl: "0" });
    expect(fill("3", "306", "-1", "110")).toEqual({ size: "2", cost: "204", entryPrice: "102", realizedPnl: "8" });
    expect(fill("-2", "-204", "2", "110")).toEqual({ size: "0", cost: "0", entryPrice: "0", realizedPnl: "-16" });
    expect(fill("2", "204", "-5", "110")).toEqual({ size: "-3", cost: "-330", entryPrice: "110", realizedPnl: "16" });
  });

  test("releases cost toward zero, and all of it with the last lot", () => {
    const third = { size: "0.000003", cost: "0.00001" };
    expect(computePositionAfterFill(market, third, { size: "-0.000001", price: "3" })).toEqual({
      size: "0.000002",
      cost: "0.000007",
      entryPrice: "3.5",
      realizedPnl: "0",
    });
    const short = { size: "-0.000003", cost: "-0.00001" };
    expect(computePositionAfterFill(market, short, { size: "0.000001", price: "3" }).cost).toBe("-0.000007");
    expect(computePositionAfterFill(market, third, { size: "-0.000003", price: "3" })).toMatchObject({
      cost: "0",
      realizedPnl: "-0.000001",
    });
  });

  test("pays fees up and is given rebates down, never more than the taker pays", () => {
    const rebate = readMarket({ takerFee: "0.0005", makerFee: "-0.0002" });
    expect(computeFees(linear, "1000")).toEqual({ taker: "0.45", maker: "0.15" });
    expect(computeFees(linear, "0.000001")).toEqual({ taker: "0.000001", maker: "0.000001" });
    expect(computeFees(rebate, "0.004999")).toEqual({ taker: "0.000003", maker: "0" });
    expect(computeFees(rebate, "1000")).toEqual({ taker: "0.5", maker: "-0.2" });
  });
});

describe("margin", () => {
  test("rounds notional and margins up", () => {
    expect(computeMargin(market, { size: "-0.000001", mark: "1.5" })).toEqual({
      notional: "0.000002",
      initial: "0.000001",
      maintenance: "0.000001",
    });
  });

  test("needs notional / leverage if that is more than the tier's margin", () => {
    const at = (leverage: number) => computeMargin(linear, { size: "1", mark: "60000", leverage }).initial;
    expect([0, 40, 39, 3].map(at)).toEqual(["1500", "1500", "1538.461539", "20000"]);
  });

  test("has an order cost of the loss against the mark and the taker fee", () => {
    const orderCost = (side: "buy" | "sell", price: string) =>
      computeOrderCost(linear, { side, size: "1", price, mark: "100" });
    expect(orderCost("buy", "90")).toBe("0.0405");
    expect(orderCost("buy", "110")).toBe("10.0495");
    expect(orderCost("sell", "85")).toBe("15.03825");
    expect(orderCost("sell", "110")).toBe("0.0495");
  });

  test("requires the greater of both sides with their order costs", () => {
    const terms = { size: "10", buys: "0", sells: "5", buyOrderCost: "0", sellOrderCost: "75", mark: "100" };
    expect(computeMarginWithOrders(market, terms)).toEqual({ buying: "100", selling: "125", required: "125" });
  });

  test("leaves free what neither initial margin nor a tenth of the notional reserves", () => {
    const marginAccount = { collateral: "1000", losses: "-100", initial: "250", notional: "10000" };
    expect(computeFreeCollateral(marginAccount)).toBe("-100");
    expect(computeFreeCollateral({ ...marginAccount, notional: "1000" })).toBe("650");
  });
});

describe("liquidation", () => {
  test("has no price without a position, or where none does it", () => {
    expect(computeLiquidationPrice(market, { equity: "1", size: "0", mark: "100" })).toBeUndefined();
    expect(computeLiquidationPrice(market, { equity: "101", size: "1", mark: "100" })).toBeUndefined();
  });

  test("is at the mark for a margin account that is below maintenance", () => {
    expect(computeLiquidationPrice(market, { equity: "4.99", size: "1", mark: "100" })).toBe("100");
  });

  test("cuts bankruptcy values so that they take exactly the equity, debts too", () => {
    const held = ["0.000003", "-0.000007", "0.000001"].map((size) => ({ market, size, mark: "1.5" }));
    for (const equity of ["0.00001", "0", "-0.000011"]) {
      const sum = computeBankruptcyPrices(equity, held).reduce(
        (total, { value }) => total + Math.round(Number(value) * 1e6),
        0,
      );
      const marked = 4 - 11 + 1;
      expect(marked - sum).toBe(Math.round(Number(equity) * 1e6));
    }
  });

  test("returns a bankruptcy price with its sign, a sale rounded up and a purchase down", () => {
    const price = (equity: string, size: string) => computeBankruptcyPrices(equity, [{ market, size, mark: "1" }])[0]!;
    // 3 at 1 is worth 3; what is over the equity, by three.
    expect(price("1", "3")).toEqual({ value: "2", price: "0.66666667" });
    expect(price("5", "3")).toEqual({ value: "-2", price: "-0.66666666" });
    expect(price("-1", "-3")).toEqual({ value: "-2", price: "0.66666666" });
    expect(price("-5", "-3")).toEqual({ value: "2", price: "-0.66666667" });
    expect(price("3", "3")).toEqual({ value: "0", price: "0" });
    expect(price("-3", "-3")).toEqual({ value: "0", price: "0" });
  });

  test("shares a loss out down, up to what each has above maintenance", () => {
    expect(computeLossShares("10", ["3", "3", "3"])).toEqual({ shares: ["3", "3", "3"], badDebt: "1" });
    expect(computeLossShares("1", ["1", "1", "1", "-5"])).toEqual({
      shares: ["0.333333", "0.333333", "0.333333", "0"],
      badDebt: "0.000001",
    });
    expect(computeLossShares("1", [])).toEqual({ shares: [], badDebt: "1" });
  });
});

describe("funding", () => {
  const shallow = readMarket({ impactNotional: "280" });

  test("reads impact prices, down for bids and up for asks, and none without the depth", () => {
    const at = (side: "bids" | "asks", ...levels: readonly (readonly [string, string])[]) =>
      computeImpactPrice(shallow, side, levels);
    expect(at("bids", ["100", "1"], ["90", "5"])).toBe("93.33333333");
    expect(at("asks", ["100", "1"], ["120", "5"])).toBe("112");
    expect(at("asks", ["80", "2"], ["120", "5"])).toBe("93.33333334");
    expect(at("bids", ["100", "1"], ["90", "1.9999"])).toBeUndefined();
    expect(at("asks")).toBeUndefined();
  });

  test("has a premium of 0 where a side is missing or the index lies between", () => {
    const premium = (index: string) => computePremium(shallow, { index, bids: [["99", "9"]], asks: [["101", "9"]] });
    expect(["100", "90", "110"].map(premium)).toEqual(["0", "0.1", "-0.081818181"]);
    expect(computePremium(shallow, { index: "90", bids: [], asks: [] })).toBe("0");
  });

  test("pulls the mean premium toward interest and bounds the rate", () => {
    expect(computeFundingRate(linear, ["0"])).toBe("0.0000125");
    expect(computeFundingRate(linear, ["0.001", "0.0012"])).toBe("0.000075");
    expect(computeFundingRate(linear, ["-0.001"])).toBe("-0.0000625");
    expect(computeFundingRate(linear, ["5"])).toBe("0.009375"); // 6 * (2.5 % - 1.25 %) / 8
  });

  test("charges up and carries, so that many payments are one", () => {
    expect(computeFundingPayment(linear, { size: "2", rate: "0.0001", index: "60000" })).toEqual({
      payment: "12",
      carried: "0",
    });
    expect(computeFundingPayment(linear, { size: "-2", rate: "0.0001", index: "60000" }).payment).toBe("-12");
    const small = { size: "0.0001", rate: "0.000000003", index: "1" };
    const first = computeFundingPayment(linear, small);
    expect(first).toEqual({ payment: "0.000001", carried: "0.0000009999997" });
    expect(computeFundingPayment(linear, { ...small, carried: first.carried }).payment).toBe("0");
    expect(computeFundingPayment(linear, { ...small, size: "-0.0001" })).toEqual({
      payment: "0",
      carried: "0.0000000000003",
    });
  });
});

describe("prices", () => {
  test("a median mark is between average basis, book and reported mark", () => {
    const at = (more: object) => computeMedianMark(linear, { index: "100", elapsedMs: 150_000, ...more });
    expect(at({})).toEqual({ mark: "100", basis: "0" });
    expect(at({ bid: "103", ask: "105", last: "104" })).toEqual({ mark: "102", basis: "2" });
    expect(at({ bid: "103", ask: "105", last: "104", reported: "103.5" }).mark).toBe("103.5");
    expect(at({ bid: "103", last: "104" })).toEqual({ mark: "100", basis: "0" });
    expect(at({ bid: "100.5", ask: "101", last: "101" })).toEqual({ mark: "100.375", basis: "0.375" });
  });

  test("an average moves by elapsed / (tau + elapsed), toward zero", () => {
    const move = (sample: string) => computeAverage({ average: "0", sample, elapsedMs: 1, tauMs: 2 });
    expect(["1", "-1", "3"].map(move)).toEqual(["0.33333333", "-0.33333333", "1"]);
  });

  test("a time-weighted average counts each price for as long as it was valid", () => {
    expect(
      computeTwap([
        { price: "100", ms: 1 },
        { price: "101", ms: 2 },
      ]),
    ).toBe("100.66666666");
  });

  test("a clamp bounds a move and a band an order price, inwards", () => {
    const clamped = (to: string) => computeClampedPrice({ from: "100.00000001", to, clamp: "0.01" });
    expect(["120", "80", "100.5"].map(clamped)).toEqual(["101.00000001", "99.00000001", "100.5"]);
    expect(computePriceBand(linear, { oracle: "100", index: "101" })).toEqual({ low: "80", high: "121.2" });
  });
});

test("the cost to fill walks the book at the makers' prices", () => {
  const asks = [
    ["100", "1"],
    ["102", "3"],
  ] as const;
  expect(computeCostToFill(linear, "buy", "2", asks)).toEqual({
    filled: "2",
    value: "202",
    fee: "0.0909",
    averagePrice: "101",
    worstPrice: "102",
  });
  expect(computeCostToFill(linear, "sell", "2", [["99", "0.5"]])).toMatchObject({ filled: "0.5", worstPrice: "99" });
  expect(computeCostToFill(linear, "buy", "2", [])).toEqual({
    filled: "0",
    value: "0",
    fee: "0",
    averagePrice: "0",
    worstPrice: "0",
  });
});

test("a grid check answers with the code of the rejection", () => {
  expect(checkGrid(linear, { price: "100", size: "0.0001" })).toBeUndefined();
  expect(checkGrid(linear, { price: "100.5", size: "0.0001" })).toBe("OFF_TICK");
  expect(checkGrid(linear, { price: "100.5", size: "0.00015" })).toBe("OFF_LOT");
});

describe("arguments that are refused", () => {
  const refused = (run: () => unknown): [FormulaErrorCode, string] | undefined => {
    try {
      run();
    } catch (error) {
      if (isFormulaError(error)) return [error.code, error.argument];
      throw error;
    }
    return undefined;
  };
  const pnl = (more: object) => () => computeUnrealizedPnl(linear, { size: "1", cost: "1", mark: "1", ...more });

  test("decimals that are not canonical or have too many digits", () => {
    for (const mark of ["1.0", "01", "1e3", "", " 1", "+1", "-0", "0x1", "1.123456789"]) {
      expect(refused(pnl({ mark })), mark).toEqual(["FORMULA_DECIMAL", "mark"]);
    }
    expect(refused(pnl({ cost: "0.0000001" }))).toEqual(["FORMULA_DECIMAL", "cost"]);
  });

  test("numbers out of range", () => {
    expect(refused(pnl({ mark: "0" }))).toEqual(["FORMULA_RANGE", "mark"]);
    expect(refused(pnl({ mark: "90000001" }))).toEqual(["FORMULA_RANGE", "mark"]);
    const fill = (position: object, fillMore: object) => () =>
      computePositionAfterFill(linear, { size: "0", cost: "0", ...position }, { size: "1", price: "1", ...fillMore });
    expect(refused(fill({}, { size: "0" }))).toEqual(["FORMULA_RANGE", "fill.size"]);
    expect(refused(fill({}, { price: "2147483648" }))).toEqual(["FORMULA_RANGE", "fill.price"]);
    expect(refused(fill({ cost: "1" }, {}))).toEqual(["FORMULA_RANGE", "position.cost"]);
    expect(refused(() => computeFees(linear, "-1"))).toEqual(["FORMULA_RANGE", "value"]);
    expect(refused(() => computeMargin(linear, { size: "1", mark: "1", leverage: 1.5 }))).toEqual([
      "FORMULA_RANGE",
      "leverage",
    ]);
    const caps = { base: "0.1", openNotional: "1", lower: "2", upper: "2" };
    expect(refused(() => computeOpenInterestRate(caps))).toEqual(["FORMULA_RANGE", "lower"]);
    expect(refused(() => computeOpenInterestRate({ ...caps, base: "-0.1" }))?.[0]).toBe("FORMULA_RANGE");
    const marginAccount = { collateral: "1", losses: "1", initial: "0", notional: "0" };
    expect(refused(() => computeFreeCollateral(marginAccount))).toEqual(["FORMULA_RANGE", "losses"]);
    expect(refused(() => computeFundingRate(linear, []))).toEqual(["FORMULA_RANGE", "premiums.length"]);
    expect(refused(() => computeTwap([]))).toEqual(["FORMULA_RANGE", "samples"]);
    expect(refused(() => computeBankruptcyPrices("1", [{ market, size: "0", mark: "1" }]))).toEqual([
      "FORMULA_RANGE",
      "positions[0].size",
    ]);
    expect(refused(() => computeBankruptcyPrice(market, { equity: "1", size: "1", mark: "-1" }))?.[0]).toBe(
      "FORMULA_RANGE",
    );
    expect(refused(() => computeLiquidationPrice(linear, { equity: "1", size: "1", mark: "89000000" }))).toEqual([
      "FORMULA_RANGE",
      "mark",
    ]);
    const carried = { size: "1", rate: "0", index: "1", carried: "0.000001" };
    expect(refused(() => computeFundingPayment(linear, carried))).toEqual(["FORMULA_RANGE", "carried"]);
    const levels = [
      ["100", "1"],
      ["100", "1"],
    ] as const;
    expect(refused(() => computeImpactPrice(linear, "bids", levels))).toEqual(["FORMULA_RANGE", "bids[1].price"]);
    expect(refused(() => computeCostToFill(linear, "buy", "0", levels))).toEqual(["FORMULA_RANGE", "size"]);
  });

  test("results beyond what can be stored", () => {
    const vast = { side: "buy" as const, size: "1000000", price: "1000000", mark: "1" };
    expect(refused(() => computeOrderCost(linear, vast))).toEqual(["FORMULA_RANGE", "orderCost"]);
    // The loss itself is beyond: it must not count as none.
    expect(refused(() => computeOrderCost(linear, { ...vast, mark: "60000" }))?.[0]).toBe("FORMULA_RANGE");
    expect(refused(() => computeOrderCost(linear, { ...vast, side: "sell", price: "1", mark: "60000" }))?.[0]).toBe(
      "FORMULA_RANGE",
    );
    const payment = { size: "90000000", rate: "1000000", index: "1000000" };
    expect(refused(() => computeFundingPayment(linear, payment))).toEqual(["FORMULA_RANGE", "payment"]);
  });

  test("sizes and prices off the grid, and markets that a venue would refuse", () => {
    expect(refused(pnl({ size: "0.00015" }))).toEqual(["FORMULA_GRID", "size"]);
    expect(refused(() => computeCostToFill(linear, "sell", "1", [["1.5", "1"]]))).toEqual([
      "FORMULA_GRID",
      "bids[0].price",
    ]);
    expect(refused(() => readMarket({ tickSize: "0" }))).toEqual(["FORMULA_MARKET", "tickSize"]);
    expect(refused(() => readMarket({}, "nothing" as never))).toEqual(["FORMULA_MARKET", "preset"]);
  });
});

describe("stepped tiers (MRG-1)", () => {
  const binance = readMarket({}, "binance");
  const tiers = { tier1: "0 0.1 0.05", tier2: "1000 0.2 0.1" };
  const stepped = readMarket({ ...tiers, initialMarginMethod: "stepped" }, "minimal");

  // Goal: the preset asks for what the venue does. Method: its brackets with their published `cum`, worked out by hand.
  test("the preset binance has the venue's brackets", () => {
    const at = (size: string, leverage = 0) => computeMargin(binance, { size, mark: "1000", leverage });
    expect(at("50")).toEqual({ notional: "50000", initial: "400", maintenance: "200" });
    expect(at("50.001")).toEqual({ notional: "50001", initial: "500.01", maintenance: "200.005" });
    expect(at("1000")).toEqual({ notional: "1000000", initial: "20000", maintenance: "8700" });
    expect(at("1000.001")).toEqual({ notional: "1000001", initial: "50000.05", maintenance: "8700.025" });
    expect(at("20000")).toEqual({ notional: "20000000", initial: "2000000", maintenance: "733700" });
    expect(at("60000")).toEqual({ notional: "60000000", initial: "15000000", maintenance: "4983700" });
    // At 125x the bracket's 20x decides; at 10x the owner's.
    expect(at("5000", 125).initial).toBe("250000");
    expect(at("5000", 10).initial).toBe("500000");
  });

  test("the rate by open interest counts where it is above the tier's", () => {
    const at = (leastRate: string) => computeMargin(stepped, { size: "11", mark: "100", leastRate }).initial;
    expect([at("0.15"), at("0.2"), at("0.25")]).toEqual(["220", "220", "275"]);
  });

  test("the largest size is the largest that passes, also where margin jumps", () => {
    const largest = (equity: string, price = "100") =>
      computeLargestSize(stepped, { side: "buy", price, mark: "100", equity });
    expect(largest("99.9")).toBe("9.99");
    expect(largest("100")).toBe("10");
    // 10.01 lots need 200.2.
    expect(largest("200.19")).toBe("10");
    expect(largest("200.2")).toBe("10.01");
    expect(largest("220")).toBe("11");
    expect(largest("0.99")).toBe("0.09");
    expect(largest("0.09")).toBe("0");
    // A tick above the mark costs 1 a unit: 9.09 lots need 90.9 and cost 9.09.
    expect(largest("100", "101")).toBe("9.09");
    expect(largest("999999999")).toBe("1000");
  });

  test("the largest size passes and the next lot does not", () => {
    for (const market of [binance, stepped, linear]) {
      for (const equity of ["12.5", "1000", "19999.999999", "20000", "333333.333333"]) {
        const order = { side: "sell", price: "2999", mark: "3000" } as const;
        const size = computeLargestSize(market, { ...order, equity });
        const next = formatDecimal(parseDecimal(size, 8) + market.lotSize, 8);
        const needs = (lots: string) =>
          parseDecimal(computeMargin(market, { size: lots, mark: "3000" }).initial, 6) +
          parseDecimal(computeOrderCost(market, { ...order, size: lots }), 6);
        if (size !== "0") expect(needs(size)).toBeLessThanOrEqual(parseDecimal(equity, 6));
        if (parseDecimal(next, 8) <= market.maxSize) expect(needs(next)).toBeGreaterThan(parseDecimal(equity, 6));
      }
    }
  });
});
