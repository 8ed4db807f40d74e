import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatDecimal } from "../../../../src/ground/math/decimal.ts";
import { LIMIT } from "../../../../src/ground/math/fixed.ts";
import { BALANCE_CAUSES, type EventOf, INSURANCE_CAUSES } from "../../../../src/protocol/events.ts";
import { SIDE } from "../../../../src/protocol/words.ts";
import { computeMakerFee, computeTakerFee } from "../../../../src/venue/engine/matching/fees.ts";
import type { AccountRow } from "../../../../src/venue/engine/state/schema.ts";
import { TestVenue } from "../../../helpers/venue.ts";

/** A ratio of integers, and the whole numbers next to it, worked out by comparison: no division is involved. */
interface Ratio {
  readonly over: bigint;
  readonly under: bigint;
}

const MILLION = 1_000_000n;
const product = (value: number, ppm: number): Ratio => ({ over: BigInt(value) * BigInt(ppm), under: MILLION });
/** n is the least whole number that is not below the ratio. */
const isCeil = (n: bigint, { over, under }: Ratio) => n * under >= over && (n - 1n) * under < over;
/** n is the greatest whole number that is not above the ratio. */
const isFloor = (n: bigint, { over, under }: Ratio) => n * under <= over && (n + 1n) * under > over;

/**
 * Values from a single quote unit up to the most that is stored; most of them owe less than a unit, or nearly a whole
 * one.
 */
const values = fc.oneof(
  fc.integer({ min: 0, max: 3000 }),
  fc.integer({ min: 0, max: 3_000_000 }),
  fc.integer({ min: 0, max: LIMIT }),
  fc.integer({ min: 0, max: 30 }).map((less) => LIMIT - less),
  // One that a rate divides exactly, and its neighbours.
  fc
    .tuple(fc.integer({ min: 0, max: 9_000_000_000 }), fc.integer({ min: -1, max: 1 }))
    .map(([n, by]) => Math.max(0, n * 1_000_000 + by)),
);
const rates = fc.oneof(fc.integer({ min: 0, max: 3000 }), fc.constantFrom(0, 1, 999_999, 1_000_000));

describe("fees against exact ratios (ORD-7)", () => {
  test("a taker fee is the exact share rounded up, so that any value pays at least a unit", () => {
    let below = 0;
    fc.assert(
      fc.property(values, rates, (value, rate) => {
        const fee = computeTakerFee(value, rate);
        const exact = product(value, rate);
        if (exact.over > 0n && exact.over < exact.under) below++;
        expect(isCeil(BigInt(fee), exact)).toBe(true);
        expect(fee === 0).toBe(value === 0 || rate === 0);
      }),
      { numRuns: 2000 },
    );
    expect(below).toBeGreaterThan(100);
  });

  test("a maker fee is rounded up, a rebate down and cut to the taker fee", () => {
    const met = { fee: 0, rebate: 0, cut: 0, none: 0 };
    fc.assert(
      fc.property(values, rates, fc.boolean(), rates, (value, rate, isRebate, takerRate) => {
        const takerFee = computeTakerFee(value, takerRate);
        const fee = computeMakerFee(value, isRebate ? -rate : rate, takerFee);
        const exact = product(value, rate);
        if (!isRebate) {
          met.fee++;
          expect(isCeil(BigInt(fee), exact)).toBe(true);
          return;
        }
        expect(Object.is(fee, -0)).toBe(false);
        expect(fee).toBeLessThanOrEqual(0);
        expect(takerFee + fee).toBeGreaterThanOrEqual(0);
        const whole = isFloor(BigInt(-fee), exact);
        if (whole) met.rebate++;
        else met.cut++;
        if (!whole) expect([fee, exact.over > BigInt(takerFee) * exact.under]).toEqual([0 - takerFee, true]);
        if (fee === 0) met.none++;
      }),
      { numRuns: 3000 },
    );
    for (const count of Object.values(met)) expect(count).toBeGreaterThan(100);
  });

  // Goal: cutting an order changes no fee. Method: the fees of the parts against that of the whole.
  test("fills of an order pay together what one fill of their value pays", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 4000 }), { minLength: 1, maxLength: 30 }),
        rates,
        (parts, rate) => {
          let [value, paid] = [0, 0];
          for (const part of parts) {
            const fee = computeTakerFee(value + part, rate) - paid;
            expect(fee).toBeGreaterThanOrEqual(0);
            value += part;
            paid += fee;
          }
          expect(isCeil(BigInt(paid), product(value, rate))).toBe(true);
        },
      ),
    );
  });
});

/** A lot at one USD is worth one quote unit: fills of some hundred units owe parts of one. */
const TINY = { lotSize: "0.000001", minSize: "0.000001", maxSize: "1000", positionLimit: "1000", tickSize: "1" };
const size = (lots: number) => formatDecimal(lots, 6);
const share = (ppm: number) => formatDecimal(ppm, 6);

const fills = fc.array(fc.record({ lots: fc.integer({ min: 1, max: 60 }), away: fc.integer({ min: -5, max: 5 }) }), {
  minLength: 1,
  maxLength: 6,
});

describe("fees of fills below a unit (ORD-7, LIQ-2)", () => {
  // Goal: what accounts pay is the exact share, rounded by its rule, whatever an order meets. Method: orders of some
  // hundred quote units against several makers; fees are checked against ratios, and the venue's sum against the
  // accounts.
  test("taker, maker and rebate, on both sides", () => {
    const met = { below: 0, rebates: 0 };
    fc.assert(
      fc.property(
        fills,
        fc.boolean(),
        fc.integer({ min: 0, max: 2500 }),
        fc.integer({ min: -2500, max: 2500 }),
        (orders, buys, takerRate, free) => {
          const makerRate = Math.max(free, -takerRate);
          const v = new TestVenue({
            markets: { TEST: { ...TINY, takerFee: share(takerRate), makerFee: share(makerRate) } },
            accounts: { alice: "1000", bob: "1000" },
            prices: { TEST: "100" },
          });
          const [rest, take] = buys ? (["sell", "buy"] as const) : (["buy", "sell"] as const);
          for (const { lots, away } of orders) v.do(v[rest]("bob", size(lots), String(100 + away)));
          const total = orders.reduce((sum, { lots }) => sum + lots, 0);
          const story = v.do(v[take]("alice", size(total), buys ? "105" : "95"));
          const made = story.of("fill");
          expect(made.reduce((sum, fill) => sum + fill.size, 0)).toBe(total);
          let [value, taken, given] = [0, 0, 0];
          for (const fill of made) {
            value += fill.value;
            taken += fill.takerFee;
            given += fill.makerFee;
            expect(isCeil(BigInt(taken), product(value, takerRate))).toBe(true);
            const exact = product(fill.value, Math.abs(makerRate));
            if (exact.over > 0n && exact.over < exact.under) met.below++;
            if (makerRate >= 0) {
              expect(isCeil(BigInt(fill.makerFee), exact)).toBe(true);
              continue;
            }
            met.rebates++;
            // Not cut by what the taker paid for earlier fills: ceil(a + b) - ceil(a) is at least floor(b).
            expect(isFloor(BigInt(-fill.makerFee), exact)).toBe(true);
            expect(fill.takerFee + fill.makerFee).toBeGreaterThanOrEqual(0);
          }
          // What both pay is collateral that they no longer have: positions are worth what they cost.
          expect(v.units("alice")).toBe(1_000_000_000 - taken);
          expect(v.units("bob")).toBe(1_000_000_000 - given);
          expect(v.total("fees")).toBe(BigInt(taken + given));
        },
      ),
      { numRuns: 150 },
    );
    for (const count of Object.values(met)) expect(count).toBeGreaterThan(20);
  });

  // Goal: the fee of a liquidation is its rate of the fill, rounded down, and never more than the fill fetched above
  // the bankruptcy price. Method: one position of some hundred quote units, long or short, which several makers close;
  // its bankruptcy value is what leaves exactly nothing, in slices rounded up.
  test("the liquidation fee, for a long and a short", () => {
    const met = { below: 0, whole: 0, cut: 0, short: 0 };
    fc.assert(
      fc.property(
        fc.integer({ min: 5, max: 400 }),
        fc.boolean(),
        fc.integer({ min: 0, max: 20_000 }),
        fc.array(fc.record({ share: fc.integer({ min: 1, max: 9 }), away: fc.integer({ min: 0, max: 24 }) }), {
          minLength: 1,
          maxLength: 4,
        }),
        (lots, long, rate, makers) => {
          const v = new TestVenue({
            markets: {
              TEST: { ...TINY, markClamp: "0.045", liquidationFee: share(rate) },
            },
            // A tenth of what it opens: no fee is taken yet.
            accounts: { alice: formatDecimal(100 * lots, 6), bob: "1000", carol: "1000" },
            prices: { TEST: "1000" },
          });
          const [open, close] = long ? (["buy", "sell"] as const) : (["sell", "buy"] as const);
          v.do(v[close]("bob", size(lots), "1000"), v[open]("alice", size(lots), "1000"));
          v.do(v.update({ takerFee: "0.0001", makerFee: "-0.0001" }));
          const cash = 100 * lots;
          const mark = long ? 930 : 1070;
          const steps = makers.map(({ share: part, away }) => {
            const most = Math.max(1, Math.floor((lots * part) / 10));
            const price = String(long ? mark - away : mark + away);
            return v[open]("carol", size(most), price);
          });
          v.do(...steps);
          v.do(v.price(long ? "960" : "1040"));
          const story = v.do(v.price(String(mark)));
          const made = story.of("fill").filter(({ takerAccount }) => v.nameOf(takerAccount as AccountRow) === "alice");
          const fees = story
            .of("balanceChanged")
            .filter(({ cause }) => BALANCE_CAUSES[cause] === "liquidationFee")
            .map(({ delta }) => -delta);
          const started = story.of("liquidationStarted")[0]!;
          if (!long) met.short++;
          expect(made.length).toBeGreaterThan(0);
          // Cash that the whole position has to fetch so that nothing is left.
          const zero = BigInt(long ? 1000 * lots : -1000 * lots) - BigInt(cash);
          expect(started.equity).toBe(cash - 70 * lots);
          let [done, fee] = [0, 0];
          for (const fill of made as EventOf<"fill">[]) {
            expect([fill.takerFee, fill.makerFee]).toEqual([0, 0]);
            expect(fill.takerSide).toBe(long ? SIDE.sell : SIDE.buy);
            const slice = ceilOf(zero * BigInt(done + fill.size), lots) - ceilOf(zero * BigInt(done), lots);
            done += fill.size;
            const above = BigInt(long ? fill.value : -fill.value) - slice;
            const exact = product(fill.value, rate);
            if (exact.over > 0n && exact.over < exact.under) met.below++;
            const isPaid = above > 0n && exact.over >= exact.under;
            if (!isPaid) continue;
            const paid = BigInt(fees[fee++]!);
            const whole = isFloor(paid, exact);
            if (whole) met.whole++;
            else met.cut++;
            expect(paid <= above).toBe(true);
            if (!whole) expect([paid, above * exact.under < exact.over]).toEqual([above, true]);
          }
          expect(fees.length).toBe(fee);
          const funded = story
            .of("insuranceChanged")
            .filter(({ cause }) => INSURANCE_CAUSES[cause] === "liquidationFee");
          expect(funded.map(({ delta }) => delta)).toEqual(fees);
        },
      ),
      { numRuns: 150 },
    );
    for (const count of Object.values(met)) expect(count).toBeGreaterThan(10);
  });
});

/** ceil(a / b) by comparison, toward plus infinity for both signs. */
function ceilOf(over: bigint, by: number): bigint {
  const under = BigInt(by);
  let n = over / under;
  while (n * under < over) n++;
  while ((n - 1n) * under >= over) n--;
  return n;
}
