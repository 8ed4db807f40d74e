/** Groups: brackets, pairs, and what fills and ends of their orders mean for the others. */
import { expect, test } from "vitest";
import { CANCEL_CAUSE, INTENT_CAUSE } from "../../../../src/protocol/events.ts";
import { writeImage } from "../../../../src/venue/engine/commitment/image.ts";
import { forkState } from "../../../../src/venue/engine/state/forkState.ts";
import { scene } from "../../../helpers/intents.ts";
import type { IntentOptions } from "../../../helpers/venue/traderSteps.ts";
import type { TestVenue } from "../../../helpers/venue.ts";

const LEGS = [
  { kind: "takeProfit", trigger: "105", slippage: "0.1" },
  { kind: "stop", trigger: "95", slippage: "0.1" },
] as const;
/** Dave buys 6 at 99 with a take-profit at 105 and a stop at 95. */
const bracket = (v: TestVenue, more: IntentOptions = {}) =>
  v.intent("dave", "otoco", {
    side: "buy",
    size: "6",
    orderType: "limit",
    price: "99",
    reduceOnly: true,
    legs: LEGS,
    ...more,
  });
const pair = (v: TestVenue, more: IntentOptions = {}) =>
  v.intent("alice", "oco", { side: "sell", size: "10", reduceOnly: true, legs: LEGS, ...more });
const mark = (v: TestVenue, text: string) => v.run(v.price(text, { mark: text }));
const LIMITS = [
  { kind: "takeProfit", trigger: "105", orderType: "limit", price: "106" },
  { kind: "stop", trigger: "95", orderType: "limit", price: "107" },
] as const;

test("fills of the entry arm the legs with the filled lots", () => {
  const v = scene();
  const entry = v.place(bracket(v));
  expect(v.intents("dave")).toEqual(["takeProfit waiting 0@105", "stop waiting 0@95"]);
  v.do(v.sell("bob", "2", "99"));
  expect(v.intents("dave")).toEqual(["takeProfit armed 2@105", "stop armed 2@95"]);
  v.do(v.sell("bob", "1", "99"));
  expect(v.lastStory!.of("intentArmed")).toMatchObject([
    { intent: entry + 2, size: 3 },
    { intent: entry + 1, size: 3 },
  ]);
  // The stop fires: what still rests of the entry would be unprotected, and goes.
  const story = mark(v, "95");
  expect(story.of("orderCancelled")).toMatchObject([{ order: entry, remaining: 3, cause: CANCEL_CAUSE.intent }]);
  expect(v.fills(story)).toEqual(["3@90 carol>dave"]);
  expect(v.lots("dave")).toBe(0);
  expect(v.intents("dave")).toEqual([]);
});

test("an entry that takes arms its legs at once; they are checked from the next block on", () => {
  const v = scene();
  v.do(v.sell("carol", "6", "99"));
  // The mark falls through the stop in the block of the entry, before it.
  const entry = bracket(v, { orderType: "market", price: "", slippage: "0.1" });
  const story = v.run(v.price("94", { mark: "94" }), entry);
  expect(story.outcomes).toEqual(["applied", "applied"]);
  expect(story.of("intentTriggered")).toEqual([]);
  expect(v.intents("dave")).toEqual(["takeProfit armed 6@105", "stop armed 6@95"]);
  // The stop was passed when it was armed: it fires as soon as it is checked.
  expect(v.run().of("intentTriggered")).toHaveLength(1);
  expect(v.lots("dave")).toBe(0);
});

test("legs of an entry that ends unfilled are cancelled, and of one that fills in part they keep that part", () => {
  const v = scene();
  const killed = v.run(bracket(v, { timeInForce: "FOK" }));
  expect(killed.outcomes).toEqual(["applied"]);
  expect(killed.of("intentCancelled").map(({ cause }) => cause)).toEqual([INTENT_CAUSE.entry, INTENT_CAUSE.entry]);
  const cancelled = v.place(bracket(v));
  v.do(v.cancel("dave", cancelled));
  expect(v.intents("dave")).toEqual([]);
  const part = v.place(bracket(v));
  v.do(v.sell("bob", "2", "99"), v.cancel("dave", part));
  expect(v.intents("dave")).toEqual(["takeProfit armed 2@105", "stop armed 2@95"]);
});

test("an entry that is amended stays the entry", () => {
  const v = scene();
  const entry = v.place(bracket(v));
  v.do(v.amend("dave", entry, { price: "98" }));
  expect(v.intents("dave")).toHaveLength(2);
  v.do(v.sell("bob", "6", "98"));
  expect(v.intents("dave")).toEqual(["takeProfit armed 6@105", "stop armed 6@95"]);
});

test("legs whose position is closed while the entry rests wait for it again", () => {
  const v = scene();
  v.place(bracket(v));
  v.do(v.sell("bob", "2", "99"));
  v.do(v.buy("carol", "2", "100"), v.sell("dave", "2", "100"));
  expect(v.intents("dave")).toEqual(["takeProfit waiting 0@105", "stop waiting 0@95"]);
  v.do(v.sell("bob", "4", "99"));
  expect(v.intents("dave")).toEqual(["takeProfit armed 4@105", "stop armed 4@95"]);
});

test("an oto has one leg, and a trailing one starts from the price at the fill", () => {
  const v = scene();
  v.place(
    v.intent("dave", "oto", {
      side: "buy",
      size: "6",
      orderType: "limit",
      price: "99",
      legs: [{ kind: "trailingStop", trail: "3" }],
    }),
  );
  expect(v.intents("dave")).toEqual(["trailingStop waiting 0@0"]);
  v.run(v.price("102", { mark: "102" }), v.sell("bob", "6", "99"));
  expect(v.intents("dave")).toEqual(["trailingStop armed 6@99"]);
});

test("the last fill of one leg cancels the other", () => {
  const v = scene({ accounts: { alice: "1000", bob: "1000", carol: "100000", dave: "1000" } });
  v.do(pair(v));
  v.do(v.buy("carol", "10", "104"));
  const story = mark(v, "105");
  expect(v.lots("alice")).toBe(0);
  expect(story.of("intentCancelled")).toHaveLength(1);
  expect(v.intents("alice")).toEqual([]);
});

test("a partial fill of one leg shrinks the other, which keeps the rest", () => {
  const v = scene();
  v.do(pair(v, { reduceOnly: false, legs: [{ ...LEGS[0], slippage: "0.01" }, LEGS[1]] }));
  v.do(v.buy("carol", "4", "104"));
  const story = mark(v, "105");
  expect(v.fills(story)).toEqual(["4@104 carol>alice"]);
  expect(v.intents("alice")).toEqual(["stop armed 6@95"]);
  mark(v, "95");
  expect(v.lots("alice")).toBe(0);
});

test("an order of a leg that rests takes the other with it as it fills", () => {
  const v = scene();
  const id = v.place(pair(v, { legs: [LIMITS[0], LEGS[1]] }));
  mark(v, "105");
  expect(v.intents("alice")).toEqual(["takeProfit triggered 10@105", "stop armed 10@95"]);
  v.do(v.buy("dave", "3", "106"));
  expect(v.intents("alice")).toEqual(["takeProfit triggered 7@105", "stop armed 7@95"]);
  v.do(v.cancel("alice", id));
  expect(v.lastStory!.of("intentExecuted")).toMatchObject([{ intent: id, filled: 3 }]);
  expect(v.intents("alice")).toEqual(["stop armed 7@95"]);
});

test("two orders of a pair that both rest never trade more than the pair together", () => {
  const v = scene({ accounts: { alice: "1000", bob: "1000", carol: "100000", dave: "9000" } });
  v.do(pair(v, { reduceOnly: false, legs: LIMITS }));
  mark(v, "105");
  mark(v, "95");
  expect(v.intents("alice")).toEqual(["takeProfit triggered 10@105", "stop triggered 10@95"]);
  expect(v.book()).toContain("sell 10@106 alice");
  expect(v.book()).toContain("sell 10@107 alice");
  v.do(v.buy("dave", "4", "106"));
  expect(v.book()).toContain("sell 6@107 alice");
  // A fill-or-kill order does not count on both.
  const fok = v.run(v.buy("dave", "9", "107", { tif: "FOK" }));
  expect(v.fills(fok)).toEqual([]);
  v.do(v.buy("dave", "20", "107"));
  expect(v.lots("alice")).toBe(0);
  expect(v.intents("alice")).toEqual([]);
});

test("a failed leg leaves the other", () => {
  const v = scene();
  v.do(pair(v, { legs: [{ ...LEGS[0], orderType: "limit", price: "200", slippage: "" }, LEGS[1]] }));
  const story = mark(v, "105");
  expect(story.of("intentFailed")).toHaveLength(1);
  expect(v.intents("alice")).toEqual(["stop armed 10@95"]);
});

test("a pair on a share of the position follows it", () => {
  const v = scene();
  v.do(pair(v, { size: "", fraction: "1" }));
  v.do(v.buy("alice", "5", "110"));
  mark(v, "95");
  expect(v.lots("alice")).toBe(0);
  expect(v.intents("alice")).toEqual([]);
});

test("an intent whose order rests is cancelled with it", () => {
  const v = scene();
  const id = v.place(pair(v, { legs: [LIMITS[0], LEGS[1]] }));
  mark(v, "105");
  v.do(v.cancelIntent("alice", id));
  expect(v.book().filter((line) => line.endsWith("alice"))).toEqual([]);
  expect(v.intents("alice")).toEqual(["stop armed 10@95"]);
});

test("a batch that is undone leaves intents as they were, to the byte", () => {
  const v = scene();
  v.place(bracket(v, { reduceOnly: false }));
  v.do(pair(v));
  const batch = (...more: Parameters<TestVenue["batch"]>[2][]) =>
    v.batch("bob", "all", v.sell("bob", "6", "99"), v.buy("bob", "1", "80"), ...more);
  const idle = forkState(v.state);
  const close = v.batch("alice", "all", v.sell("alice", "10", "90"), v.buy("alice", "1", "100", { tif: "FOK" }));
  const story = v.run(batch(v.buy("bob", "1", "80", { tif: "FOK" })), close);
  expect(story.outcomes.every((outcome) => outcome !== "applied")).toBe(true);
  const kept = v.state;
  v.state = idle;
  v.run(v.act("bob", "noop", {}), v.act("alice", "noop", {}));
  const texts = (state: typeof idle) => state.intentTexts.join();
  expect(texts(kept)).toBe(texts(idle));
  const columns = (state: typeof idle) => JSON.stringify([...writeImage(state)].length);
  expect(columns(kept).length).toBeGreaterThan(0);
  v.state = kept;
  expect(v.intents("dave")).toEqual(["takeProfit waiting 0@105", "stop waiting 0@95"]);
  expect(v.intents("alice")).toEqual(["takeProfit armed 10@105", "stop armed 10@95"]);
  v.do(batch());
  expect(v.intents("dave")).toEqual(["takeProfit armed 6@105", "stop armed 6@95"]);
  mark(v, "95");
  expect(v.lots("dave")).toBe(0);
});
