/** Stops, take-profits and trailing stops: when they fire, in which order, and what their orders meet. */
import { describe, expect, test } from "vitest";
import { INTENT_CAUSE } from "../../../../src/protocol/events.ts";
import { REJECTION_NAMES } from "../../../../src/protocol/rejections.ts";
import { readCanonical, writeCanonical } from "../../../../src/venue/engine/commitment/canonical.ts";
import { readImage, writeImage } from "../../../../src/venue/engine/commitment/image.ts";
import { forkState } from "../../../../src/venue/engine/state/forkState.ts";
import { scene } from "../../../helpers/intents.ts";
import { TestVenue } from "../../../helpers/venue.ts";

const stop = (v: TestVenue, trigger: string, more = {}) =>
  v.intent("alice", "stop", { side: "sell", size: "10", reduceOnly: true, trigger, slippage: "0.1", ...more });
/** Moves the mark in a block of its own. */
const mark = (v: TestVenue, text: string) => v.run(v.price(text, { mark: text }));

describe("a stop", () => {
  test("sells when the mark falls to its trigger, not a unit before", () => {
    const v = scene();
    const id = v.place(stop(v, "95"));
    expect(v.intents("alice")).toEqual(["stop armed 10@95"]);
    expect(mark(v, "95.00000001").of("intentTriggered")).toEqual([]);
    const story = mark(v, "95");
    expect(story.of("intentTriggered")).toMatchObject([{ intent: id, value: 95e8, size: 10 }]);
    expect(v.fills(story)).toEqual(["10@90 carol>alice"]);
    expect(story.of("fill")[0]!.takerOrder).toBe(id);
    expect(story.of("intentExecuted")).toMatchObject([{ intent: id, filled: 10 }]);
    expect(v.intents("alice")).toEqual([]);
    expect(v.lots("alice")).toBe(0);
  });

  test("that buys fires when the price rises to it; a take-profit is the other way round", () => {
    const v = scene();
    v.do(
      v.intent("bob", "stop", { side: "buy", size: "4", trigger: "105", slippage: "0.1" }),
      v.intent("bob", "takeProfit", { side: "buy", size: "3", trigger: "95", slippage: "0.1" }),
      v.intent("alice", "takeProfit", { side: "sell", size: "2", trigger: "105", slippage: "0.1" }),
    );
    expect(v.fills(mark(v, "105"))).toEqual(["4@110 carol>bob"]);
    expect(v.intents("alice")).toEqual([]); // no order bids within 10 % of 105
    expect(v.intents("bob")).toEqual(["takeProfit armed 3@95"]);
    v.do(v.sell("carol", "3", "99"));
    expect(v.fills(mark(v, "95"))).toEqual(["3@99 carol>bob"]);
  });

  test("is checked from the next block on, and from the price at which it was placed", () => {
    const v = scene();
    // The mark falls through 97 in the block that places it, before it is placed.
    const story = v.run(v.price("96", { mark: "96" }), stop(v, "95", { clientIntentId: "s" }), stop(v, "97"));
    expect(story.outcomes).toEqual(["applied", "applied", "TRIGGER_PASSED"]);
    expect(v.run(v.intent("alice", "takeProfit", { side: "sell", size: "1", trigger: "98" })).outcomes).toEqual([
      "applied",
    ]);
    expect(v.run().of("intentTriggered")).toEqual([]);
    expect(mark(v, "98").of("intentTriggered")).toHaveLength(1);
  });

  test("with a limit order rests the unfilled lots under the id of the intent", () => {
    const v = scene();
    const id = v.place(stop(v, "95", { orderType: "limit", price: "94", slippage: "" }));
    const story = mark(v, "94");
    expect(story.of("orderOpened")).toMatchObject([{ order: id, price: 94, remaining: 10 }]);
    expect(story.of("intentExecuted")).toMatchObject([{ intent: id, filled: 0 }]);
    expect(v.book()[0]).toBe("buy 50@90 carol");
    expect(v.try(v.cancel("alice", id))).toBe("applied");
  });

  test("on the last price checks every trade of the block, and no earlier one", () => {
    const v = scene();
    const id = v.place(stop(v, "95", { source: "last" }));
    expect(v.run().of("intentTriggered")).toEqual([]);
    // Down to 90 and back to 96 within one block.
    v.do(v.sell("dave", "1", "90"), v.buy("carol", "1", "96"), v.sell("dave", "1", "96"));
    const [fired] = v.lastStory!.of("intentTriggered");
    expect(fired).toMatchObject({ intent: id, value: 90e8 });
  });

  test("on the index ignores the mark", () => {
    const v = scene();
    v.place(stop(v, "95", { source: "index" }));
    expect(v.run(v.price("100", { mark: "92" })).of("intentTriggered")).toEqual([]);
    expect(v.run(v.price("94", { mark: "100" })).of("intentTriggered")).toHaveLength(1);
  });

  test("that another stop's trades reach waits for the next block", () => {
    const v = scene();
    const first = v.place(stop(v, "95", { size: "5" }));
    const second = v.place(stop(v, "92", { size: "5", source: "last" }));
    const story = mark(v, "95");
    expect(story.of("intentTriggered").map(({ intent }) => intent)).toEqual([first]);
    expect(story.of("intentsTraded")).toMatchObject([{ high: 90, low: 90 }]);
    const next = v.run();
    expect(next.of("intentTriggered").map(({ intent }) => intent)).toEqual([second]);
    expect(v.lots("alice")).toBe(0);
    expect(v.state.markets.tradeHigh[v.marketRow()]).toBe(90);
    v.run();
    expect(v.state.markets.tradeHigh[v.marketRow()]).toBe(0);
  });

  test("fails with the code with which its order is refused", () => {
    const v = scene();
    const id = v.place(v.intent("dave", "stop", { side: "sell", size: "200", trigger: "95", slippage: "0.1" }));
    const story = mark(v, "95");
    expect(story.of("intentFailed")).toMatchObject([
      { intent: id, code: REJECTION_NAMES.indexOf("INSUFFICIENT_MARGIN") },
    ]);
    expect(v.intents("dave")).toEqual([]);
  });

  test("of a share of the position uses the position at the time when it fires", () => {
    const v = scene();
    v.place(stop(v, "95", { size: "", fraction: "0.5" }));
    v.do(v.buy("alice", "5", "110"));
    expect(v.lots("alice")).toBe(15);
    mark(v, "95");
    expect(v.lots("alice")).toBe(8); // 7.5 rounded down
  });

  test("stays armed while its market takes no orders", () => {
    const v = scene();
    v.place(stop(v, "95"));
    v.do(v.status("halted"));
    expect(mark(v, "95").of("intentTriggered")).toEqual([]);
    expect(v.run(v.status("active")).of("intentTriggered")).toHaveLength(1);
  });
});

describe("a trailing stop", () => {
  test("follows the best price at its distance and fires from there", () => {
    const v = scene();
    v.place(
      v.intent("alice", "trailingStop", { side: "sell", size: "10", trail: "5", slippage: "0.1", reduceOnly: true }),
    );
    expect(v.intents("alice")).toEqual(["trailingStop armed 10@95"]);
    expect(mark(v, "108").of("intentTrailed")).toMatchObject([{ extreme: 108e8, trigger: 103e8 }]);
    expect(mark(v, "103.5").events).not.toContainEqual(expect.objectContaining({ kind: "intentTrailed" }));
    const story = mark(v, "103");
    expect(story.of("intentTriggered")).toMatchObject([{ value: 103e8 }]);
  });

  test("tests the block against the best price before it, then moves", () => {
    const v = scene();
    v.place(
      v.intent("alice", "trailingStop", { source: "last", side: "sell", size: "10", trail: "5", slippage: "0.1" }),
    );
    v.do(v.sell("carol", "1", "99"), v.buy("dave", "1", "99"));
    // Up to 110 and down to 99 in one block: 99 is no 5 below 100, the best price before.
    v.do(v.buy("dave", "1", "110"), v.sell("carol", "1", "99"), v.buy("dave", "1", "99"));
    expect(v.lastStory!.of("intentTriggered")).toEqual([]);
    expect(v.lastStory!.of("intentTrailed")).toMatchObject([{ extreme: 110e8, trigger: 105e8 }]);
  });

  test("trails by a ratio, rounded down, and upwards when it buys", () => {
    const v = scene();
    v.place(v.intent("bob", "trailingStop", { side: "buy", size: "10", trailRate: "0.03", slippage: "0.1" }));
    expect(v.intents("bob")).toEqual(["trailingStop armed 10@103"]);
    mark(v, "90.00000033");
    expect(v.intents("bob")).toEqual(["trailingStop armed 10@92.70000033"]);
    expect(mark(v, "92.70000032").of("intentTriggered")).toEqual([]);
    expect(mark(v, "92.70000033").of("intentTriggered")).toHaveLength(1);
  });

  test("among others removes its stale triggers", () => {
    const v = scene();
    v.place(v.intent("alice", "trailingStop", { side: "sell", size: "1", trail: "5" }));
    for (let step = 1; step <= 400; step++) mark(v, String(100 + step / 100));
    const { triggers } = v.state.intentIndex;
    expect(triggers.reduce((sum, heap) => sum + heap.size, 0)).toBeLessThan(300);
    expect(v.intents("alice")).toEqual(["trailingStop armed 1@99"]);
  });
});

describe("of several", () => {
  test("the one nearest to the price before fires first, in proportion to it; then market, then id", () => {
    const v = new TestVenue({
      markets: { TEST: {}, MORE: {} },
      accounts: { alice: "100000" },
      prices: { TEST: "100", MORE: "1000" },
    });
    const place = (market: string, trigger: string) =>
      v.place(v.intent("alice", "stop", { market, side: "sell", size: "1", trigger }));
    const far = place("TEST", "95");
    const same = place("MORE", "970"); // 3 %
    const near = place("TEST", "97"); // 3 %
    const nearest = place("MORE", "975");
    const again = place("TEST", "97");
    const story = v.run(v.price("95", { mark: "95" }), v.price("950", { mark: "950", market: "MORE" }));
    const fired = story.of("intentTriggered").map(({ intent }) => intent);
    expect(fired).toEqual([nearest, near, again, same, far]);
  });
});

describe("an intent ends", () => {
  test("with its position, when it only reduces", () => {
    const v = scene();
    const id = v.place(stop(v, "95"));
    const open = v.place(stop(v, "94", { reduceOnly: false }));
    v.do(v.sell("alice", "4", "90"));
    expect(v.intents("alice")).toHaveLength(2);
    v.do(v.sell("alice", "6", "90"));
    expect(v.lastStory!.of("intentCancelled")).toMatchObject([{ intent: id, cause: INTENT_CAUSE.position }]);
    expect(v.intents("alice")).toEqual(["stop armed 10@94"]);
    expect(open).toBeGreaterThan(id);
  });

  test("when its position turns around", () => {
    const v = scene();
    v.place(stop(v, "95"));
    v.do(v.sell("alice", "12", "90"));
    expect(v.lots("alice")).toBe(-2);
    expect(v.intents("alice")).toEqual([]);
  });

  test("at its last height and its last time, not before", () => {
    const v = scene();
    const { height, timeMs } = v.state;
    const byHeight = v.place(stop(v, "95", { goodTilHeight: height + 3 }));
    const byTime = v.place(stop(v, "94", { goodTilTime: timeMs + 4000 }));
    expect(v.run().of("intentExpired")).toEqual([]);
    expect(v.run().of("intentExpired")).toMatchObject([{ intent: byHeight }]);
    expect(v.state.timeMs).toBe(timeMs + 4000);
    expect(v.run().of("intentExpired")).toMatchObject([{ intent: byTime }]);
  });

  test("if its owner cancels it by id, by client id, or with everything else", () => {
    const v = scene();
    const id = v.place(stop(v, "95"));
    v.do(stop(v, "94", { clientIntentId: "mine" }), stop(v, "93", { clientIntentId: "mine" }), stop(v, "92"));
    v.do(v.cancelIntent("alice", id));
    expect(v.lastStory!.of("intentCancelled")).toMatchObject([{ intent: id, cause: INTENT_CAUSE.owner }]);
    v.do(v.cancelIntent("alice", 0, "mine"));
    expect(v.intents("alice")).toEqual(["stop armed 10@92"]);
    v.do(v.cancelAll("alice"));
    expect(v.intents("alice")).toHaveLength(1);
    v.do(v.cancelAll("alice", "TEST", true));
    expect(v.intents("alice")).toEqual([]);
  });

  test("in a liquidation, unless it only reduces what is left", () => {
    const v = scene({ markets: { TEST: { liquidationWhole: "0", liquidationChunk: "0.2" } } });
    v.do(v.withdraw("alice", "890"));
    v.place(stop(v, "40"));
    v.place(v.intent("alice", "stop", { side: "buy", size: "1", trigger: "150" }));
    const story = mark(v, "93");
    expect(story.of("liquidationStarted")).toHaveLength(1);
    expect(story.of("intentCancelled")).toMatchObject([{ cause: INTENT_CAUSE.liquidation }]);
    expect(v.intents("alice")).toEqual(v.lots("alice") > 0 ? ["stop armed 10@40"] : []);
    expect(v.lots("alice")).toBeGreaterThan(0);
  });
});

test("intents are in the image and the canonical form, and a venue restored from either continues as the original", () => {
  const v = scene();
  v.do(stop(v, "95", { clientIntentId: "mine" }));
  v.do(v.intent("alice", "trailingStop", { side: "sell", size: "1", trailRate: "0.5" }));
  v.do(v.intent("dave", "twap", { side: "buy", size: "4", duration: 4000, interval: 1000, slippage: "0.1" }));
  mark(v, "101");
  const copies = [forkState(v.state), readImage(writeImage(v.state)), readCanonical(writeCanonical(v.state))];
  const form = (state = v.state) => Buffer.from(writeCanonical(state)).toString("hex");
  const original = v.state;
  const after = [original, ...copies].map((state) => {
    v.state = state;
    mark(v, "94");
    v.run();
    return form(state);
  });
  expect(new Set(after).size).toBe(1);
  v.state = original;
  expect(v.lots("alice")).toBe(0);
});
