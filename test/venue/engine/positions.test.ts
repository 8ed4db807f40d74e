import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TestVenue } from "../../helpers/venue.ts";
import { ExactPosition } from "../../reference/exactPosition.ts";

const open = (markets?: Record<string, Record<string, string>>) =>
  new TestVenue({
    ...(markets === undefined ? {} : { markets }),
    accounts: { alice: "1000000", bob: "1000000", carol: "1000000" },
    prices: { TEST: "100" },
  });

describe("a position (POS-1, POS-2)", () => {
  test("grows in cost by the value of what it buys, and no PnL is realised", () => {
    const v = open();
    v.do(v.sell("bob", "5", "100"), v.sell("bob", "5", "103"), v.buy("alice", "10", "103"));
    expect([v.lots("alice"), v.cost("alice"), v.usd("alice")]).toEqual([10, 1015e6, "1000000"]);
    expect([v.lots("bob"), v.cost("bob"), v.usd("bob")]).toEqual([-10, -1015e6, "1000000"]);
  });

  test("realises on reducing, with cost released pro rata", () => {
    const v = open();
    v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"));
    v.do(v.buy("carol", "4", "110"), v.sell("alice", "4", "110"));
    expect([v.lots("alice"), v.cost("alice"), v.usd("alice")]).toEqual([6, 600e6, "1000040"]);
  });

  test("flips through zero: closes at its cost, opens the rest at the fill's price", () => {
    const v = open();
    v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"));
    v.do(v.buy("carol", "25", "90"), v.sell("alice", "25", "90"));
    expect([v.lots("alice"), v.cost("alice"), v.usd("alice")]).toEqual([-15, -1350e6, "999900"]);
    const story = v.do(v.sell("bob", "15", "80"), v.buy("alice", "15", "80"));
    expect(v.usd("alice")).toBe("1000050");
    expect(story.of("positionChanged").find((event) => event.account === v.row("alice"))).toMatchObject({
      size: 0,
      cost: 0,
      realized: 150e6,
    });
  });

  test("leaves no remainder when the last lot goes, though thirds do not divide", () => {
    const v = open({ TEST: { tickSize: "0.01", lotSize: "0.0001", minSize: "0.0001" } });
    v.do(v.sell("bob", "0.0002", "100.01"), v.sell("bob", "0.0001", "100.02"), v.buy("alice", "0.0003", "100.02"));
    for (let step = 0; step < 3; step++) v.do(v.buy("carol", "0.0001", "100.01"), v.sell("alice", "0.0001", "100.01"));
    expect([v.lots("alice"), v.cost("alice"), v.units("alice")]).toEqual([0, 0, 1e12 - 1]);
    expect(v.positionRow("alice")).toBe(-1);
  });

  test("PnL is that of the mark, and a trade far from it moves an account's equity only by what it pays", () => {
    const v = open();
    v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"));
    const before = v.health("bob").equity;
    v.do(v.buy("carol", "1", "115"), v.sell("alice", "1", "115"));
    expect(v.health("bob").equity).toBe(before);
    expect(v.health("alice").equity).toBe(1_000_015e6);
    expect(v.health("carol").equity).toBe(999_985e6);
  });
});

// Goal: releasing cost in whole units never drifts. Method: random fills against one counterparty each, and the same
// fills in exact fractions. Every rounding moves less than a unit between realised and unrealised and is gone at zero.
test("random fills keep within a unit a fill of the exact position, and exactly at zero", () => {
  const step = fc.record({ lots: fc.integer({ min: -6, max: 6 }), ticks: fc.integer({ min: 9_000, max: 11_000 }) });
  let flips = 0;
  let closes = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
      const v = open({ TEST: { tickSize: "0.01", lotSize: "0.0001", minSize: "0.0001" } });
      const exact = new ExactPosition();
      let rounded = 0;
      for (const { lots, ticks } of steps) {
        if (lots === 0) continue;
        const text = { size: `${Math.abs(lots) / 10_000}`, price: `${ticks / 100}` };
        const size = Number(text.size).toFixed(4).replace(/0+$/, "");
        if (lots > 0) v.do(v.sell("bob", size, text.price), v.buy("alice", size, text.price));
        else v.do(v.buy("bob", size, text.price), v.sell("alice", size, text.price));
        const before = exact.size;
        // tick * lot is one quote unit here, so a fill is worth lots * ticks.
        exact.fill(BigInt(lots), BigInt(lots) * BigInt(ticks));
        if (before !== 0n && exact.size !== 0n && before > 0n !== exact.size > 0n) flips++;
        rounded = exact.size === 0n ? 0 : rounded + 1;
        if (exact.size === 0n) closes++;
        expect(BigInt(v.lots("alice"))).toBe(exact.size);
        const slack = BigInt(rounded);
        const cost = BigInt(v.cost("alice"));
        expect(exact.cost.compare(cost - slack) >= 0 && exact.cost.compare(cost + slack) <= 0).toBe(true);
        // What is realised and what is not add up exactly: collateral - cost.
        const kept = BigInt(v.units("alice")) - 10n ** 12n - cost;
        expect(exact.realized.minus(exact.cost).compare(kept)).toBe(0);
      }
    }),
    { numRuns: 60, seed: 20_250_924 },
  );
  expect([flips > 20, closes > 5]).toEqual([true, true]);
});
