import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isParameterFault } from "../../../../src/protocol/parameterFault.ts";
import type { MarketParameters } from "../../../../src/protocol/parameters.ts";
import { readMarketParameters } from "../../../../src/protocol/readParameters.ts";
import { joinIndex } from "../../../../src/venue/engine/funding/cumulativeIndex.ts";
import { getPool } from "../../../../src/venue/engine/funding/pool.ts";
import { computeEightHourRate, computeFundingShare } from "../../../../src/venue/engine/funding/rate.ts";
import { computeMeanPremium } from "../../../../src/venue/engine/funding/samples.ts";
import type { Step } from "../../../helpers/venue/traderSteps.ts";
import { rate } from "../../../helpers/venue/values.ts";
import { TestVenue, type VenueOptions } from "../../../helpers/venue.ts";
import { exactFundingPayment, exactIndexMove } from "../../../reference/exactFunding.ts";

/** Alice long, bob short, 10 lots at 100, in a market whose funding is reported. */
function holders(options: VenueOptions = {}): TestVenue {
  const v = new TestVenue({ accounts: { alice: "1000", bob: "1000" }, prices: { TEST: "100" }, ...options });
  v.do(v.sell("bob", "10", "100"), v.buy("alice", "10", "100"));
  return v;
}

/** What an interval with samples of this sum pays. */
function computeFundingRate(market: MarketParameters, sum: number, samples: number): number {
  const premium = computeMeanPremium(market, BigInt(sum), samples, 0);
  return computeFundingShare(market, computeEightHourRate(market, premium), market.fundingInterval, 0).rate;
}

const pool = (v: TestVenue) => getPool(v.state, v.marketRow());
const dust = (v: TestVenue) => v.state.markets.dust[v.marketRow()]!;
const indexOf = (v: TestVenue) =>
  joinIndex(v.state.markets.fundingHigh[v.marketRow()]!, v.state.markets.fundingLow[v.marketRow()]!);

/** Settles an account's funding: one lot in, through the book, against the other. */
const tradeOne = (v: TestVenue) => v.do(v.sell("bob", "1", "100"), v.buy("alice", "1", "100"));

describe("a reported rate (FND-2, FND-3)", () => {
  test("longs pay shorts when it is positive, and the reverse", () => {
    const v = holders();
    v.do(v.price("100", { funding: "0.001" }));
    expect([v.health("alice").equity, v.health("bob").equity]).toEqual([999e6, 1001e6]);
    v.do(v.price("100", { funding: "-0.002" }));
    expect([v.health("alice").equity, v.health("bob").equity]).toEqual([1001e6, 999e6]);
    const story = tradeOne(v);
    expect(story.of("fundingSettled").map(({ payment }) => payment)).toEqual([1e6, -1e6]);
    expect([v.usd("alice"), v.usd("bob"), pool(v)]).toEqual(["1001", "999", 0n]);
  });

  test("is paid at the index price, not at the mark", () => {
    const v = holders();
    v.do(v.price("200", { mark: "100", funding: "0.001" }));
    expect(v.health("alice").equity).toBe(1000e6 - 2e6);
  });

  test("is paid once, by the accounts that hold a position then, and not by later ones", () => {
    const v = holders({ accounts: { alice: "1000", bob: "1000", carol: "1000", dave: "1000" } });
    v.do(v.price("100", { funding: "0.001" }));
    v.do(v.price("100"), v.sell("dave", "5", "100"), v.buy("carol", "5", "100"));
    expect([v.health("carol").equity, v.health("dave").equity]).toEqual([1000e6, 1000e6]);
    expect(v.health("alice").equity).toBe(999e6);
  });

  test("counts toward equity at once, and liquidates in the block that reports it", () => {
    // Bought 10 at 100 with 100; at 95 equity is 50 and so is nearly maintenance margin, 47.5.
    const v = holders({ accounts: { alice: "100", bob: "1000" } });
    expect(v.do(v.price("95", { funding: "0.0026" })).of("liquidationStarted")).toEqual([]);
    const story = v.do(v.price("95", { funding: "0.0001" }));
    expect(story.of("liquidationStarted").map(({ equity }) => equity)).toEqual([50e6 - 2.47e6 - 0.095e6]);
  });

  test("that is reported twice in a block is the last one", () => {
    const v = holders();
    v.do(v.price("100", { funding: "0.5" }), v.price("100", { funding: "0.001" }));
    expect(v.health("alice").equity).toBe(999e6);
  });

  test("reported to a market that makes its own funding is never paid", () => {
    const v = holders({ markets: { TEST: { fundingMethod: "hyperliquid" } } });
    expect(v.try(v.price("0", { funding: "0.5" }))).toBe("FIELD_REFUSED");
    expect(v.try(v.price("100", { funding: "0.5" }))).toBe("FIELD_REFUSED");
    v.do(v.update({ fundingMethod: "reported" }));
    v.do(v.price("100"));
    expect(v.health("alice").equity).toBe(1000e6);
  });

  test("reported before the first price lapses", () => {
    const v = new TestVenue({ accounts: { alice: "1000", bob: "1000" } });
    v.run(v.price("0", { funding: "0.5" }));
    v.do(v.price("100"));
    expect(v.state.markets.fundingRate[v.marketRow()]).toBe(0);
    expect(indexOf(v)).toBe(0n);
  });

  test("above 100 % is refused, since an index cannot hold every payment", () => {
    const v = holders();
    expect(v.try(v.price("100", { funding: "9000000" }))).toBe("NUMERIC_LIMIT");
    expect(v.try(v.price("100", { funding: "-9000000" }))).toBe("NUMERIC_LIMIT");
    expect(indexOf(v)).toBe(0n);
  });
});

// Goal: what a position pays does not depend on how often it is settled, nothing is lost, and the pool never owes what
// it does not have. Method: two venues with the same rates. In one all accounts are settled after every rate (by a
// trade that changes nothing in sum), in the other once at the end. An exact twin runs in lock step with both.
test("settling every block and settling once charge the same, and equal the exact sum rounded against the account", () => {
  const steps = fc.array(
    fc.record({ rate: fc.integer({ min: -3_000_000, max: 3_000_000 }), cents: fc.integer({ min: 9000, max: 11_000 }) }),
    { minLength: 1, maxLength: 12 },
  );
  const market = { lotSize: "0.001", minSize: "0.001", tickSize: "0.01" };
  fc.assert(
    fc.property(steps, fc.integer({ min: 2, max: 5000 }), (list, lots) => {
      const open = () => {
        const v = new TestVenue({
          markets: { TEST: market },
          accounts: { alice: "100000", bob: "100000" },
          prices: { TEST: "100" },
        });
        const text = `${lots / 1000}`;
        v.do(v.sell("bob", text, "100"), v.buy("alice", text, "100"));
        return v;
      };
      const often = open();
      const once = open();
      let owed = 0n;
      for (const { rate: ppb, cents } of list) {
        const price = `${cents / 100}`;
        const funding = (ppb / 1e9)
          .toFixed(9)
          .replace(/\.?0+$/, "")
          .replace(/^-0$/, "0");
        for (const v of [often, once]) v.do(v.price(price, { funding }));
        owed += exactIndexMove(BigInt(rate(funding)), BigInt(cents) * 10n ** 6n, 100_000n);
        // Selling a lot and buying it back at the same price, within one block.
        const back = { price: "100" };
        often.do(
          often.buy("bob", "0.001", back.price),
          often.sell("alice", "0.001", back.price),
          often.sell("bob", "0.001", back.price),
          often.buy("alice", "0.001", back.price),
        );
      }
      expect(indexOf(once)).toBe(owed);
      for (const [name, sign] of [
        ["alice", 1n],
        ["bob", -1n],
      ] as const) {
        // Equity includes what is not settled yet; lots that changed hands for a moment moved nothing.
        expect(BigInt(often.health(name).equity)).toBe(BigInt(once.health(name).equity));
        const gain = BigInt(once.units(name)) - 100_000_000_000n;
        expect(gain).toBe(0n);
        const payment = exactFundingPayment(sign * BigInt(lots) * owed);
        const unrealized = BigInt(once.health(name).equity) - 100_000_000_000n;
        const price = BigInt(list.at(-1)!.cents);
        // Value of the position at the mark less its cost, rounded down: lots * cents * 10 units.
        expect(unrealized).toBe(sign * BigInt(lots) * (price - 10_000n) * 10n - payment);
      }
    }),
    { numRuns: 40 },
  );
});

describe("the pool (POS-4)", () => {
  test("keeps what rounding left and hands it to dust when no account has a position", () => {
    const v = new TestVenue({ accounts: { alice: "1000", bob: "1000", carol: "1000" }, prices: { TEST: "100" } });
    v.do(v.sell("bob", "2", "100"), v.buy("alice", "1", "100"), v.buy("carol", "1", "100"));
    // 100.000001 * 1e-9 is a tenth of a unit and a bit: payers round up to 1, the receiver down to 0.
    v.do(v.price("100", { funding: "0.000000001" }));
    v.do(v.buy("bob", "2", "100"), v.sell("alice", "1", "100"));
    expect([pool(v), dust(v)]).toEqual([1n, 0]);
    v.do(v.sell("carol", "1", "100"));
    expect([pool(v), dust(v)]).toEqual([0n, 2]);
    expect(v.lastStory!.of("dustChanged").map(({ delta }) => delta)).toEqual([2]);
  });

  test("goes to dust also when the last position is closed by deleveraging", () => {
    const v = new TestVenue({ accounts: { alice: "11", bob: "1000" }, prices: { TEST: "100" } });
    v.do(v.sell("bob", "1", "100"), v.buy("alice", "1", "100"));
    v.do(v.price("100", { funding: "0.000000001" }));
    v.do(v.price("50"));
    expect([v.lots("alice"), v.lots("bob"), pool(v), dust(v)]).toEqual([0, 0, 0n, 1]);
  });
});

/** Parameters of a market of the given texts over the preset `linear`. */
function rules(texts: Record<string, string>) {
  const read = readMarketParameters("linear", texts);
  if (isParameterFault(read)) throw new Error(`${read.parameter}: ${read.reason}`);
  return read;
}

describe("the rate of sampled funding (FND-2)", () => {
  // research/venues.md 2.11: interest 0.01 %, impact bid 10,100 over 10,000: premium 1 %, F8h 0.95 %.
  const wide = rules({ tier1: "0 0.1 0.05", tier2: "" });

  test("a premium of 1 % makes 0.95 % per 8 h, an eighth of it an hour", () => {
    expect(computeFundingRate(wide, 10_000_000, 1)).toBe(9_500_000 / 8);
    expect(computeFundingRate({ ...wide, fundingInterval: 28_800_000 }, 10_000_000, 1)).toBe(9_500_000);
  });

  test("a premium within the clamp of the interest is pulled to the interest", () => {
    for (const premium of [-400_000, 0, 100_000, 600_000]) {
      expect(computeFundingRate(wide, premium, 1)).toBe(100_000 / 8);
    }
    expect(computeFundingRate(wide, 600_008, 1)).toBe(100_008 / 8);
    expect(computeFundingRate(wide, -400_008, 1)).toBe(99_992 / 8);
  });

  test("is bounded by six times initial less maintenance, on both sides", () => {
    // 6 * (2.5 % - 1.25 %) = 7.5 % per 8 h.
    const linear = rules({});
    expect(computeFundingRate(linear, 900_000_000, 1)).toBe(75_000_000 / 8);
    expect(computeFundingRate(linear, -900_000_000, 1)).toBe(-75_000_000 / 8);
  });

  test("is bounded by the cap per hour, on both sides", () => {
    const capped = rules({ fundingCap: "0.001" });
    expect(computeFundingRate(capped, 900_000_000, 1)).toBe(1_000_000);
    expect(computeFundingRate(capped, -900_000_000, 1)).toBe(-1_000_000);
  });

  test("takes the mean of its samples, toward zero", () => {
    expect(computeFundingRate(wide, 30_000_000, 3)).toBe(computeFundingRate(wide, 10_000_000, 1));
    expect(computeFundingRate(wide, -29_999_999, 3)).toBe(computeFundingRate(wide, -9_999_999, 1));
  });
});

describe("sampling and settling (FND-1, FND-2)", () => {
  const HOUR = 3_600_000;
  const sampled = {
    markMethod: "oracle",
    fundingMethod: "hyperliquid",
    impactNotional: "1000",
    fundingPaymentMax: "0.002",
    priceBand: "0.5",
  };
  const deep = () => {
    const v = new TestVenue({
      markets: { TEST: sampled },
      accounts: { alice: "100000", bob: "100000" },
      genesis: { timeMs: HOUR - 1000 },
    });
    v.do(v.price("10000"));
    v.do(v.sell("bob", "2", "10200"), v.buy("alice", "1", "10200"));
    return v;
  };
  const samples = (v: TestVenue) => v.state.markets.premiumSamples[v.marketRow()]!;

  test("the premium is that of the impact price, zero where depth is missing, toward zero", () => {
    const v = deep();
    v.do(v.cancelAll("bob"));
    const premium = (...steps: Step[]) => {
      v.runAt(v.state.timeMs + 1, ...steps);
      return v
        .runAt(v.state.timeMs + 5000)
        .of("fundingSampled")
        .map((event) => event.premium);
    };
    expect(premium()).toEqual([0]);
    expect(premium(v.buy("bob", "1", "10100"))).toEqual([10_000_000]);
    // Two levels: 500 at 10,100 would be needed; the bid of 10,000 adds nothing above the index.
    expect(premium(v.cancelAll("bob"), v.sell("bob", "1", "9900"))).toEqual([-10_000_000]);
    expect(premium(v.cancelAll("bob"), v.buy("bob", "1", "9000"))).toEqual([0]);
    expect(premium(v.update({ impactNotional: "100000" }), v.cancelAll("bob"), v.buy("bob", "1", "10100"))).toEqual([
      0,
    ]);
  });

  test("the impact price averages the levels that the notional reaches", () => {
    const v = deep();
    v.do(v.cancelAll("bob"), v.cancelAll("alice"));
    v.run(v.update({ impactNotional: "30500" }));
    v.do(v.buy("bob", "1", "10200"), v.buy("bob", "1", "10300"), v.buy("bob", "5", "10000"));
    const [sample] = v.runAt(v.state.timeMs + 5000).of("fundingSampled");
    // 10,300 + 10,200 + 10,000 reach 30,500 exactly with three lots: 10,166.66666666, rounded down.
    expect(sample!.premium).toBe(16_666_666);
  });

  test("samples keep their distance, and intervals settle once, at the hour", () => {
    const v = deep();
    const before = samples(v);
    // The first was taken on the hour.
    v.runAt(HOUR + 4999);
    expect(samples(v)).toBe(before);
    v.runAt(HOUR + 5000);
    expect(samples(v)).toBe(before + 1);
    expect(v.runAt(2 * HOUR - 1).of("fundingAccrued")).toEqual([]);
    const story = v.runAt(2 * HOUR);
    expect(story.of("fundingAccrued").map(({ rate: paid, due, settledMs }) => [paid, due, settledMs])).toEqual([
      [12_500, 0, 2 * HOUR],
    ]);
    expect(samples(v)).toBe(0);
    expect(v.runAt(2 * HOUR + 1).of("fundingAccrued")).toEqual([]);
  });

  test("intervals that a gap skipped lapse: one settlement, of the samples there are", () => {
    const v = deep();
    const story = v.runAt(7 * HOUR + 5);
    expect(story.of("fundingAccrued").map(({ rate: paid, settledMs }) => [paid, settledMs])).toEqual([
      [12_500, 7 * HOUR],
    ]);
  });

  test("without samples nothing is paid", () => {
    const v = new TestVenue({
      markets: { TEST: { ...sampled, fundingSample: "100000000000" } },
      genesis: { timeMs: HOUR },
      prices: { TEST: "10000" },
    });
    for (const at of [2, 3]) {
      const [accrued] = v.runAt(at * HOUR).of("fundingAccrued");
      expect(accrued === undefined || accrued.rate === 0).toBe(true);
    }
    expect(indexOf(v)).toBe(0n);
  });

  test("a payment beyond the greatest is carried into later blocks until it is paid", () => {
    const v = deep();
    v.do(v.update({ fundingPaymentMax: "0.00001" }));
    v.do(v.cancelAll("bob"), v.buy("bob", "1", "10100"));
    // One more sample at 1 %; the others are 0, so the mean is 1 % over their number.
    v.runAt(2 * HOUR - 1);
    const rates: number[] = [];
    const dues: number[] = [];
    for (let block = 0; block < 130; block++) {
      for (const { rate: paid, due } of v.runAt(2 * HOUR + block).of("fundingAccrued")) {
        rates.push(paid);
        dues.push(due);
      }
    }
    const total = rates.reduce((sum, paid) => sum + paid, 0);
    expect(rates.length).toBeGreaterThan(2);
    expect(rates.slice(0, -1).every((paid) => paid === 10_000)).toBe(true);
    expect(rates.at(-1)).toBeLessThanOrEqual(10_000);
    expect(dues.map((due, place) => due + rates.slice(0, place + 1).reduce((sum, paid) => sum + paid, 0))).toEqual(
      dues.map(() => total),
    );
    expect(dues.at(-1)).toBe(0);
  });

  test("a payment bounded by zero is 0, not -0, and all of it stays due", () => {
    const v = new TestVenue({
      markets: { TEST: { ...sampled, fundingPaymentMax: "0", fundingInterest: "-0.0001" } },
      genesis: { timeMs: HOUR - 1000 },
      prices: { TEST: "10000" },
    });
    v.runAt(HOUR + 6000);
    const [accrued] = v.runAt(2 * HOUR).of("fundingAccrued");
    expect(accrued).toMatchObject({ rate: 0, due: -12_500 });
    expect(Object.is(v.state.markets.fundingRate[v.marketRow()], 0)).toBe(true);
  });

  // A recorded index may fall in one block below resting bids; the premium has to stay a number.
  test("an index that collapses under the bids leaves a bounded premium", () => {
    const v = new TestVenue({
      markets: { TEST: { fundingMethod: "hyperliquid", impactNotional: "1000", priceBand: "1000000" } },
      accounts: { alice: "100000000" },
      prices: { TEST: "100000" },
      genesis: { timeMs: HOUR },
    });
    v.do(v.buy("alice", "100", "100000"));
    v.runAt(v.state.timeMs + 5000, v.price("0.00000001"));
    const [sample] = v.runAt(v.state.timeMs + 5000).of("fundingSampled");
    expect(Number.isSafeInteger(sample!.premium)).toBe(true);
    v.runAt(3 * HOUR);
    expect(v.state.markets.fundingRate[v.marketRow()]).toBeGreaterThan(0);
  });
});
