/** Entries with legs: the good-til is the entry's, and legs of filled size outlive it (INT-5). */
import { describe, expect, test } from "vitest";
import { CANCEL_CAUSE, INTENT_CAUSE } from "../../../../src/protocol/events.ts";
import { scene } from "../../../helpers/intents.ts";
import type { IntentOptions } from "../../../helpers/venue/traderSteps.ts";
import type { TestVenue } from "../../../helpers/venue.ts";

const STOP = { kind: "stop", trigger: "95", slippage: "0.1" } as const;
const TAKE = { kind: "takeProfit", trigger: "105", slippage: "0.1" } as const;
const ENTRY = { side: "buy", size: "10", orderType: "limit", price: "99", reduceOnly: true } as const;
/**
 * Dave buys 10 at 99 with a stop at 95 and a take-profit at 105; the entry lives for two blocks more than the one that
 * places it.
 */
const bracket = (v: TestVenue, more: IntentOptions = {}) =>
  v.intent("dave", "otoco", {
    ...ENTRY,
    timeInForce: "GTT",
    goodTilHeight: v.state.height + 3,
    legs: [STOP, TAKE],
    ...more,
  });

describe("a good-til goes with a GTT entry, and with it alone", () => {
  const at = 9_000_000_000_000;
  test.each<[string, IntentOptions, string]>([
    ["GTT by height", { timeInForce: "GTT", goodTilHeight: 500 }, "applied"],
    ["GTT by time", { timeInForce: "GTT", goodTilTime: at }, "applied"],
    ["GTT by both", { timeInForce: "GTT", goodTilHeight: 500, goodTilTime: at }, "applied"],
    ["GTT without", { timeInForce: "GTT", goodTilHeight: 0 }, "EXPIRY_MISMATCH"],
    ["GTC without", { timeInForce: "GTC", goodTilHeight: 0 }, "applied"],
    ["GTC by height", { timeInForce: "GTC", goodTilHeight: 500 }, "EXPIRY_MISMATCH"],
    ["GTC by time", { timeInForce: "GTC", goodTilHeight: 0, goodTilTime: at }, "EXPIRY_MISMATCH"],
    ["IOC by height", { timeInForce: "IOC", goodTilHeight: 500 }, "EXPIRY_MISMATCH"],
    ["FOK by time", { timeInForce: "FOK", goodTilHeight: 0, goodTilTime: at }, "EXPIRY_MISMATCH"],
    [
      "a market order",
      { orderType: "market", price: "", slippage: "0.1", timeInForce: "GTT", goodTilHeight: 500 },
      "EXPIRY_MISMATCH",
    ],
    ["passed, and a mismatch", { timeInForce: "GTC", goodTilHeight: 1 }, "EXPIRY_MISMATCH"],
    ["passed", { timeInForce: "GTT", goodTilHeight: 1 }, "EXPIRY_PASSED"],
  ])("%s", (_name, more, code) => {
    const v = scene();
    expect(v.try(bracket(v, more))).toBe(code);
    const { legs: _legs, ...single } = more;
    expect(v.try(v.intent("dave", "oto", { ...ENTRY, legs: [STOP], ...single }))).toBe(code);
  });

  test("a leg has none: GTT is refused", () => {
    const v = scene();
    const lives = { kind: "stop", trigger: "95", orderType: "limit", price: "94", timeInForce: "GTT" } as const;
    expect(v.try(bracket(v, { legs: [lives, TAKE] }))).toBe("EXPIRY_MISMATCH");
    expect(v.try(bracket(v, { legs: [STOP, lives] }))).toBe("EXPIRY_MISMATCH");
    // In a pair the good-til is the pair's, and its orders'.
    const pair = { side: "sell", size: "10", reduceOnly: true, legs: [lives, TAKE] } as const;
    expect(v.try(v.intent("alice", "oco", pair))).toBe("EXPIRY_MISMATCH");
    expect(v.try(v.intent("alice", "oco", { ...pair, goodTilHeight: 500 }))).toBe("applied");
  });
});

test("at its expiry the entry's rest goes; legs keep what was filled, and close it long after", () => {
  const v = scene();
  const entry = v.place(bracket(v));
  expect(v.lastStory!.of("intentPlaced").map(({ goodTilHeight, goodTilTime }) => [goodTilHeight, goodTilTime])).toEqual(
    [
      [0, 0],
      [0, 0],
    ],
  );
  v.do(v.sell("bob", "3", "99"));
  v.do(v.sell("bob", "1", "99"));
  const expired = v.run();
  expect(expired.of("orderCancelled")).toMatchObject([{ order: entry, remaining: 6, cause: CANCEL_CAUSE.expired }]);
  expect([...expired.of("intentCancelled"), ...expired.of("intentExpired"), ...expired.of("intentResized")]).toEqual(
    [],
  );
  expect(v.intents("dave")).toEqual(["stop armed 4@95", "takeProfit armed 4@105"]);
  for (let block = 0; block < 20; block++) v.run();
  const story = v.run(v.price("95", { mark: "95" }));
  expect(story.of("intentExecuted")).toMatchObject([{ intent: entry + 1, filled: 4, unfilled: 0 }]);
  expect(story.of("intentCancelled")).toMatchObject([{ intent: entry + 2, cause: INTENT_CAUSE.position }]);
  expect(v.lots("dave")).toBe(0);
  expect(v.intents("dave")).toEqual([]);
});

test("an entry that expires unfilled takes its legs, and so does one whose position was closed before", () => {
  const v = scene();
  v.place(bracket(v));
  v.run();
  v.run();
  expect(v.intents("dave")).toHaveLength(2);
  expect(
    v
      .run()
      .of("intentCancelled")
      .map(({ cause }) => cause),
  ).toEqual([INTENT_CAUSE.entry, INTENT_CAUSE.entry]);
  v.place(bracket(v));
  v.do(v.sell("bob", "2", "99"));
  v.do(v.buy("carol", "2", "100"), v.sell("dave", "2", "100"));
  expect(v.intents("dave")).toEqual(["stop waiting 0@95", "takeProfit waiting 0@105"]);
  expect(v.run().of("intentCancelled")).toHaveLength(2);
  expect(v.intents("dave")).toEqual([]);
});

test("legs of filled size end when the position is closed, and when it turns", () => {
  for (const lots of ["4", "6"]) {
    const v = scene();
    v.place(bracket(v));
    v.do(v.sell("bob", "4", "99"));
    v.run();
    expect(v.run().of("orderCancelled")).toHaveLength(1);
    expect(v.intents("dave")).toHaveLength(2);
    v.do(v.sell("dave", lots, "90"));
    expect(v.lastStory!.of("intentCancelled").map(({ cause }) => cause)).toEqual([
      INTENT_CAUSE.position,
      INTENT_CAUSE.position,
    ]);
  }
});

test("an amended expiry of the entry leaves the legs unchanged", () => {
  const v = scene();
  const entry = v.place(bracket(v));
  v.do(v.sell("bob", "3", "99"), v.amend("dave", entry, { height: v.state.height + 1 }));
  expect(v.intents("dave")).toEqual(["stop armed 3@95", "takeProfit armed 3@105"]);
  const story = v.run();
  expect(story.of("orderCancelled")).toMatchObject([{ order: entry, remaining: 7, cause: CANCEL_CAUSE.expired }]);
  expect(v.intents("dave")).toEqual(["stop armed 3@95", "takeProfit armed 3@105"]);
});

test("a leg that fails names the position that it no longer protects", () => {
  const v = scene();
  // The limit price of the stop lies beyond the band when it fires.
  const far = { kind: "stop", trigger: "97", orderType: "limit", price: "60" } as const;
  v.do(v.cancelAll("carol"), v.sell("carol", "4", "99"));
  v.do(v.intent("dave", "oto", { ...ENTRY, size: "4", legs: [far] }));
  const story = v.run(v.price("97", { mark: "97" }));
  const { code, position } = story.of("intentFailed")[0] ?? { code: -1, position: 0 };
  expect(code).not.toBe(-1);
  expect(position).toBe(4);
});
