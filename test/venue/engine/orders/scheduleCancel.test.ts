import { expect, test } from "vitest";
import { CANCEL_CAUSE } from "../../../../src/protocol/events.ts";
import { readImage, writeImage } from "../../../../src/venue/engine/commitment/image.ts";
import { readSnapshot, writeSnapshot } from "../../../../src/venue/engine/commitment/snapshot.ts";
import { TestVenue } from "../../../helpers/venue.ts";

const open = () =>
  new TestVenue({
    markets: { TEST: {}, MORE: {} },
    accounts: { alice: "1000", "alice/1": "1000", bob: "1000" },
    prices: { TEST: "100", MORE: "100" },
  });

test("a scheduled cancel takes every order of the subaccount in the first block at its time, and no other's", () => {
  const v = open();
  const now = v.state.timeMs + 1000;
  v.runAt(
    now,
    v.buy("alice", "1", "99"),
    v.buy("alice", "2", "99", { market: "MORE" }),
    v.buy("alice/1", "3", "99"),
    v.buy("bob", "4", "99"),
    v.schedule("alice", now + 5000),
  );
  expect(v.runAt(now + 4999).of("orderCancelled")).toEqual([]);
  const story = v.runAt(now + 5000, v.sell("bob", "1", "99", { tif: "IOC", selfTrade: "cancelMaker" }));
  expect(v.cancels(story, CANCEL_CAUSE.scheduled)).toEqual(["1 alice", "2 alice"]);
  expect(v.fills(story)).toEqual(["1@99 alice/1>bob"]);
  // It has come to pass, and does not come again.
  v.do(v.buy("alice", "1", "98"));
  expect(v.runAt(v.state.timeMs + 60_000).of("orderCancelled")).toEqual([]);
});

test("it can be put off and removed", () => {
  const v = open();
  const now = v.state.timeMs + 1000;
  v.runAt(now, v.buy("alice", "1", "99"), v.schedule("alice", now + 5000));
  v.runAt(now + 4000, v.schedule("alice", now + 10_000));
  expect(v.runAt(now + 9999).of("orderCancelled")).toEqual([]);
  const story = v.runAt(now + 9999 + 1);
  expect(v.cancels(story)).toEqual(["1 alice"]);

  v.do(v.buy("alice", "1", "99"), v.schedule("alice", v.state.timeMs + 9000));
  v.do(v.schedule("alice", 0));
  expect(v.try(v.schedule("alice", 0))).toBe("NOTHING_TO_DO");
  expect(v.runAt(v.state.timeMs + 60_000).of("orderCancelled")).toEqual([]);
});

test("it is at least five seconds ahead of the block", () => {
  const v = open();
  const now = v.state.timeMs + 1000;
  const times = [now + 4999, now + 5000, now + 5001, now - 1, 9e15];
  const story = v.runAt(now, ...times.map((time) => v.schedule("alice", time)));
  expect(story.outcomes).toEqual(["TIME_TOO_SOON", "applied", "applied", "TIME_TOO_SOON", "applied"]);
});

test("it survives image and snapshot", () => {
  const v = open();
  v.do(v.buy("alice", "1", "99"), v.schedule("alice", v.state.timeMs + 7000));
  for (const state of [readImage(writeImage(v.state)), readSnapshot(writeSnapshot(v.state))]) {
    const other = open();
    other.state = state;
    expect(other.cancels(other.runAt(state.timeMs + 8000), CANCEL_CAUSE.scheduled)).toEqual(["1 alice"]);
  }
});
