/** Extras of few orders are in a table of their own: rows come with the first of them and go with the order. */
import { describe, expect, test } from "vitest";
import { NONE } from "../../../../src/ground/collections/table.ts";
import { getClientOrderId, getGrant, getLastHeight, getLastTime } from "../../../../src/venue/engine/book/extras.ts";
import type { OrderRow } from "../../../../src/venue/engine/state/schema.ts";
import { TestVenue } from "../../../helpers/venue.ts";

const open = () => new TestVenue({ accounts: { alice: "1000", bob: "1000" }, prices: { TEST: "100" } });

/** Last height and time, grant and client order id of an order, and how many orders have any. */
function extrasOf({ state }: TestVenue, id: number): unknown[] {
  const row: OrderRow = state.orderIndex.find(state.orders, id);
  return [getLastHeight(state, row), getLastTime(state, row), getGrant(state, row), getClientOrderId(state, row)];
}

const count = (v: TestVenue) => v.state.extras.rows.count;

test("an order without expiry, grant or client order id takes no row", () => {
  const v = open();
  const id = v.place(v.buy("alice", "1", "99"));
  expect(extrasOf(v, id)).toEqual([0, 0, NONE, ""]);
  expect(count(v)).toBe(0);
});

describe("a row is taken for", () => {
  test("a last height, a last time, both", () => {
    const v = open();
    const height = v.state.height + 100;
    const time = v.state.timeMs + 1_000_000;
    const ids = [{ height }, { time }, { height, time }].map((until) =>
      v.place(v.buy("alice", "1", "99", { tif: "GTT", ...until })),
    );
    expect(ids.map((id) => extrasOf(v, id))).toEqual([
      [height, 0, NONE, ""],
      [0, time, NONE, ""],
      [height, time, NONE, ""],
    ]);
    expect(count(v)).toBe(3);
  });

  test("a client order id, a grant, and all of it together", () => {
    const v = open();
    const authorization = v.authorize("alice", "carol");
    const height = v.state.height + 100;
    const named = v.place(v.buy("alice", "1", "99", { client: "a" }));
    const granted = v.place(v.by("carol", authorization, v.buy("alice", "1", "98")));
    const all = v.place(v.by("carol", authorization, v.buy("alice", "1", "97", { client: "b", tif: "GTT", height })));
    expect([named, granted, all].map((id) => extrasOf(v, id))).toEqual([
      [0, 0, NONE, "a"],
      [0, 0, 0, ""],
      [height, 0, 0, "b"],
    ]);
    expect(count(v)).toBe(3);
  });

  test("an expiry that an amendment gives, if the order stays in place and if it moves", () => {
    const v = open();
    const [stays, moves] = [v.place(v.buy("alice", "2", "99")), v.place(v.buy("alice", "2", "98"))];
    const height = v.state.height + 100;
    v.do(v.amend("alice", stays, { height }));
    v.do(v.amend("alice", moves, { height, price: "97" }));
    expect([stays, moves].map((id) => extrasOf(v, id))).toEqual([
      [height, 0, NONE, ""],
      [height, 0, NONE, ""],
    ]);
    v.do(v.amend("alice", stays, { height: height + 1, time: v.state.timeMs + 1_000_000 }));
    expect(extrasOf(v, stays)[0]).toBe(height + 1);
    expect(count(v)).toBe(2);
    expect(v.state.expiries.heaps().map(({ size }) => size)).toEqual([2, 1, 0]);
    v.do(v.amend("alice", stays, { height: height + 2, time: v.state.timeMs + 2_000_000 }));
    expect(v.state.expiries.heaps().map(({ size }) => size)).toEqual([2, 1, 0]);
  });
});

describe("the row is given back when the order", () => {
  const rest = (v: TestVenue) => {
    const until = { height: v.state.height + 3, time: v.state.timeMs + 1_000_000 };
    return v.place(v.buy("alice", "2", "99", { client: "a", tif: "GTT", ...until }));
  };
  const expectNone = (v: TestVenue) => {
    expect(count(v)).toBe(0);
    expect(v.state.expiries.heaps().map(({ size }) => size)).toEqual([0, 0, 0]);
  };

  test("is cancelled", () => {
    const v = open();
    v.do(v.cancel("alice", rest(v)));
    expectNone(v);
  });

  test("is filled, and not before", () => {
    const v = open();
    const id = rest(v);
    v.do(v.sell("bob", "1", "99"));
    expect(extrasOf(v, id)[3]).toBe("a");
    v.do(v.sell("bob", "1", "99"));
    expectNone(v);
  });

  test("expires", () => {
    const v = open();
    rest(v);
    for (let block = 0; block < 4; block++) v.run();
    expectNone(v);
    expect(v.book()).toEqual([]);
  });

  test("is moved: the new order has a row with the same values", () => {
    const v = open();
    const id = rest(v);
    v.do(v.amend("alice", id, { price: "98" }));
    expect(extrasOf(v, id)[3]).toBe("a");
    expect(count(v)).toBe(1);
  });
});

// Method: the batch takes an order with extras, its own and another's, before its last leg fails.
test("a batch that fails gives every row back as it was", () => {
  const v = open();
  const mine = v.place(v.buy("alice", "1", "99", { client: "a", tif: "GTT", height: v.state.height + 100 }));
  const theirs = v.place(v.sell("bob", "1", "101", { client: "b", tif: "GTT", time: v.state.timeMs + 1_000_000 }));
  const before = [mine, theirs].map((id) => extrasOf(v, id));
  const story = v.run(
    v.batch(
      "alice",
      "all",
      v.sell("", "1", "99", { selfTrade: "cancelMaker", client: "c" }),
      v.buy("", "1", "101", { client: "d" }),
      v.buy("", "1", "98", { client: "e", tif: "GTT", height: v.state.height + 9 }),
      v.buy("", "1", "98", { client: "e" }),
    ),
  );
  expect(story.outcomes).toEqual(["CLIENT_ORDER_ID_USED"]);
  expect([mine, theirs].map((id) => extrasOf(v, id))).toEqual(before);
  expect(count(v)).toBe(2);
  v.do(v.cancelAll("alice"), v.cancelAll("bob"));
  expect(count(v)).toBe(0);
});
