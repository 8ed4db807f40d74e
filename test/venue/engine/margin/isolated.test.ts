/** Isolated positions (MRG-2): what moves between an account's cross collateral and a position's own. */
import { describe, expect, test } from "vitest";
import { CANCEL_CAUSE } from "../../../../src/protocol/events.ts";
import { getLiquidationPrice } from "../../../../src/venue/engine/margin/liquidationPrice.ts";
import { TestVenue, type VenueOptions } from "../../../helpers/venue.ts";

/** Alice with an isolated mode in a market at 100 with tiers of 10 % and 5 %, against bob. */
const open = (options: VenueOptions = {}) => {
  const v = new TestVenue({
    accounts: { alice: "1000", bob: "100000", carol: "100000" },
    prices: { TEST: "100" },
    ...options,
  });
  v.do(v.mode("alice", "isolated"));
  return v;
};

/** Alice long 10 at 100: 100 of collateral of its own. */
const long = (options: VenueOptions = {}) => {
  const v = open(options);
  v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"));
  return v;
};

describe("opening", () => {
  test("moves the initial margin from cross, and a resting order reserves it before", () => {
    const v = open();
    v.do(v.buy("alice", "10", "100"));
    expect([v.usd("alice"), v.isolated("alice"), v.health("alice").initial]).toEqual(["1000", "0", 100e6]);
    v.do(v.sell("bob", "10", "100"));
    expect([v.usd("alice"), v.isolated("alice"), v.health("alice").initial]).toEqual(["900", "100", 0]);
    expect(v.isolatedHealth("alice").equity).toBe(100e6);
  });

  test("at a chosen leverage moves notional / leverage", () => {
    const v = open();
    v.do(v.leverage("alice", 4));
    v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"));
    expect(v.isolated("alice")).toBe("250");
  });

  test("moves the fee and the fill's loss against the mark as well, so that the margin account meets its initial margin", () => {
    const v = open({ markets: { TEST: { takerFee: "0.001" } } });
    v.do(v.sell("bob", "10", "105"), v.buy("alice", "10", "105"));
    expect(v.usd("alice")).toBe("848.95");
    expect(v.isolated("alice")).toBe("150");
    const { equity, initial } = v.isolatedHealth("alice");
    expect(equity).toBe(initial);
  });

  test("needs the whole of it free in cross, to the unit", () => {
    for (const [balance, outcome] of [
      ["99.999999", "INSUFFICIENT_MARGIN"],
      ["100", "applied"],
      ["100.000001", "applied"],
    ] as const) {
      const v = open({ accounts: { alice: balance, bob: "1000" } });
      v.do(v.sell("bob", "10", "100"));
      expect(v.try(v.buy("alice", "10", "100"))).toBe(outcome);
      expect(v.lots("alice")).toBe(outcome === "applied" ? 10 : 0);
    }
  });

  test("by a maker whose cross can no longer pay cancels its order, and matching continues", () => {
    const v = open({
      accounts: { alice: "100", bob: "1000", carol: "1000" },
      markets: { TEST: {}, OTHER: {} },
      prices: { TEST: "100", OTHER: "100" },
    });
    v.do(v.buy("carol", "1", "100", { market: "OTHER" }), v.sell("alice", "1", "100", { market: "OTHER" }));
    v.do(v.buy("alice", "9", "100"), v.buy("carol", "9", "99"));
    v.do(v.price("110", { market: "OTHER" }));
    const story = v.do(v.sell("bob", "9", "99"));
    expect(v.cancels(story, CANCEL_CAUSE.margin)).toEqual(["9 alice"]);
    expect(v.fills(story)).toEqual(["9@99 carol>bob"]);
  });

  test("on top of a margin account below its initial margin is refused until its owner adds margin", () => {
    const v = long();
    v.do(v.price("98"), v.sell("bob", "1", "98"));
    expect(v.try(v.buy("alice", "1", "98"))).toBe("INSUFFICIENT_MARGIN");
    v.do(v.adjust("alice", "add", "17.999999"));
    expect(v.try(v.buy("alice", "1", "98"))).toBe("INSUFFICIENT_MARGIN");
    v.do(v.adjust("alice", "add", "0.000001"));
    expect(v.try(v.buy("alice", "1", "98"))).toBe("applied");
  });
});

describe("closing", () => {
  test("leaves PnL in the margin account, and a full close gives all of it back", () => {
    const v = long();
    v.do(v.price("104"), v.buy("bob", "4", "104"), v.sell("alice", "4", "104"));
    expect([v.usd("alice"), v.isolated("alice"), v.lots("alice")]).toEqual(["900", "116", 6]);
    v.do(v.buy("bob", "6", "104"), v.sell("alice", "6", "104"));
    expect([v.usd("alice"), v.isolated("alice"), v.lots("alice")]).toEqual(["1040", "0", 0]);
  });

  test("through zero returns the rest of the close, then opens as a new position does", () => {
    const v = long();
    v.do(v.buy("bob", "15", "100"), v.sell("alice", "15", "100"));
    expect([v.usd("alice"), v.isolated("alice"), v.lots("alice")]).toEqual(["950", "50", -5]);
  });

  test("a part by an order that continues to open: lots that cross cannot carry do not rest, to the unit", () => {
    for (const [balance, rests] of [
      ["249.999999", 0],
      ["250", 1],
      ["250.000001", 1],
    ] as const) {
      const v = open({ accounts: { alice: String(Number(balance) + 200), bob: "100000" } });
      v.do(v.buy("bob", "20", "100"), v.sell("alice", "20", "100"));
      expect([v.usd("alice"), v.isolated("alice")]).toEqual([balance, "200"]);
      const story = v.do(v.sell("bob", "14", "100"), v.buy("alice", "51", "100"));
      expect(v.cancels(story, CANCEL_CAUSE.margin)).toEqual(rests === 0 ? ["37 alice"] : []);
      expect([v.lots("alice"), v.isolated("alice"), v.state.orders.rows.count]).toEqual([-6, "200", rests]);
      expect(v.health("alice").initial).toBe(rests * 250e6);
    }
  });

  test("a part with orders on the same side: the newest go until cross carries the rest", () => {
    const v = open({ accounts: { alice: "250", bob: "100000" } });
    v.do(v.buy("bob", "20", "100"), v.sell("alice", "20", "100"));
    const [first] = v.do(v.buy("alice", "12", "90"), v.buy("alice", "8", "91")).of("orderOpened");
    v.do(v.sell("bob", "15", "100"));
    // Only 15 are for sale. Five are left, and 20 are bid for: 15 beyond them, which need 150 less the 50 of the five.
    const story = v.do(v.close("alice", { price: "100" }));
    expect(v.cancels(story, CANCEL_CAUSE.margin)).toEqual(["8 alice"]);
    expect([v.lots("alice"), v.state.orders.rows.count]).toEqual([-5, 1]);
    expect(v.state.orderIndex.find(v.state.orders, first!.order)).not.toBe(-1);
  });

  test("at a price that would leave a loss is refused, to the unit", () => {
    for (const [at, outcome] of [
      ["89", "INSUFFICIENT_MARGIN"],
      ["90", "applied"],
    ] as const) {
      const v = long();
      v.do(v.buy("bob", "10", at));
      expect(v.try(v.sell("alice", "10", at))).toBe(outcome);
      expect(v.usd("alice")).toBe("900");
    }
  });

  test("by a maker that would leave a loss cancels its order", () => {
    const v = long();
    v.do(v.sell("alice", "10", "100", { reduceOnly: true }));
    v.do(v.price("105"));
    v.do(v.cancelAll("alice"));
    const id = v.place(v.sell("alice", "10", "105"));
    expect(id).toBeGreaterThan(0);
    v.do(v.buy("bob", "10", "105"));
    expect([v.usd("alice"), v.isolated("alice")]).toEqual(["1050", "0"]);
  });
});

describe("liquidation", () => {
  test("takes the margin account, and not a unit of cross", () => {
    const v = long();
    v.do(v.buy("carol", "10", "94"));
    v.do(v.price("94"));
    v.run();
    expect(v.lots("alice")).toBe(0);
    // Closed at 94, 40 are left, less a liquidation fee of 1 %.
    expect(v.usd("alice")).toBe("930.6");
    expect(v.isolated("alice")).toBe("0");
  });

  test("of an isolated margin account leaves the cross positions alone, and the other way round", () => {
    const v = long({ markets: { TEST: {}, OTHER: {} }, prices: { TEST: "100", OTHER: "100" } });
    v.do(v.sell("bob", "50", "100", { market: "OTHER" }), v.buy("alice", "50", "100", { market: "OTHER" }));
    v.do(v.price("80", { market: "OTHER" }));
    v.run();
    expect([v.lots("alice", "OTHER"), v.lots("alice"), v.isolated("alice")]).toEqual([0, 10, "100"]);
  });

  test("beyond its collateral is a deficit of the fund, not of cross (LIQ-7)", () => {
    const v = long({ insurance: "1000" });
    v.do(v.buy("carol", "10", "85"));
    v.do(v.price("85"));
    v.run();
    expect([v.lots("alice"), v.usd("alice"), v.isolated("alice")]).toEqual([0, "900", "0"]);
    expect(v.total("insurance")).toBe(950_000_000n);
  });

  test("cancels only the orders of the margin account", () => {
    const v = long({ markets: { TEST: {}, OTHER: {} }, prices: { TEST: "100", OTHER: "100" } });
    v.do(v.buy("alice", "1", "90", { market: "OTHER" }), v.buy("alice", "1", "90"));
    const story = v.run(v.price("94"));
    expect(v.cancels(story, CANCEL_CAUSE.liquidation)).toEqual(["1 alice"]);
    expect(v.book("OTHER")).toEqual(["buy 1@90 alice"]);
  });

  test("happens at the liquidation price, not one step before it (MRG-6)", () => {
    const v = long();
    const at = getLiquidationPrice(v.state, v.positionRow("alice"))!;
    expect(at).toBe(9_473_684_219);
    v.do(v.price("94.7368422"));
    expect(v.lots("alice")).toBe(10);
    const story = v.do(v.price("94.73684219"));
    expect(story.of("liquidationStarted")).toHaveLength(1);
  });
});

describe("setMarginMode", () => {
  test("moves the initial margin and the loss out of free cross collateral", () => {
    const v = long();
    v.do(v.price("99"), v.adjust("alice", "add", "50"));
    v.do(v.mode("alice", "cross"));
    expect([v.usd("alice"), v.isolated("alice")]).toEqual(["1000", "0"]);
    expect(v.health("alice").equity).toBe(990e6);
    v.do(v.mode("alice", "isolated"));
    expect([v.usd("alice"), v.isolated("alice")]).toEqual(["891", "109"]);
    const { equity, initial } = v.isolatedHealth("alice");
    expect(equity).toBe(initial);
  });

  test("is refused to the unit where the new margin account could not be funded", () => {
    for (const [left, outcome] of [
      ["899.999999", "applied"],
      ["900", "applied"],
      ["900.000001", "INSUFFICIENT_FREE_COLLATERAL"],
    ] as const) {
      const v = open();
      v.do(v.mode("alice", "cross"));
      v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"));
      // Withdrawing what is free first leaves less than initial margin only by a move of the mark.
      v.do(v.withdraw("alice", left === "900.000001" ? "900" : left));
      if (left === "900.000001") v.do(v.price("99.9999999"));
      expect(v.try(v.mode("alice", "isolated"))).toBe(outcome);
    }
  });
});

describe("adjustIsolatedMargin", () => {
  test("moves free collateral, to the unit, and back", () => {
    const v = long();
    expect(v.try(v.adjust("alice", "add", "900.000001"))).toBe("INSUFFICIENT_FREE_COLLATERAL");
    v.do(v.adjust("alice", "add", "900"));
    expect([v.usd("alice"), v.isolated("alice")]).toEqual(["0", "1000"]);
    expect(v.try(v.adjust("alice", "remove", "900.000001"))).toBe("INSUFFICIENT_FREE_COLLATERAL");
    v.do(v.adjust("alice", "remove", "900"));
    expect([v.usd("alice"), v.isolated("alice")]).toEqual(["900", "100"]);
    expect(v.try(v.adjust("alice", "remove", "0.000001"))).toBe("INSUFFICIENT_FREE_COLLATERAL");
  });

  test("does not move unrealised gains", () => {
    const v = long();
    v.do(v.price("200"));
    expect(v.try(v.adjust("alice", "remove", "0.000001"))).toBe("INSUFFICIENT_FREE_COLLATERAL");
  });
});

test("setLeverage of an isolated position needs equity of its own margin account", () => {
  const v = long();
  expect(v.try(v.leverage("alice", 5))).toBe("INSUFFICIENT_MARGIN");
  v.do(v.adjust("alice", "add", "100"));
  v.do(v.leverage("alice", 5));
  expect(v.try(v.leverage("alice", 4))).toBe("INSUFFICIENT_MARGIN");
});
