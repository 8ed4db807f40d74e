/** The end of a market (MKT): everything closed at one price, to the unit, whoever can pay. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CANCEL_CAUSE } from "../../../src/protocol/events.ts";
import { MARKET_STATUS } from "../../../src/protocol/words.ts";
import { TestVenue, type VenueOptions } from "../../helpers/venue.ts";

/** Alice long 10 at 100 against bob, in TEST. */
const open = (options: VenueOptions = {}) => {
  const v = new TestVenue({
    markets: { TEST: {}, MORE: {} },
    accounts: { alice: "200", bob: "1000", carol: "1000" },
    prices: { TEST: "100", MORE: "100" },
    ...options,
  });
  v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"));
  return v;
};

const statusOf = (v: TestVenue) => v.state.parameters[v.marketRow()]!.status;

describe("a market is settled", () => {
  test("orders are cancelled, positions closed at the price beyond every clamp, and nothing is left", () => {
    const v = open();
    v.do(v.buy("carol", "1", "90"), v.sell("carol", "1", "110"), v.buy("carol", "1", "90", { market: "MORE" }));
    const story = v.do(v.settle("83"));
    expect(story.of("orderCancelled").map(({ cause }) => cause)).toEqual([
      CANCEL_CAUSE.settlement,
      CANCEL_CAUSE.settlement,
    ]);
    expect([v.usd("alice"), v.usd("bob"), v.usd("carol")]).toEqual(["30", "1170", "1000"]);
    expect([v.lots("alice"), v.lots("bob"), statusOf(v), v.book("MORE")]).toEqual([
      0,
      0,
      MARKET_STATUS.settled,
      ["buy 1@90 carol"],
    ]);
  });

  test("from every status, also while it waits in settling; then it is over for ever", () => {
    for (const status of ["active", "cancelOnly", "reduceOnly", "halted", "settling"] as const) {
      const v = open();
      if (status !== "active") v.do(v.status(status));
      v.do(v.settle("101"));
      expect([v.usd("alice"), statusOf(v)]).toEqual(["210", MARKET_STATUS.settled]);
      expect(v.try(v.settle("101"))).toBe("STATUS_NOT_REACHABLE");
      expect(v.try(v.status("active"))).toBe("STATUS_NOT_REACHABLE");
      expect(v.try(v.buy("alice", "1", "100"))).toBe("MARKET_CLOSED");
      v.do(v.withdraw("alice", "210"));
    }
  });

  test("funding is settled first, and what the pool keeps goes to dust", () => {
    const v = open();
    v.do(v.price("100", { funding: "0.01" }));
    const story = v.do(v.settle("100"));
    expect(story.of("fundingSettled")).toHaveLength(2);
    expect([v.usd("alice"), v.usd("bob")]).toEqual(["190", "1010"]);
  });

  test("off the grid every value is rounded down, and the dust account keeps the rest", () => {
    const v = open();
    const dust = v.state.markets.dust[v.marketRow()]!;
    v.do(v.settle("100.00000001"));
    expect([v.usd("alice"), v.usd("bob"), v.state.markets.dust[v.marketRow()]! - dust]).toEqual([
      "200",
      "999.999999",
      1,
    ]);
  });
});

describe("who cannot pay is paid for", () => {
  test("by the fund as far as it goes, then by those who gained, and nobody else", () => {
    // Alice owes 300 and has 200: of 100 the fund has 40; in its caps it pays a tenth of that a day.
    const v = open({ insurance: "40", markets: { TEST: { insuranceCapMarket: "1" }, MORE: {} } });
    const before = Number(v.total("insurance"));
    const story = v.do(v.settle("70"));
    const paid = before - Number(v.total("insurance"));
    expect(v.usd("alice")).toBe("0");
    expect(paid).toBeGreaterThan(0);
    expect(story.of("settlementHaircut")).toMatchObject([{ amount: 100_000_000 - paid }]);
    expect([v.usd("carol"), v.total("badDebt")]).toEqual(["1000", 0n]);
  });

  test("pro rata to gains, rounded down, the rest as bad debt", () => {
    const v = new TestVenue({
      markets: { TEST: {} },
      accounts: { alice: "100", bob: "1000", carol: "1000", dave: "1000" },
      prices: { TEST: "100" },
    });
    v.do(v.sell("bob", "1", "100"), v.sell("carol", "1", "100"), v.sell("dave", "1", "100"));
    v.do(v.buy("alice", "3", "100"));
    v.do(v.settle("50"));
    // Alice lacks 50; three pay 16.666666 each, and two units are bad debt.
    expect(["bob", "carol", "dave"].map((name) => v.usd(name))).toEqual(["1033.333334", "1033.333334", "1033.333334"]);
    expect([v.usd("alice"), v.total("badDebt")]).toEqual(["0", 2n]);
  });

  test("a bucket with other positions is left to the risk pass of the block", () => {
    const v = open({ accounts: { alice: "200", bob: "1000", carol: "5000" } });
    v.do(v.sell("carol", "5", "100", { market: "MORE" }), v.buy("alice", "5", "100", { market: "MORE" }));
    const story = v.do(v.settle("75"));
    expect(story.of("settlementHaircut")).toEqual([]);
    expect(story.of("liquidationStarted")).toHaveLength(1);
    expect(v.lots("alice", "MORE")).toBe(0);
  });
});

// Goal: whatever is held and at whatever price, settlement conserves value to the unit and leaves nothing open. The books
// are checked after every block by the venue of the tests.
test("settlement at any price conserves value and leaves no size", () => {
  const trade = fc.record({
    buyer: fc.constantFrom("alice", "bob", "carol"),
    seller: fc.constantFrom("alice", "bob", "carol"),
    lots: fc.integer({ min: 1, max: 9 }),
  });
  fc.assert(
    fc.property(fc.array(trade, { maxLength: 12 }), fc.integer({ min: 1, max: 40_000_000_000 }), (trades, at) => {
      const v = new TestVenue({
        accounts: { alice: "100", bob: "150", carol: "1000" },
        insurance: "30",
        prices: { TEST: "100" },
      });
      for (const { buyer, seller, lots } of trades) {
        v.run(v.sell(seller, String(lots), "100"), v.buy(buyer, String(lots), "100"));
      }
      const text = `${Math.floor(at / 1e8)}.${String(at % 1e8).padStart(8, "0")}`.replace(/\.?0+$/, "");
      v.do(v.settle(text));
      expect(["alice", "bob", "carol"].map((name) => v.lots(name))).toEqual([0, 0, 0]);
      for (const name of ["alice", "bob", "carol"])
        expect(v.state.accounts.collateral[v.row(name)]).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 60 },
  );
});
