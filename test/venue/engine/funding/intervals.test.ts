import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { getPredictedRate } from "../../../../src/venue/engine/funding/predictedRate.ts";
import { TestVenue } from "../../../helpers/venue.ts";

const HOUR = 3_600_000;
const INTERVAL = 600_000;
const GAP = 60_000;
/** Interest of 0.01 % in 8 h, ppb: what every method pays where there is no premium. */
const INTEREST = 100_000;

/** Alice long and bob short at a price of 10,000, from 8:00 on. */
function venue(texts: Record<string, string> = {}): TestVenue {
  const v = new TestVenue({
    markets: { TEST: { markMethod: "oracle", fundingMethod: "hyperliquid", fundingSample: "1000", ...texts } },
    accounts: { alice: "100000", bob: "100000", carol: "100000" },
    genesis: { timeMs: 8 * HOUR - 1000 },
  });
  v.do(v.price("10000"));
  v.do(v.sell("bob", "1", "10000"), v.buy("alice", "1", "10000"));
  return v;
}

const markets = (v: TestVenue) => v.state.markets;

/**
 * FND-4 for a market without premiums, in plain numbers: the time that is paid. A pause and a halt are the same to it,
 * so it only knows whether the market funds.
 */
class PaidTime {
  paid = 0;
  settled: number;
  #funds = true;
  #waits = false;
  #sampled = true;
  #last: number;

  constructor(settled: number, now: number) {
    this.settled = settled;
    this.#last = now;
  }

  /**
   * @param changes whether the market funds after each change of the block
   * @param priced  whether an oracle price is reported in it
   */
  block(now: number, changes: readonly boolean[], priced: boolean): void {
    const last = this.#last;
    this.#last = now;
    const late = now - last > GAP;
    if (this.#funds && late) this.#restart(last, now);
    for (const funds of changes) {
      if (this.#funds && !funds) this.#end(now);
      if (!this.#funds && funds) this.settled = now;
      this.#funds = funds;
    }
    const waits = (this.#waits || late) && !priced;
    if (waits !== this.#waits && this.#funds && this.settled !== now) this.#restart(last, now);
    this.#waits = waits;
    if (!this.#funds || waits) return;
    this.#sampled = true;
    if (Math.floor(now / INTERVAL) * INTERVAL > this.settled) this.#end(now);
  }

  #restart(last: number, now: number): void {
    this.#end(last);
    this.settled = now;
  }

  #end(now: number): void {
    if (!this.#sampled) return;
    this.#sampled = false;
    const end = Math.floor(now / INTERVAL) * INTERVAL;
    const until = end > this.settled ? end : now;
    this.paid += Math.min(until - this.settled, INTERVAL);
    this.settled = until;
  }
}

describe("time in which a market does not fund (FND-4)", () => {
  // Goal: exactly the time is paid in which the market funds and no gap is. Method: there is no premium, so that paid,
  // due and carried are the interest of a time; it is compared with a plain count of that time after every block.
  test("pauses, halts and gaps in any order pay exactly the rest of the time", () => {
    const step = fc.record({
      after: fc.constantFrom(1000, 1000, 7001, 30_000, GAP, GAP + 1, 400_000, 1_500_000),
      stops: fc.array(fc.constantFrom("pause", "lift", "halt", "open"), { maxLength: 3 }),
      priced: fc.boolean(),
    });
    const met = { short: 0, waits: 0, rest: 0 };
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
        const v = venue({ fundingInterval: String(INTERVAL), blockGap: String(GAP) });
        const row = v.marketRow();
        const reference = new PaidTime(markets(v).settledTime[row]!, v.state.timeMs);
        const from = markets(v).settledTime[row]!;
        expect(from).toBe(8 * HOUR);
        let rates = 0;
        let [paused, halted] = [false, false];
        for (const { after, stops, priced } of steps) {
          const now = v.state.timeMs + after;
          const sent = priced ? [v.price("10000")] : [];
          const changes: boolean[] = [];
          for (const stop of stops) {
            if (stop === "pause" || stop === "lift") {
              paused = stop === "pause";
              sent.push(v.update({ pauseFund: paused ? "on" : "off" }));
            } else {
              halted = stop === "halt";
              sent.push(v.update({ status: halted ? "halted" : "active" }));
            }
            changes.push(!paused && !halted);
          }
          const story = v.runAt(now, ...sent);
          reference.block(now, changes, priced);
          const accrued = story.of("fundingAccrued");
          expect(accrued.length).toBeLessThanOrEqual(1);
          for (const { rate, settledMs } of accrued) {
            rates += rate;
            if (paused || halted) met.rest++;
            if (settledMs % INTERVAL !== 0) met.short++;
          }
          if (markets(v).restarting[row] !== 0) met.waits++;
          const { fundingDue, fundingCarry, settledTime } = markets(v);
          expect(settledTime[row]).toBe(reference.settled);
          expect((rates + fundingDue[row]!) * 8 * HOUR + fundingCarry[row]!).toBe(INTEREST * reference.paid);
          if (paused || halted) expect(getPredictedRate(v.state, row)).toBe(0);
        }
      }),
      { numRuns: 150 },
    );
    for (const count of Object.values(met)) expect(count).toBeGreaterThan(20);
  });

  test("an account that opens after a pause pays for the time since the lift, not for the hour", () => {
    const v = venue();
    v.runAt(8 * HOUR + 600_000, v.update({ pauseFund: "on" }));
    v.runAt(9 * HOUR - 300_000, v.update({ pauseFund: "off" }));
    v.do(v.sell("bob", "1", "10000"), v.buy("carol", "1", "10000"));
    v.runAt(9 * HOUR);
    v.do(v.sell("carol", "1", "10000"), v.buy("bob", "1", "10000"));
    // Five minutes of 0.01 % in 8 h, with the third that ten minutes left to carry: 1,042 ppb of 10,000 USD.
    expect(v.usd("carol")).toBe("99999.98958");
  });

  test("a change of the method in the block of a pause is paid by the method before", () => {
    const v = venue({ fundingMethod: "hyperliquid" });
    v.runAt(8 * HOUR + 600_000);
    const now = 8 * HOUR + 900_000;
    const story = v.runAt(now, v.update({ fundingMethod: "reported", pauseFund: "on" }));
    expect(story.of("premiumsCleared")).toMatchObject([{ settledMs: now, sampledMs: 0, due: 3125 }]);
    expect(story.of("fundingAccrued")).toMatchObject([{ rate: 3125, due: 0, settledMs: now }]);
    expect(v.runAt(now + 1000, v.update({ fundingMethod: "dydx" })).of("premiumsCleared")).toEqual([]);
  });

  test("a recorded rate in the block of a pause is not paid, and what was due before is", () => {
    const v = venue({ fundingPaymentMax: "0.000002" });
    v.runAt(8 * HOUR + 600_000);
    v.runAt(8 * HOUR + 900_000, v.update({ fundingMethod: "reported" }));
    const story = v.runAt(8 * HOUR + 901_000, v.price("10000", { funding: "0.001" }), v.update({ pauseFund: "on" }));
    expect(story.of("fundingAccrued")).toMatchObject([{ rate: 1125, due: 0 }]);
  });

  test("a market that is created and paused in one block, or lifted and paused again, pays nothing", () => {
    const v = venue({ fundingPaymentMax: "0.000002" });
    v.runAt(8 * HOUR + 600_000);
    v.runAt(8 * HOUR + 900_000, v.update({ pauseFund: "on" }));
    expect(markets(v).fundingDue[v.marketRow()]).toBe(1125);
    const both = v.do(v.update({ pauseFund: "off" }), v.update({ pauseFund: "on" }));
    expect(both.of("premiumsCleared")).toHaveLength(2);
    expect(both.of("fundingAccrued")).toEqual([]);
    expect(v.run(v.update({ pauseFund: "off" })).of("fundingAccrued")).toMatchObject([{ rate: 1125, due: 0 }]);
  });

  test("a larger blockGap in the block after a gap does not bring the gap's time back", () => {
    for (const blockGap of ["0", "3600000"]) {
      const v = venue({ blockGap: String(GAP) });
      const last = v.state.timeMs;
      const now = last + 1_000_000;
      const story = v.runAt(now, v.update({ blockGap }));
      expect(story.of("premiumsCleared")).toMatchObject([{ settledMs: now, sampledMs: 0 }]);
      expect(markets(v).settledTime[v.marketRow()]).toBe(now);
    }
    // One that is allowed only from this block on makes the market wait, and its time is dropped there.
    const v = venue();
    const last = v.state.timeMs;
    const story = v.runAt(last + 1_000_000, v.update({ blockGap: String(GAP) }));
    expect(story.of("restartChanged")).toMatchObject([{ restarting: 1 }]);
    expect(story.of("premiumsCleared")).toMatchObject([{ settledMs: last + 1_000_000 }]);
  });
});
