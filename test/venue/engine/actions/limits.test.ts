/** Limits at their edges. */
import { describe, expect, test } from "vitest";
import { long, open } from "./stage.ts";

describe("limits hold to the unit: the edge is accepted, one unit beyond it is rejected", () => {
  test("smallest and largest size, smallest value, band", () => {
    const v = open({
      markets: { TEST: { minSize: "2", maxSize: "9", minNotional: "300" } },
      accounts: { alice: "100000" },
    });
    v.do(v.buy("alice", "3", "100"), v.buy("alice", "9", "100"), v.buy("alice", "4", "80"), v.buy("alice", "3", "120"));
  });

  test("margin: exactly enough, and a unit short", () => {
    for (const [balance, outcome] of [
      ["1000", "applied"],
      ["999.999999", "INSUFFICIENT_MARGIN"],
    ] as const) {
      const v = open({ accounts: { alice: balance } });
      expect(v.try(v.buy("alice", "100", "100"))).toBe(outcome);
    }
    // A buy above the mark is charged what it would lose at once, and the fee, both in full: 1,000 for 100 lots, 100
    // lost, and 10,100 * 0.000299, which is no whole number of units times 1,000.
    for (const [balance, outcome] of [
      ["1103.0199", "applied"],
      ["1103.019899", "INSUFFICIENT_MARGIN"],
    ] as const) {
      const v = open({ markets: { TEST: { takerFee: "0.000299" } }, accounts: { alice: balance } });
      expect(v.try(v.buy("alice", "100", "101"))).toBe(outcome);
    }
  });

  test("free collateral: exactly, and a unit more", () => {
    const v = long();
    // 5 lots at 100: a tenth of 500 must stay.
    expect(v.try(v.withdraw("alice", "950.000001"))).toBe("INSUFFICIENT_FREE_COLLATERAL");
    expect(v.try(v.withdraw("alice", "950"))).toBe("applied");
    // Profit may not leave before it is realised; a loss counts.
    v.do(v.price("110"));
    expect(v.try(v.withdraw("alice", "0.000001"))).toBe("INSUFFICIENT_FREE_COLLATERAL");
  });

  test("free collateral where leverage is high: a tenth of notional stays, not the initial margin", () => {
    const v = long({ markets: { TEST: { tier1: "0 0.02 0.01" } } });
    expect(v.try(v.transfer("alice", "bob", "950.000001"))).toBe("INSUFFICIENT_FREE_COLLATERAL");
    expect(v.try(v.transfer("alice", "bob", "950"))).toBe("applied");
  });

  test("open orders", () => {
    const v = open({ markets: { TEST: { openOrdersMax: "2" } } });
    v.do(v.buy("alice", "1", "90"), v.buy("alice", "1", "91"));
    expect(v.try(v.buy("alice", "1", "92"))).toBe("OPEN_ORDERS_LIMIT");
    // An order that cannot rest is not counted.
    expect(v.try(v.buy("alice", "1", "92", { tif: "IOC" }))).toBe("applied");
  });

  test("slippage, leverage", () => {
    const v = open();
    expect(v.try(v.order("alice", "buy", "1", undefined, { type: "market", slippage: "0.1" }))).toBe("applied");
    expect([v.try(v.leverage("alice", 1)), v.try(v.leverage("alice", 10))]).toEqual(["applied", "applied"]);
  });

  test("collateral of an account", () => {
    const v = open({ accounts: { alice: "0" } });
    v.do(v.deposit("alice", "2250000000"));
    expect(v.try(v.deposit("alice", "0.000001"))).toBe("NUMERIC_LIMIT");
  });
});

describe("the house is exempt from bands and limits of size, not from what is storable", () => {
  test("far from the band", () => {
    const v = open({ markets: { TEST: { maxSize: "5" } } });
    v.do(v.sell("house", "50", "500"), v.buy("house", "50", "1"));
    expect(v.try(v.buy("house", "90000000", "100"))).toBe("NUMERIC_LIMIT");
  });
});
