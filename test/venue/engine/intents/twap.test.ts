/** Schedules: slices by time, catching up, and sums that come out to the lot. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { INTENT_CAUSE } from "../../../../src/protocol/events.ts";
import { REJECTION_NAMES } from "../../../../src/protocol/rejections.ts";
import { scene } from "../../../helpers/intents.ts";
import type { Story } from "../../../helpers/venue/story.ts";
import type { IntentOptions } from "../../../helpers/venue/traderSteps.ts";
import { TestVenue } from "../../../helpers/venue.ts";

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

test("later slices make up for a slice that finds nothing; a schedule that traded nothing has failed", () => {
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

/** Slices with their codes instead of what is left. */
const coded = (story: Story) =>
  story.of("intentSliced").map(({ slice, size, filled, code }) => [slice, size, filled, REJECTION_NAMES[code] ?? "-"]);
const ends = (story: Story) =>
  [...story.of("intentExecuted"), ...story.of("intentFailed")].map((event) =>
    event.kind === "intentExecuted"
      ? ["executed", event.filled, event.unfilled]
      : ["failed", REJECTION_NAMES[event.code]],
  );
/** Twenty lots in ten slices; nothing is offered. */
const empty = (parameters: Record<string, string> = {}) => {
  const v = new TestVenue({
    markets: { TEST: { maxSize: "4", ...parameters } },
    accounts: { dave: "100000", carol: "100000", alice: "1000" },
    prices: { TEST: "100" },
  });
  return v;
};
const long = (v: TestVenue, more: IntentOptions = {}) => twap(v, "20", { duration: 10_000, ...more });
const offer = (v: TestVenue) =>
  v.do(v.sell("carol", "4", "100"), v.sell("carol", "4", "100"), v.sell("carol", "4", "100"));

test("slices of a market that lets no intent fire are skipped with the reason, and caught up with later", () => {
  const v = scene();
  v.place(twap(v, "8"));
  expect(coded(v.run(v.status("halted")))).toEqual([[2, 4, 0, "MARKET_CLOSED"]]);
  expect(slices(v.run(v.status("active")))).toEqual([[3, 6, 6, 2]]);
});

test("a schedule that ends while the market is halted is executed with what it filled", () => {
  const v = scene();
  v.place(twap(v, "8"));
  expect(slices(v.run())).toEqual([[2, 4, 4, 4]]);
  v.do(v.status("halted"));
  const story = v.run();
  expect(coded(story)).toEqual([[4, 4, 4, "MARKET_CLOSED"]]);
  expect(ends(story)).toEqual([["executed", 4, 4]]);
  expect(v.intents("dave")).toEqual([]);
});

test.each([
  ["OPERATION_PAUSED", { pauseTrade: "on" }],
  ["MARKET_CLOSED", { status: "cancelOnly" }],
] as const)("a schedule that fills nothing fails with the code of its last slice: %s", (code, change) => {
  const v = scene();
  v.place(twap(v, "8", { duration: 2000 }));
  const story = v.run(v.update(change));
  expect(coded(story)).toEqual([[2, 8, 0, code]]);
  expect(ends(story)).toEqual([["failed", code]]);
});

test("a slice is cut to the largest order of the market, so a missed slice does not end the schedule", () => {
  const v = empty();
  v.place(long(v));
  expect([v.run(), v.run(), v.run()].flatMap(slices)).toEqual([
    [2, 4, 0, 20],
    [3, 4, 0, 20],
    [4, 4, 0, 20],
  ]);
  offer(v);
  expect(slices(v.lastStory!)).toEqual([[5, 4, 4, 16]]);
  offer(v);
  const rest = [v.lastStory!, v.run(), v.run(), v.run(), v.run()];
  expect(rest.flatMap(slices)).toEqual([
    [6, 4, 8, 12],
    [7, 4, 12, 8],
    [8, 4, 16, 4],
    [9, 2, 18, 2],
    [10, 2, 20, 0],
  ]);
  expect(ends(rest.at(-1)!)).toEqual([["executed", 20, 0]]);
});

test("the last slice has the limits of every slice; what it cannot catch up with is reported as unfilled", () => {
  const v = empty();
  v.place(long(v));
  for (let slice = 2; slice <= 8; slice++) v.run();
  offer(v);
  expect(slices(v.lastStory!)).toEqual([[9, 4, 4, 16]]);
  const story = v.run();
  expect(slices(story)).toEqual([[10, 4, 8, 12]]);
  expect(ends(story)).toEqual([["executed", 8, 12]]);
});

test("slices that are refused for margin are skipped; the schedule ends with what it filled before", () => {
  const v = scene();
  v.do(v.leverage("alice", 1), v.leverage("dave", 1), v.sell("carol", "50", "100"));
  // Dave's 1,000 carry nine lots at 100 with their fees.
  v.place(twap(v, "16", { slippage: "", price: "100" }));
  const stories = [v.run(), v.run(), v.run()];
  expect(stories.flatMap(coded)).toEqual([
    [2, 8, 8, "-"],
    [3, 4, 8, "INSUFFICIENT_MARGIN"],
    [4, 8, 8, "INSUFFICIENT_MARGIN"],
  ]);
  expect(ends(stories[2]!)).toEqual([["executed", 8, 8]]);
});

test("a rest below the market's smallest order is skipped, and reported as unfilled", () => {
  const v = new TestVenue({
    markets: { TEST: { minSize: "3" } },
    accounts: { dave: "100000", carol: "100000" },
    prices: { TEST: "100" },
  });
  v.do(v.sell("carol", "5", "100"));
  v.place(twap(v, "6", { duration: 2000 }));
  const story = v.run();
  expect(coded(story)).toEqual([[2, 6, 5, "-"]]);
  expect(ends(story)).toEqual([["executed", 5, 1]]);
  v.do(v.sell("carol", "4", "100"));
  v.place(twap(v, "9", { duration: 3000 }));
  expect(coded(v.run())).toEqual([[2, 6, 4, "-"]]);
  v.do(v.sell("carol", "4", "100"));
  expect(coded(v.lastStory!)).toEqual([[3, 5, 8, "-"]]);
  expect(ends(v.lastStory!)).toEqual([["executed", 8, 1]]);
});

test("an agent's slice is cut to the grant's order limit, and skipped where that is less than a lot", () => {
  const v = empty();
  const cut = v.authorize("dave", "bot", { maxOrderNotional: "350" });
  v.do(v.sell("carol", "4", "100"), v.sell("carol", "4", "100"));
  v.place(v.by("bot", cut, long(v, { slippage: "", price: "100" })));
  v.run();
  expect([v.run(), v.run()].flatMap(coded)).toEqual([
    [3, 3, 6, "-"],
    [4, 2, 8, "-"],
  ]);
  const none = v.authorize("dave", "bot", { maxOrderNotional: "99.999999" });
  v.place(v.by("bot", none, long(v, { slippage: "", price: "100" })));
  expect(
    v
      .run()
      .of("intentSliced")
      .map(({ size, code }) => [size, REJECTION_NAMES[code] ?? "-"]),
  ).toContainEqual([0, "AUTHORIZATION_ORDER_LIMIT"]);
});

test("the order limit counts the tighter of a price and a slippage bound", () => {
  const v = empty();
  const grant = v.authorize("dave", "bot", { maxOrderNotional: "420" });
  v.do(v.sell("carol", "4", "100"));
  // At 150 it would be two lots; the bound of 5 % is 105, and four lots of it are 420.
  v.place(v.by("bot", grant, long(v, { slippage: "0.05", price: "150" })));
  expect(coded(v.run())).toEqual([[2, 4, 4, "-"]]);
});

test("a slice beyond the grant's daily limit is skipped; the schedule ends with its grant", () => {
  const v = empty();
  const grant = v.authorize("dave", "bot", { maxDailyNotional: "500", expiresAt: v.state.timeMs + 8_500 });
  v.do(v.sell("carol", "4", "100"), v.sell("carol", "4", "100"));
  v.place(v.by("bot", grant, long(v, { slippage: "", price: "100" })));
  const stories = [v.run(), v.run(), v.run()];
  expect(stories.flatMap(coded)).toEqual([
    [2, 4, 4, "-"],
    [3, 2, 4, "AUTHORIZATION_DAILY_LIMIT"],
    [4, 4, 4, "AUTHORIZATION_DAILY_LIMIT"],
  ]);
  let last = v.run();
  while (ends(last).length === 0) last = v.run();
  expect(coded(last)).toEqual([[7, 6, 4, "AUTHORIZATION_EXPIRED"]]);
  expect(ends(last)).toEqual([["executed", 4, 16]]);
});

test("a schedule whose grant is revoked before it filled anything fails with that code", () => {
  const v = empty();
  const grant = v.authorize("dave", "bot");
  v.place(v.by("bot", grant, long(v)));
  v.do(v.revoke("dave", grant));
  expect(coded(v.lastStory!)).toEqual([[2, 4, 0, "AUTHORIZATION_REVOKED"]]);
  expect(ends(v.lastStory!)).toEqual([["failed", "AUTHORIZATION_REVOKED"]]);
});

// Goal: where the book is deep, the sum is exact whatever size, slices and gaps. Method: random schedules and block
// times.
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
        for (const restarting of gaps) v.runAt(v.state.timeMs + restarting);
        expect(v.lots("dave")).toBe(count + more);
        expect(v.intents("dave")).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});
