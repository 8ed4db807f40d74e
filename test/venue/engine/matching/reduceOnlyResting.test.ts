import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CANCEL_CAUSE } from "../../../../src/protocol/events.ts";
import type { MarketRow } from "../../../../src/venue/engine/state/schema.ts";
import { getFillableDepth } from "../../../../src/venue/formulas/fillableDepth.ts";
import type { VenueOptions } from "../../../helpers/venue.ts";
import { TestVenue } from "../../../helpers/venue.ts";

const RESTINGS = ["capAtMatch", "trim"] as const;
type Resting = (typeof RESTINGS)[number];

const open = (resting: Resting = "capAtMatch", more: VenueOptions = {}) =>
  new TestVenue({
    markets: { TEST: { reduceOnlyResting: resting } },
    accounts: { alice: "100000", "alice/1": "100000", bob: "100000", carol: "100000", dave: "100000" },
    house: { house: "0" },
    prices: { TEST: "100" },
    ...more,
  });

/** Alice is long, from bob. */
const long = (resting?: Resting, lots = "10") => {
  const v = open(resting);
  v.do(v.sell("bob", lots, "100"), v.buy("alice", lots, "100"));
  return v;
};
const reduceOnly = { reduceOnly: true } as const;
const depth = (v: TestVenue) => getFillableDepth(v.state, 0 as MarketRow, "asks").map(([at, size]) => `${size}@${at}`);

describe("at entry (ORD-9)", () => {
  test("cut at match: each order at most the position, together more", () => {
    const v = long();
    const story = v.do(v.sell("alice", "15", "101", reduceOnly), v.sell("alice", "10", "102", reduceOnly));
    expect(v.book()).toEqual(["sellr 10@101 alice", "sellr 10@102 alice"]);
    const numbers = { lots: 15, filled: 0, resting: 10, cancelled: 5, position: 10, others: 0 };
    expect(story.receipts[0]!.results).toMatchObject([{ status: "resting", code: "REDUCE_ONLY_CUT", numbers }]);
    expect(story.receipts[1]!.results).toEqual([{ orderId: expect.any(Number), status: "resting" }]);
  });

  test("an order that fills in part is cut to the position that is left", () => {
    const v = long();
    v.do(v.buy("carol", "4", "101"));
    const story = v.do(v.sell("alice", "15", "101", reduceOnly));
    expect(v.book()).toEqual(["sellr 6@101 alice"]);
    const numbers = { lots: 15, filled: 4, resting: 6, cancelled: 5, position: 6, others: 0 };
    expect(story.receipts[0]!.results).toMatchObject([{ status: "resting", code: "REDUCE_ONLY_CUT", numbers }]);
  });

  test.each(RESTINGS)("%s: an order that closes the position is cancelled with what is left", (resting) => {
    const v = long(resting);
    v.do(v.buy("carol", "10", "101"));
    const story = v.do(v.sell("alice", "12", "101", reduceOnly));
    expect([v.lots("alice"), v.book()]).toEqual([0, []]);
    const numbers = { lots: 12, filled: 10, resting: 0, cancelled: 2, position: 0, others: 0 };
    expect(story.receipts[0]!.results).toMatchObject([{ status: "partiallyFilled", code: "REDUCE_ONLY_CUT", numbers }]);
  });

  test("each order of a list has its own code, and a cut fails no list", () => {
    const v = long();
    const story = v.do(
      v.batch("alice", "all", v.sell("alice", "12", "101", reduceOnly), v.sell("alice", "3", "102", reduceOnly)),
    );
    expect(story.receipts[0]!.results!.map(({ code }) => code)).toEqual(["REDUCE_ONLY_CUT", undefined]);
  });

  test("an amendment upwards is bounded as at entry, one downwards in place is not cut", () => {
    const v = long();
    const id = v.do(v.sell("alice", "10", "101", reduceOnly)).receipts[0]!.results![0]!.orderId!;
    v.do(v.buy("carol", "6", "100"), v.sell("alice", "6", "100"));
    v.do(v.amend("alice", id, { size: "9" }));
    expect(v.book()).toEqual(["sellr 9@101 alice"]);
    const story = v.do(v.amend("alice", id, { price: "102" }));
    expect(v.book()).toEqual(["sellr 4@102 alice"]);
    expect(story.receipts[0]!.results).toMatchObject([{ status: "resting", code: "REDUCE_ONLY_CUT" }]);
    v.do(v.amend("alice", id, { size: "7" }));
    expect(v.book()).toEqual(["sellr 4@102 alice"]);
  });
});

describe("at match (ORD-9)", () => {
  test("an order is cut to the position left; once that is 0 the others go and matching continues", () => {
    const v = long();
    for (const at of ["101", "102", "102"]) v.do(v.sell("alice", "10", at, reduceOnly));
    v.do(v.sell("carol", "5", "102"));
    v.do(v.buy("bob", "7", "101"));
    expect(v.book()).toEqual(["sellr 3@101 alice", "sellr 10@102 alice", "sellr 10@102 alice", "sell 5@102 carol"]);
    const story = v.do(v.buy("bob", "6", "102"));
    expect(v.fills(story)).toEqual(["3@101 alice>bob", "3@102 carol>bob"]);
    expect(v.cancels(story, CANCEL_CAUSE.reduceOnly)).toEqual(["10 alice", "10 alice"]);
  });

  test("the cut is emitted before the fill and adds up", () => {
    const v = long();
    const id = v.do(v.sell("alice", "10", "101", reduceOnly)).receipts[0]!.results![0]!.orderId!;
    v.do(v.buy("carol", "6", "100"), v.sell("alice", "6", "100"));
    const story = v.do(v.buy("bob", "2", "101"));
    const kinds = story.events.map(({ kind }) => kind).filter((kind) => kind === "orderResized" || kind === "fill");
    expect(kinds).toEqual(["orderResized", "fill"]);
    expect(story.of("orderResized")).toMatchObject([{ order: id, remaining: 4, cause: CANCEL_CAUSE.reduceOnly }]);
    expect(v.book()).toEqual(["sellr 2@101 alice"]);
  });

  test("a position that turns loses them all, newest first", () => {
    const v = long();
    v.do(v.sell("alice", "10", "105", reduceOnly), v.sell("alice", "4", "106", reduceOnly));
    v.do(v.buy("carol", "15", "100"));
    const story = v.do(v.sell("alice", "15", "100"));
    expect([v.lots("alice"), v.book()]).toEqual([-5, []]);
    expect(v.cancels(story, CANCEL_CAUSE.reduceOnly)).toEqual(["4 alice", "10 alice"]);
  });

  test("an atomic list that fails undoes cuts", () => {
    const v = long();
    v.do(v.sell("alice", "10", "101", reduceOnly), v.sell("alice", "10", "102", reduceOnly));
    v.do(v.buy("carol", "6", "100"), v.sell("alice", "6", "100"));
    const book = v.book();
    const story = v.run(v.batch("bob", "all", v.buy("bob", "3", "102"), v.buy("bob", "1", "102.5")));
    expect(story.outcomes).toEqual(["OFF_TICK"]);
    expect(v.book()).toEqual(book);
    v.do(v.buy("bob", "4", "102"));
    expect([v.lots("alice"), v.book()]).toEqual([0, []]);
  });
});

test("updateMarket from capAtMatch to trim trims at once, newest first (ORD-9)", () => {
  const v = long();
  v.do(v.sell("alice", "10", "103", reduceOnly), v.sell("alice", "6", "101", reduceOnly));
  v.do(v.buy("carol", "2", "100"), v.sell("alice", "2", "100"));
  const story = v.do(v.update({ reduceOnlyResting: "trim" }));
  expect(v.book()).toEqual(["sellr 8@103 alice"]);
  expect(story.events.map(({ kind }) => kind).slice(-3)).toEqual(["marketChanged", "orderCancelled", "orderResized"]);
  v.do(v.update({ reduceOnlyResting: "capAtMatch" }), v.sell("alice", "8", "101", reduceOnly));
  expect(v.book()).toEqual(["sellr 8@101 alice", "sellr 8@103 alice"]);
});

// Goal: fillable lots do fill. Method: random positions and orders of accounts with ample margin; the twin sends an
// order for everything, and adds up its fills by price. A fill-or-kill of exactly as much fills, of one lot more does
// not.
describe("which lots count as fillable (ORD-9)", () => {
  const names = ["alice", "alice/1", "bob"] as const;
  const past = fc.record({
    positions: fc.array(fc.record({ who: fc.constantFrom(...names), lots: fc.integer({ min: 1, max: 20 }) }), {
      maxLength: 4,
    }),
    makers: fc.array(
      fc.record({
        who: fc.constantFrom(...names, "dave"),
        lots: fc.integer({ min: 1, max: 30 }),
        at: fc.integer({ min: 101, max: 104 }),
        reduceOnly: fc.boolean(),
      }),
      { minLength: 1, maxLength: 14 },
    ),
    /** Of alice, at the price of the mark. */
    sold: fc.integer({ min: 0, max: 8 }),
  });

  test.each(RESTINGS)("%s", (resting) => {
    let reduced = 0;
    fc.assert(
      fc.property(past, ({ positions, makers, sold }) => {
        const play = () => {
          const v = open(resting, {
            accounts: { alice: "9000000", "alice/1": "9000000", bob: "9000000", dave: "9000000", carol: "9000000" },
          });
          for (const { who, lots } of positions) v.run(v.sell("house", `${lots}`, "100"), v.buy(who, `${lots}`, "100"));
          for (const { who, lots, at, reduceOnly: only } of makers)
            v.run(v.sell(who, `${lots}`, `${at}`, { reduceOnly: only }));
          if (sold > 0) v.run(v.buy("house", `${sold}`, "100"), v.sell("alice", `${sold}`, "100", { tif: "IOC" }));
          return v;
        };
        const v = play();
        const said = depth(v);
        const rests = v.book().length;
        const story = v.run(v.buy("carol", "1000", "104", { tif: "IOC" }));
        const filled = new Map<number, number>();
        for (const { price, size } of story.of("fill")) filled.set(price, (filled.get(price) ?? 0) + size);
        const all = [...filled.values()].reduce((sum, size) => sum + size, 0);
        if (resting === "capAtMatch") expect(said).toEqual([...filled].map(([price, size]) => `${size}@${price}`));
        // After a plain order trimming spares the oldest, not the best: the sum is the same.
        else expect(said.reduce((sum, level) => sum + Number.parseInt(level, 10), 0)).toBe(all);
        if (rests > 0) reduced++;
        if (all === 0) return;
        const kill = (size: number) => {
          const w = play();
          return w.run(w.buy("carol", `${size}`, "104", { tif: "FOK" })).receipts[0]!.results![0]!.status;
        };
        expect(kill(all + 1)).toBe("cancelled");
        if (resting === "capAtMatch") expect(kill(all)).toBe("filled");
      }),
      { numRuns: 150, seed: 20_261_122 },
    );
    expect(reduced).toBeGreaterThan(50);
  });
});
