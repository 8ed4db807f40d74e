/** Batches of orders: each on its own, or all or nothing under the undo journal. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { writeCanonical } from "../../../../src/venue/engine/commitment/canonical.ts";
import { writeImage } from "../../../../src/venue/engine/commitment/image.ts";
import { forkState } from "../../../../src/venue/engine/state/forkState.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";
import type { Step } from "../../../helpers/venue/traderSteps.ts";
import { TestVenue } from "../../../helpers/venue.ts";

const open = (positionLimit = "10000") =>
  new TestVenue({
    markets: { TEST: { takerFee: "0.001", makerFee: "0.0002", positionLimit }, MORE: {} },
    accounts: { alice: "1000", bob: "1000", "alice/1": "500" },
    prices: { TEST: "100", MORE: "50" },
  });

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** A fork that lives on in a venue of its own. */
function fork(v: TestVenue): TestVenue {
  const other = open();
  other.state = forkState(v.state);
  return other;
}

describe("each", () => {
  test("order is independent, with a result of its own", () => {
    const v = open();
    v.do(v.sell("bob", "1", "101"));
    const story = v.do(
      v.batch(
        "alice",
        "each",
        v.buy("", "1", "101"),
        v.buy("", "1", "500"),
        v.buy("", "2", "99", { client: "x" }),
        v.buy("", "2", "98", { client: "x" }),
        v.buy("", "9", "101", { tif: "FOK" }),
      ),
    );
    const first = story.receipts[0]!.results![0]!.orderId!;
    expect(first % 64).toBe(0);
    expect(story.receipts[0]!.results).toEqual([
      { orderId: first, status: "filled" },
      {
        orderId: first + 1,
        status: "rejected",
        code: "PRICE_OUT_OF_BAND",
        numbers: { price: 500, low: 80, high: 120, index: 100e8 },
      },
      { orderId: first + 2, status: "resting" },
      {
        orderId: first + 3,
        status: "rejected",
        code: "CLIENT_ORDER_ID_USED",
        numbers: { clientOrderId: "x", orderId: first + 2 },
      },
      { orderId: first + 4, status: "cancelled" },
    ]);
    expect(v.book()).toEqual(["buy 2@99 alice"]);
  });

  test("of fifty orders rests under an id of its own", () => {
    const v = open();
    const story = v.do(v.batch("alice", "each", ...Array.from({ length: 50 }, () => v.buy("", "1", "99"))));
    const ids = story.receipts[0]!.results!.map(({ orderId }) => orderId!);
    expect(ids).toEqual(ids.map((_id, leg) => ids[0]! + leg));
    expect(v.book().length).toBe(50);
  });
});

describe("all", () => {
  test("legs see what earlier ones did", () => {
    const v = open();
    v.do(v.sell("bob", "3", "100"));
    // The second closes what the first opens, and only so is it reduce-only.
    const story = v.do(
      v.batch(
        "alice",
        "all",
        v.buy("", "3", "100"),
        v.sell("", "3", "104", { reduceOnly: true }),
        v.buy("", "1", "90"),
      ),
    );
    expect(story.receipts[0]!.results!.map(({ status }) => status)).toEqual(["filled", "resting", "resting"]);
    expect(v.book()).toEqual(["buy 1@90 alice", "sellr 3@104 alice"]);
  });

  test.each<[string, (v: TestVenue) => Step[], string, number]>([
    ["a rejected leg", (v) => [v.buy("", "1", "101"), v.buy("", "1", "500")], "PRICE_OUT_OF_BAND", 1],
    [
      "a fill-or-kill that would not fill",
      (v) => [v.buy("", "1", "99"), v.buy("", "9", "101", { tif: "FOK" })],
      "ORDER_KILLED",
      1,
    ],
    [
      "margin that earlier legs used up",
      (v) => [v.buy("", "60", "99"), v.buy("", "60", "99")],
      "INSUFFICIENT_MARGIN",
      1,
    ],
    [
      "a name used twice",
      (v) => [v.buy("", "1", "90", { client: "x" }), v.buy("", "1", "91", { client: "x" })],
      "CLIENT_ORDER_ID_USED",
      1,
    ],
  ])("%s undoes everything and says which leg it was", (_name, legs, code, leg) => {
    const v = open();
    v.do(v.sell("bob", "1", "101"), v.buy("bob", "1", "98", { client: "mine" }));
    const before = hex(writeCanonical(withoutNonces(v.state)));
    const story = v.run(v.batch("alice", "all", ...legs(v)));
    expect(story.outcomes).toEqual([code]);
    expect(story.receipts[0]!.numbers).toMatchObject({ leg });
    expect(story.receipts[0]!.results).toBeUndefined();
    expect(story.events.map(({ kind }) => kind)).toEqual(["nonceAdvanced"]);
    expect(hex(writeCanonical(withoutNonces(v.state)))).toBe(before);
  });

  test("the rest of an IOC, a self-trade and a slide are no failure", () => {
    const v = open();
    v.do(v.sell("bob", "1", "101"), v.sell("alice", "1", "103"));
    const story = v.do(
      v.batch(
        "alice",
        "all",
        v.buy("", "5", "101", { tif: "IOC" }),
        v.buy("", "1", "103"),
        v.buy("", "1", "105", { postOnly: "slide" }),
      ),
    );
    expect(story.receipts[0]!.results!.map(({ status }) => status)).toEqual([
      "partiallyFilled",
      "cancelled",
      "resting",
    ]);
    expect(v.book()).toEqual(["buy 1@102 alice", "sell 1@103 alice"]);
  });

  test("an empty batch has nothing to do", () => {
    const v = open();
    expect(v.try(v.batch("alice", "all"))).toBe("NOTHING_TO_DO");
  });
});

function withoutNonces(state: State): State {
  const copy = forkState(state);
  copy.consumed = 1;
  copy.height = 0;
  copy.timeMs = 0;
  (copy.accounts.nonceTrading as unknown as Float64Array).fill(0);
  return copy;
}

/** Triggers as they lie, which an image leaves out. */
const triggersOf = ({ positions }: State) =>
  Array.from({ length: positions.rows.high }, (_, row) => [
    positions.trigger[row as never],
    positions.heapPlace[row as never],
  ]);

/** Heaps as they lie. */
const heapsOf = (state: State) =>
  state.expiries.heaps().map(({ rows, keys, places, size }) => [rows.slice(0, size), keys.slice(0, size), places]);

/** Books that legs of a batch meet: from several accounts, close together, some of them with names and expiries. */
const arbitraryLeg = fc.record({
  market: fc.constantFrom("TEST", "TEST", "MORE"),
  buys: fc.boolean(),
  lots: fc.integer({ min: 1, max: 9 }),
  off: fc.integer({ min: -6, max: 6 }),
  tif: fc.constantFrom("GTC" as const, "GTC" as const, "GTT" as const, "IOC" as const, "FOK" as const),
  postOnly: fc.constantFrom(false as const, false as const, true as const, "slide" as const),
  reduceOnly: fc.constantFrom(false, false, false, true),
  selfTrade: fc.constantFrom(
    "cancelTaker" as const,
    "cancelMaker" as const,
    "cancelBoth" as const,
    "decrement" as const,
  ),
  client: fc.constantFrom("", "", "", "x", "y", "z"),
});
type Leg = typeof arbitraryLeg extends fc.Arbitrary<infer T> ? T : never;

function toStep(v: TestVenue, who: string, leg: Leg): Step {
  const at = (leg.market === "TEST" ? 100 : 50) + leg.off;
  return v.order(who, leg.buys ? "buy" : "sell", `${leg.lots}`, `${at}`, {
    ...leg,
    postOnly: leg.tif === "GTC" || leg.tif === "GTT" ? leg.postOnly : false,
    scope: "owner",
    ...(leg.tif === "GTT" ? { height: v.state.height + 20, time: v.state.timeMs + 1_000_000 } : {}),
  });
}

const arbitraryStory = fc.record({
  before: fc.array(fc.record({ who: fc.constantFrom("alice", "alice/1", "bob"), leg: arbitraryLeg }), {
    maxLength: 30,
    size: "max",
  }),
  legs: fc.array(arbitraryLeg, { minLength: 1, maxLength: 12, size: "max" }),
  bad: fc.boolean(),
});

// Method: the same venue twice, once with the batch, once with a transaction that only burns the nonce of its lane. The
// image is compared byte for byte, and so is what both do afterwards.
test("a batch that fails changes nothing, to the byte of the image", () => {
  let failed = 0;
  let deep = 0;
  fc.assert(
    fc.property(arbitraryStory, fc.array(arbitraryLeg, { maxLength: 6 }), ({ before, legs, bad }, after) => {
      const v = open("14");
      for (const { who, leg } of before) v.run(toStep(v, who, leg));
      const idle = fork(v);
      const steps = legs.map((leg) => toStep(v, "", leg));
      if (bad) steps.push(v.buy("", "1", "100", { type: "limit", market: "NONE" }));
      const story = v.run(v.batch("alice", "all", ...steps));
      if (story.outcomes[0] === "applied") return;
      failed++;
      if ((story.receipts[0]!.numbers!["leg"] as number) >= 3) deep++;
      idle.run(idle.act("alice", "noop", {}));
      // The codes of the receipts differ, and nothing else does.
      const place = v.state.events.length - 1;
      expect(v.state.events.data[place]).not.toBe(0);
      v.state.events.data[place] = 0;
      expect(hex(writeImage(v.state))).toBe(hex(writeImage(idle.state)));
      expect(heapsOf(v.state)).toEqual(heapsOf(idle.state));
      expect(triggersOf(v.state)).toEqual(triggersOf(idle.state));
      for (const venue of [v, idle]) {
        venue.run(venue.price("97"), ...after.map((leg) => toStep(venue, "bob", leg)), venue.cancelAll("alice"));
      }
      expect(hex(writeCanonical(v.state))).toBe(hex(writeCanonical(idle.state)));
      expect(v.state.risk.dirty).toEqual(idle.state.risk.dirty);
    }),
    { numRuns: 500 },
  );
  expect(failed).toBeGreaterThan(60);
  expect(deep).toBeGreaterThan(20);
});

// Method: the same legs, in one venue as `all`, in the other as `each`.
test("a batch that succeeds is the same orders sent each on its own", () => {
  let applied = 0;
  fc.assert(
    fc.property(arbitraryStory, ({ before, legs: many }) => {
      const legs = many.slice(0, 1 + (many.length % 3));
      const v = open();
      for (const { who, leg } of before) v.run(toStep(v, who, leg));
      const other = fork(v);
      const story = v.run(v.batch("alice", "all", ...legs.map((leg) => toStep(v, "", leg))));
      if (story.outcomes[0] !== "applied") return;
      applied++;
      const each = other.run(other.batch("alice", "each", ...legs.map((leg) => toStep(other, "", leg))));
      expect(each.receipts).toEqual(story.receipts);
      expect(each.events).toEqual(story.events);
      expect(hex(writeCanonical(other.state))).toBe(hex(writeCanonical(v.state)));
      expect(other.head()).toBe(v.head());
    }),
    { numRuns: 200 },
  );
  expect(applied).toBeGreaterThan(20);
});
