/** What a market does in each status and under each pause (MKT), seen from outside. */
import { describe, expect, test } from "vitest";
import { LIFECYCLE, type MarketStatus } from "../../../../src/protocol/lifecycle.ts";
import { MARKET_STATUSES } from "../../../../src/protocol/words.ts";
import { TestVenue } from "../../../helpers/venue.ts";

/** Steps of the lifecycle that lead from active to a status; settled needs a price and has tests of its own. */
const REACHED = MARKET_STATUSES.filter((status) => status !== "settled");

/** Alice long 5 against bob in a market that makes its own funding, and then in a status. */
function venueIn(status: MarketStatus, balance = "1000"): TestVenue {
  const early = status === "initializing" || status === "postOnly";
  const v = new TestVenue({
    markets: {
      TEST: {
        markMethod: "reported",
        fundingMethod: "hyperliquid",
        fundingInterval: "2000",
        fundingSample: "1000",
        fundingPaymentMax: "0.01",
        ...(early ? { status } : {}),
      },
    },
    accounts: { alice: balance, bob: "1000" },
    house: { house: "0" },
    prices: { TEST: "100" },
  });
  if (early) return v;
  v.do(v.sell("bob", "5", "100"), v.buy("alice", "5", "100"));
  if (status !== "active") v.do(v.status(status));
  return v;
}

describe.each(REACHED)("in status %s", (status) => {
  const { placing, prices, fund, liquidate } = LIFECYCLE[status];

  test(`orders that may enter: ${placing}`, () => {
    const v = venueIn(status);
    const take = v.try(v.buy("alice", "1", "100"));
    const make = v.try(v.buy("alice", "1", "90", { postOnly: true }));
    expect([take, make]).toEqual(
      { all: ["applied", "applied"], postOnly: ["MARKET_CLOSED", "applied"] }[placing as string] ?? [
        "MARKET_CLOSED",
        "MARKET_CLOSED",
      ],
    );
    if (v.lots("alice") === 0) return;
    const reduce = v.try(v.sell("alice", "1", "110", { reduceOnly: true }));
    expect(reduce).toBe(placing === "all" || placing === "reduceOnly" ? "applied" : "MARKET_CLOSED");
  });

  test(`prices move: ${prices}`, () => {
    const v = venueIn(status);
    v.do(v.price("103"));
    expect(v.state.markets.mark[v.marketRow()]).toBe((prices ? 103 : 100) * 1e8);
  });

  test(`funding is sampled and paid: ${fund}`, () => {
    const v = venueIn(status);
    const kinds = [v.run(), v.run(), v.run(), v.run()].flatMap(({ events }) => events.map(({ kind }) => kind));
    expect([kinds.includes("fundingSampled"), kinds.includes("fundingAccrued")]).toEqual([fund, fund]);
  });

  // Positions exist only where orders could trade.
  test.skipIf(status === "initializing" || status === "postOnly")(`positions are liquidated: ${liquidate}`, () => {
    const v = venueIn(status, "60");
    v.do(v.price("86"));
    expect(v.lots("alice")).toBe(liquidate ? 0 : 5);
    if (status === "halted") {
      // Back in active the account is due at once.
      v.do(v.status("active"));
      expect(v.lots("alice")).toBe(0);
    }
  });
});

describe("a pause", () => {
  test("of liquidations leaves positions of the market alone and closes the others of the margin account", () => {
    const v = new TestVenue({
      markets: { TEST: {}, MORE: {} },
      accounts: { alice: "200", bob: "100000" },
      prices: { TEST: "100", MORE: "100" },
    });
    for (const market of ["TEST", "MORE"]) {
      v.do(v.sell("bob", "8", "100", { market }), v.buy("alice", "8", "100", { market }));
    }
    v.do(v.update({ pauseLiquidate: "on" }));
    v.do(v.price("80"), v.price("80", { market: "MORE" }));
    expect([v.lots("alice"), v.lots("alice", "MORE")]).toEqual([8, 0]);
    v.do(v.price("76"));
    expect(v.lots("alice")).toBe(8);
    v.do(v.update({ pauseLiquidate: "off" }));
    expect(v.lots("alice")).toBe(0);
  });

  test("of funding stops samples and payments, and lifting it resumes them", () => {
    const v = venueIn("active");
    v.do(v.update({ pauseFund: "on" }));
    const quiet = [v.run(), v.run(), v.run()].flatMap(({ events }) => events);
    expect(quiet).toEqual([]);
    v.do(v.update({ pauseFund: "off" }));
    const kinds = [v.run(), v.run(), v.run()].flatMap(({ events }) => events.map(({ kind }) => kind));
    expect(kinds).toContain("fundingAccrued");
  });

  test("of trading leaves cancelling, and making smaller, as it was", () => {
    const v = venueIn("active");
    const id = v.place(v.buy("alice", "2", "90"));
    v.do(v.update({ pauseTrade: "on" }));
    v.do(v.amend("alice", id, { size: "1" }), v.cancel("alice", id));
  });

  test("of withdrawals concerns only who has a position in the market", () => {
    const v = venueIn("active");
    v.do(v.transfer("bob", "carol", "100"));
    v.do(v.update({ pauseWithdraw: "on" }));
    expect(v.try(v.withdraw("alice", "1"))).toBe("OPERATION_PAUSED");
    expect(v.try(v.withdraw("carol", "1"))).toBe("applied");
  });
});
