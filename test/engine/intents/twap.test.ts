/** Schedules: slices by time, catching up, and sums that come out to the lot. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { INTENT_CAUSE } from "../../../src/protocol/events.ts";
import { REJECTION_NAMES } from "../../../src/protocol/rejections.ts";
import { scene } from "../../helpers/intents.ts";
import type { Story } from "../../helpers/venue/story.ts";
import type { IntentOptions } from "../../helpers/venue/traderSteps.ts";
import { TestVenue } from "../../helpers/venue.ts";

const twap = (v: TestVenue, size: string, more: IntentOptions = {}) =>
  v.intent("dave", "twap", { side: "buy", size, duration: 4000, interval: 1000, slippage: "0.1", ...more });
const slices = (story: Story) =>
  story.of("intentSliced").map(({ slice, size, filled, left }) => [slice, size, filled, left]);

test("slices follow each other by the interval; the last makes up the sum", () => {
  const v = scene();
  const id = v.place(twap(v, "10"));
  expect(slices(v.lastStory!)).toEqual([]);
  const seen = [v.run(), v.run(), v.run(), v.run()].flatMap(slices);
  // The first slice was due when it was placed, and is caught up with.
  expect(seen).toEqual([
    [2, 5, 5, 5],
    [3, 2, 7, 3],
    [4, 3, 10, 0],
  ]);
  expect(v.lots("dave")).toBe(10);
  expect(v.intents("dave")).toEqual([]);
  expect(id).toBeGreaterThan(0);
});

test("after a gap a slice is at most three times an even one", () => {
  const v = scene();
  v.place(twap(v, "20", { duration: 20_000 }));
  const story = v.runAt(v.state.timeMs + 12_000);
  expect(slices(story)).toEqual([[13, 3, 3, 17]]);
  expect(slices(v.run())).toEqual([[14, 3, 6, 14]]);
});

test("a slice that finds nothing is left to the later ones; a schedule that traded nothing has failed", () => {
  const v = scene();
  v.do(v.cancelAll("carol"));
  v.place(twap(v, "8"));
  const story = [v.run(), v.run(), v.run()].at(-1)!;
  expect(story.of("intentFailed")).toMatchObject([{ code: -1 }]);
  v.place(twap(v, "8000", { side: "sell" }));
  const refused = [v.run(), v.run(), v.run()];
  expect(refused[0]!.of("intentSliced")).toMatchObject([
    { code: REJECTION_NAMES.indexOf("INSUFFICIENT_MARGIN"), filled: 0 },
  ]);
  expect(refused[2]!.of("intentFailed")).toHaveLength(1);
});

test("a schedule that only reduces ends with its position", () => {
  const v = scene();
  v.do(
    v.intent("alice", "twap", {
      side: "sell",
      size: "10",
      duration: 10_000,
      interval: 1000,
      slippage: "0.1",
      reduceOnly: true,
    }),
  );
  v.run();
  v.do(v.sell("alice", "8", "90"));
  expect(v.lastStory!.of("intentCancelled")).toMatchObject([{ cause: INTENT_CAUSE.position }]);
  expect(v.intents("alice")).toEqual([]);
  expect(v.lots("alice")).toBe(0);
});

test("slices of a market that takes no orders are caught up with later", () => {
  const v = scene();
  v.place(twap(v, "8"));
  expect(slices(v.run(v.status("halted")))).toEqual([]);
  expect(slices(v.run(v.status("active")))).toEqual([[3, 6, 6, 2]]);
});

// Goal: where the book is deep, the sum is exact whatever size, slices and gaps. Method: random schedules and block times.
test("the sum of the slices is the size, to the lot", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 0, max: 60 }),
      fc.array(fc.integer({ min: 1, max: 1900 }), { minLength: 40, maxLength: 40 }),
      (count, more, gaps) => {
        const v = new TestVenue({ accounts: { dave: "100000", carol: "100000" }, prices: { TEST: "100" } });
        v.do(v.sell("carol", "500", "100"));
        v.place(twap(v, String(count + more), { duration: count * 1000 }));
        for (const gap of gaps) v.runAt(v.state.timeMs + gap);
        expect(v.lots("dave")).toBe(count + more);
        expect(v.intents("dave")).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});
