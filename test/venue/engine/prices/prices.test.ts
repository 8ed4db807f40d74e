import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LIMIT } from "../../../../src/ground/math/fixed.ts";
import { clampBand, clampMove } from "../../../../src/venue/engine/prices/clamp.ts";
import { medianOfThree, moveAverage, nearer } from "../../../../src/venue/engine/prices/mark.ts";
import { TestVenue, type VenueOptions } from "../../../helpers/venue.ts";

const E8 = 1e8;
const priceRange = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 1e13 }));

describe("clamps (PRC-2)", () => {
  test("a move is at most its share, rounded inwards, but one unit is always allowed", () => {
    fc.assert(
      fc.property(priceRange, priceRange, fc.integer({ min: 1, max: 999_999 }), (from, to, share) => {
        const moved = clampMove(from, to, share);
        const reach = BigInt(from) * BigInt(share);
        const step = BigInt(Math.abs(moved - from)) * 1_000_000n;
        expect(step <= reach || Math.abs(moved - from) === 1).toBe(true);
        expect(Math.sign(moved - from)).toBe(Math.sign(to - from));
        expect(Math.abs(to - moved) <= Math.abs(to - from)).toBe(true);
        // It stops short of the target only where a unit more would pass the share.
        if (moved !== to) expect((BigInt(Math.abs(moved - from)) + 1n) * 1_000_000n > reach).toBe(true);
        expect(moved).toBeGreaterThanOrEqual(1);
      }),
      { numRuns: 1000 },
    );
  });

  test("a band keeps what lies in it and brings the rest to its edge", () => {
    expect([94, 95, 100, 105, 106].map((price) => clampBand(price, 100, 50_000))).toEqual([95, 95, 100, 105, 105]);
    expect(clampBand(96, 99, 50_000)).toBe(96);
    expect([1, 500].map((price) => clampBand(price, 99, 50_000))).toEqual([95, 103]);
  });
});

describe("parts of the mark (PRC-3)", () => {
  test("the median of three is the middle one", () => {
    fc.assert(
      fc.property(fc.tuple(priceRange, priceRange, priceRange), ([a, b, c]) => {
        expect(medianOfThree(a, b, c)).toBe([a, b, c].sort((x, y) => x - y)[1]);
      }),
    );
  });

  test("of two the one nearer to the index, the first on a tie", () => {
    expect([nearer(98, 101, 100), nearer(101, 98, 100), nearer(99, 101, 100)]).toEqual([101, 101, 99]);
  });

  // The exact average moves by (sample - average) * dt / (tau + dt); in integers each move is that, toward zero.
  test("the average moves by its exact share toward zero, never past the sample, and stays where it is at the sample", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: -1e12, max: 1e12 }), fc.integer({ min: -LIMIT, max: LIMIT })),
        fc.oneof(fc.integer({ min: -1e12, max: 1e12 }), fc.integer({ min: -LIMIT, max: LIMIT })),
        fc.integer({ min: 1, max: 1e7 }),
        fc.integer({ min: 1, max: 1e7 }),
        (average, sample, dt, tau) => {
          const move = ((BigInt(sample) - BigInt(average)) * BigInt(dt)) / BigInt(tau + dt);
          expect(moveAverage(average, sample, dt, tau)).toBe(Number(BigInt(average) + move));
          expect(moveAverage(sample, sample, dt, tau)).toBe(sample);
        },
      ),
    );
  });
});

const open = (method: string, options: VenueOptions = {}) =>
  new TestVenue({
    markets: { TEST: { markMethod: method, markBand: "0.05" } },
    accounts: { alice: "100000", bob: "100000" },
    ...options,
  });
const marks = (v: TestVenue) => [v.index() / E8, v.mark() / E8];

describe("the first price", () => {
  test.each(["median", "oracle", "reported", "book"])(
    "of a %s mark is taken as it is, and there is none before",
    (method) => {
      const v = open(method);
      expect(marks(v)).toEqual([0, 0]);
      v.do(v.price("100"));
      expect(marks(v)).toEqual([100, 100]);
    },
  );
});

describe("an oracle mark", () => {
  test("follows by at most the clamp a block, freezes exposure meanwhile, and thaws when it has caught up", () => {
    const v = open("oracle");
    v.do(v.price("100"));
    v.do(v.price("102.5"));
    expect(marks(v)).toEqual([101, 101]);
    expect(v.try(v.buy("alice", "1", "100"))).toBe("EXPOSURE_FROZEN");
    expect(marks(v)).toEqual([102.01, 102.01]);
    expect(v.try(v.buy("alice", "1", "100"))).toBe("applied");
    expect(marks(v)).toEqual([102.5, 102.5]);
    v.do(v.price("50"));
    expect(marks(v)).toEqual([101.475, 101.475]);
  });

  test("while exposure is frozen an order that only reduces is accepted", () => {
    const v = open("oracle");
    v.do(v.price("100"));
    v.do(v.sell("bob", "5", "100"), v.buy("alice", "5", "100"), v.buy("bob", "1", "99"));
    v.do(v.price("90"));
    expect(v.try(v.buy("alice", "1", "99"))).toBe("EXPOSURE_FROZEN");
    expect(v.try(v.sell("alice", "6", "99"))).toBe("EXPOSURE_FROZEN");
    expect(v.try(v.sell("alice", "1", "99", { reduceOnly: true }))).toBe("applied");
    // What rests on the closing side counts: 4 are left, and 4 may be sold in all, not 5.
    expect(v.try(v.sell("alice", "1", "99"))).toBe("applied");
    expect(v.try(v.sell("alice", "4", "99"))).toBe("EXPOSURE_FROZEN");
    expect(v.try(v.sell("alice", "3", "99"))).toBe("applied");
  });

  test("does not move without a report", () => {
    const v = open("oracle");
    v.do(v.price("100"));
    expect(v.run().of("pricesMoved")).toEqual([]);
  });
});

describe("a reported mark", () => {
  test("is used as recorded, like its oracle", () => {
    const v = open("reported");
    v.do(v.price("100", { mark: "103" }));
    expect(marks(v)).toEqual([100, 103]);
    v.do(v.price("10", { mark: "900" }));
    expect(marks(v)).toEqual([10, 900]);
    v.do(v.price("0", { mark: "800" }));
    expect(marks(v)).toEqual([10, 800]);
    expect(v.try(v.buy("alice", "1", "10"))).toBe("applied");
  });

  test("alone is the index too", () => {
    const v = open("reported");
    v.do(v.price("0", { mark: "70" }));
    expect(marks(v)).toEqual([70, 70]);
  });
});

describe("a median mark", () => {
  test("with an empty book is the index", () => {
    const v = open("median");
    v.do(v.price("100"));
    v.do(v.price("100.5"));
    expect(marks(v)).toEqual([100.5, 100.5]);
  });

  test("follows the book's median, but at most by its clamp and only within its band, and no single print moves it", () => {
    const v = open("median");
    v.do(v.price("100"));
    v.do(v.buy("alice", "9", "100"), v.sell("bob", "9", "100"));
    v.do(v.buy("alice", "9", "118"), v.sell("bob", "9", "120"));
    // Two components: index + average basis, and median(118, 120, last 100) = 118; the nearer to the index is the
    // first.
    v.run();
    expect(v.mark() / E8).toBeLessThan(100.2);
    // With a reported mark at 130 the median of three is the book's 118: a percent a block, then the band.
    const seen: number[] = [];
    for (let block = 0; block < 8; block++) {
      v.do(v.price("0", { mark: "130" }));
      seen.push(v.mark() / E8);
    }
    seen.reduce((before, mark) => {
      expect(mark).toBeLessThanOrEqual(before * 1.01 + 1e-8);
      return mark;
    });
    expect(seen.at(-1)).toBe(105);
  });

  test("the average basis approaches mid - index with the weight of the time that passed", () => {
    const v = open("median", { markets: { TEST: { markMethod: "median", markTau: "150000" } } });
    v.do(v.price("100"));
    v.do(v.buy("alice", "1", "104"), v.sell("bob", "1", "106"));
    v.runAt(v.state.timeMs + 50_000);
    // 5 * 50 / 200.
    expect(v.state.markets.basis[v.marketRow()]).toBe(1.25 * E8);
    v.runAt(v.state.timeMs + 150_000);
    expect(v.state.markets.basis[v.marketRow()]).toBe(1.25 * E8 + (3.75 * E8) / 2);
  });
});

// The study market: its mark follows its own book however far, which PRC-2 refuses unless the definition says unsafe.
const FREE = { markMethod: "book", markClamp: "1000", markBand: "1000", unsafe: "1", priceBand: "1000" } as const;

describe("a book mark (PRC-3)", () => {
  test("is the index while no order quotes, then the median of bid, ask and last trade, however far from the index", () => {
    const v = open("book", { markets: { TEST: FREE } });
    v.do(v.price("100"));
    expect(marks(v)).toEqual([100, 100]);
    v.do(v.sell("bob", "1", "900"), v.buy("alice", "1", "900"));
    v.do(v.buy("alice", "1", "300"), v.sell("bob", "1", "1000"));
    // 300, 1,000 and the last trade at 900.
    expect(marks(v)).toEqual([100, 100]);
    v.run();
    expect(marks(v)).toEqual([100, 900]);
    v.do(v.cancelAll("alice"));
    v.run();
    // The bid is missing: the index is used instead.
    expect(marks(v)).toEqual([100, 900]);
    v.do(v.buy("alice", "1", "950"));
    v.run();
    expect(marks(v)).toEqual([100, 950]);
  });

  test("moves by at most its clamp and stays in its band where they are not set wide", () => {
    const v = open("book", { markets: { TEST: { markMethod: "book", markBand: "0.02" } } });
    v.do(v.price("100"));
    v.do(v.buy("alice", "1", "110"), v.sell("bob", "1", "119"));
    const seen = [1, 2, 3].map(() => {
      v.run();
      return v.mark() / E8;
    });
    expect(seen).toEqual([101, 102, 102]);
  });

  test("never passes what is taken as a price, whatever the house quotes", () => {
    const v = open("book", { markets: { TEST: { ...FREE, markBand: "1000000" } }, house: { world: "0" } });
    v.do(v.price("100"));
    v.do(v.buy("world", "1", "80000000"), v.sell("world", "1", "80000001"), v.buy("world", "1", "80000001"));
    for (let block = 0; block < 20; block++) v.run();
    const { priceMost } = v.state.parameters[v.marketRow()]!;
    expect(priceMost).toBeLessThan(80_000_000 * E8);
    expect(v.mark()).toBe(priceMost);
  });

  test("is refused with a clamp larger than margin covers, unless the definition has unsafe", () => {
    const v = open("book");
    const wide = { markMethod: "book", markClamp: "1", markBand: "1000" };
    expect(v.try(v.create("A", "minimal", wide))).toBe("PARAMETER_INVALID");
    expect(v.try(v.create("A", "minimal", { ...wide, unsafe: "2" }))).toBe("PARAMETER_INVALID");
    expect(v.try(v.create("A", "minimal", { ...wide, unsafe: "1", markClamp: "0" }))).toBe("PARAMETER_INVALID");
    expect(v.try(v.create("A", "minimal", { ...wide, unsafe: "1" }))).toBe("applied");
    // Clamp and largest payment (0.2 %) must stay below 5 %.
    expect(v.try(v.create("B", "minimal", { markClamp: "0.048" }))).toBe("PARAMETER_INVALID");
    expect(v.try(v.create("B", "minimal", { markClamp: "0.047999" }))).toBe("applied");
  });
});

// Goal: whatever of bid, ask, last and reported mark is missing, the mark is what PRC-3 says. Method: a slow twin over
// sorted lists of exact fractions, clamps set wide.
test("book and median marks equal a plain computation, with any component missing", () => {
  const part = fc.option(fc.integer({ min: 1, max: 400 }), { nil: 0 });
  const outcomes = new Set<string>();
  fc.assert(
    fc.property(
      fc.constantFrom("book", "median"),
      fc.record({ bid: part, spread: part, last: part, reported: part, index: fc.integer({ min: 1, max: 400 }) }),
      (markMethod, { bid, spread, last, reported, index }) => {
        const v = new TestVenue({
          markets: { TEST: { ...FREE, markMethod, markTau: "3000" } },
          house: { world: "0", other: "0" },
          prices: { TEST: `${index}` },
        });
        if (last !== 0) v.do(v.sell("world", "1", `${last}`), v.buy("other", "1", `${last}`));
        const ask = spread === 0 ? 0 : bid + spread;
        if (bid !== 0) v.do(v.buy("world", "1", `${bid}`));
        if (ask !== 0) v.do(v.sell("world", "1", `${ask}`));
        const before = v.state.markets.basis[v.marketRow()]!;
        const update = v.price(`${index}`, reported === 0 ? {} : { mark: `${reported}` });
        if (markMethod === "book" && reported !== 0) {
          // A reported mark is no part of this method (ACT-3).
          expect(v.try(update)).toBe("FIELD_REFUSED");
          v.do(v.price(`${index}`));
        } else v.do(update);
        expect(v.mark()).toBe(twinMark({ markMethod, bid, ask, last, reported, index, before }));
        outcomes.add([markMethod, bid === 0, ask === 0, last === 0, reported === 0].join());
      },
    ),
    { numRuns: 400, seed: 20_261_121 },
  );
  expect(outcomes.size).toBeGreaterThan(20);
});

interface MarkParts {
  readonly markMethod: string;
  readonly bid: number;
  readonly ask: number;
  readonly last: number;
  readonly reported: number;
  readonly index: number;
  /** Average basis before the block, 1e-8. */
  readonly before: number;
}

function twinMark({ markMethod, bid, ask, last, reported, index, before }: MarkParts): number {
  const scale = 100_000_000n;
  const middle = (list: bigint[]) => list.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))[1]!;
  const at = BigInt(index) * scale;
  const or = (part: number) => (part === 0 ? at : BigInt(part) * scale);
  const traded = middle([or(bid), or(ask), or(last)]);
  if (markMethod === "book") return Number(traded);
  const mid = bid === 0 || ask === 0 ? at : ((BigInt(bid) + BigInt(ask)) * scale) / 2n;
  // A second of a time constant of three: a quarter of the way, toward zero.
  const smooth = at + BigInt(before) + (mid - at - BigInt(before)) / 4n;
  if (reported !== 0) return Number(middle([smooth, traded, BigInt(reported) * scale]));
  const far = (value: bigint) => (value < at ? at - value : value - at);
  return Number(far(traded) < far(smooth) ? traded : smooth);
}

describe("the price band (ORD-5)", () => {
  test("spans oracle and index, both edges included", () => {
    const v = open("oracle", { markets: { TEST: { markMethod: "reported", priceBand: "0.1" } } });
    v.do(v.price("100", { mark: "100" }));
    const at = (text: string) => v.try(v.act("alice", "noop", {})) && v.try(v.buy("alice", "1", text));
    expect(["110", "111", "90", "89"].map(at)).toEqual([
      "applied",
      "PRICE_OUT_OF_BAND",
      "applied",
      "PRICE_OUT_OF_BAND",
    ]);
  });

  test("widens with an oracle ahead of the index, and follows a change of the parameter", () => {
    const v = open("oracle");
    v.do(v.price("100"));
    v.do(v.price("150"));
    const story = v.run(v.sell("alice", "1", "181"), v.sell("alice", "1", "180"), v.buy("alice", "1", "80"));
    // The band goes from 101 * 0.8 to 150 * 1.2; what lies in it is only frozen.
    expect(story.outcomes).toEqual(["PRICE_OUT_OF_BAND", "EXPOSURE_FROZEN", "PRICE_OUT_OF_BAND"]);
    v.do(v.update({ priceBand: "0.01" }));
    expect(v.try(v.sell("alice", "1", "160"))).toBe("PRICE_OUT_OF_BAND");
  });
});

test("any order of extreme parameters, prices and times gives a receipt and never an exception", () => {
  const wild = fc.oneof(
    fc.constantFrom("0", "0.000001", "1", "5", "1000", "9000000", "8999999999"),
    fc.nat(20).map(String),
  );
  const names = [
    "priceBand",
    "slippageMax",
    "takerFee",
    "markTau",
    "markBand",
    "fundingInterval",
    "fundingSample",
    "fundingCap",
    "fundingPaymentMax",
    "impactNotional",
    "liquidationFee",
    "liquidationWhole",
    "liquidationCooldown",
    "closeOut",
    "minSize",
    "maxSize",
    "positionLimit",
  ];
  const change = fc.record({
    name: fc.constantFrom(...names),
    value: wild,
    price: fc.integer({ min: 1, max: 20_000 }),
    hours: fc.integer({ min: 1, max: 9 }),
  });
  let accepted = 0;
  fc.assert(
    fc.property(
      fc.array(change, { minLength: 1, maxLength: 10 }),
      fc.constantFrom("hyperliquid", "reported"),
      (changes, fundingMethod) => {
        const v = new TestVenue({
          markets: { TEST: { fundingMethod, liquidationChunk: "0.3" } },
          accounts: { alice: "500", bob: "100000", carol: "300" },
          insurance: "50",
          prices: { TEST: "100" },
        });
        v.run(v.sell("bob", "40", "100"), v.buy("alice", "30", "100"), v.buy("carol", "10", "100"));
        for (const { name, value, price, hours } of changes) {
          const text = `${price / 100}`;
          const story = v.runAt(
            v.state.timeMs + hours * 1_800_000,
            v.price(text, fundingMethod === "reported" ? { funding: "0.01" } : {}),
            v.update({ [name]: value }),
            v.order("alice", "buy", "1", undefined, { type: "market", slippage: "0.5" }),
            v.order("carol", "buy", "1", undefined, { type: "market", slippage: "8000000" }),
            v.buy("bob", "2", `${Math.ceil(price / 100)}`),
            v.sell("carol", "1", "1", { tif: "IOC" }),
            v.close("alice", { slippage: "0.3" }),
          );
          if (story.outcomes[1] === "applied") accepted++;
        }
      },
    ),
    { numRuns: 120, seed: 20_250_924 },
  );
  expect(accepted).toBeGreaterThan(100);
});
