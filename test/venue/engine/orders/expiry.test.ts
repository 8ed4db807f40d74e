import { describe, expect, test } from "vitest";
import { CANCEL_CAUSE } from "../../../../src/protocol/events.ts";
import { readImage, writeImage } from "../../../../src/venue/engine/commitment/image.ts";
import { readSnapshot, writeSnapshot } from "../../../../src/venue/engine/commitment/snapshot.ts";
import { TestVenue } from "../../../helpers/venue.ts";

const open = () => new TestVenue({ accounts: { alice: "1000", bob: "1000" }, prices: { TEST: "100" } });

describe("an order until a height", () => {
  test("trades at its last height and is gone in the block after, before anybody's transaction", () => {
    const v = open();
    const last = v.state.height + 2;
    v.place(v.buy("alice", "1", "99", { tif: "GTT", height: last }));
    expect(v.book()).toEqual(["buy 1@99 alice"]);
    const taken = v.do(v.sell("bob", "1", "99"));
    expect(v.state.height).toBe(last);
    expect(v.fills(taken)).toEqual(["1@99 alice>bob"]);

    v.place(v.buy("alice", "2", "99", { tif: "GTT", height: v.state.height + 1 }));
    const after = v.run(v.sell("bob", "1", "99", { tif: "IOC" }));
    expect(v.cancels(after, CANCEL_CAUSE.expired)).toEqual(["2 alice"]);
    expect(v.fills(after)).toEqual([]);
    expect(v.health("alice").initial).toBe(v.health("alice").positionInitial);
  });

  test("is refused from the height before, and accepted for this one", () => {
    const v = open();
    const now = v.state.height + 1;
    expect(v.try(v.buy("alice", "1", "99", { tif: "GTT", height: now - 1 }))).toBe("EXPIRY_PASSED");
    expect(v.try(v.buy("alice", "1", "99", { tif: "GTT", height: now + 1 }))).toBe("applied");
    expect(v.try(v.buy("alice", "1", "98", { tif: "GTT", height: now + 1 }))).toBe("EXPIRY_PASSED");
  });
});

describe("an order until a time", () => {
  test("rests at its last millisecond and is gone one later", () => {
    const v = open();
    const last = v.state.timeMs + 10_000;
    v.runAt(v.state.timeMs + 1, v.buy("alice", "1", "99", { tif: "GTT", time: last }));
    v.runAt(last);
    expect(v.book()).toEqual(["buy 1@99 alice"]);
    const story = v.runAt(last + 1);
    expect(v.cancels(story, CANCEL_CAUSE.expired)).toEqual(["1 alice"]);
    expect(v.book()).toEqual([]);
  });

  test("is refused from the millisecond before, and accepted for this one", () => {
    const v = open();
    const now = v.state.timeMs + 1000;
    const story = v.runAt(
      now,
      v.buy("alice", "1", "99", { tif: "GTT", time: now - 1 }),
      v.buy("alice", "1", "99", { tif: "GTT", time: now }),
    );
    expect(story.outcomes).toEqual(["EXPIRY_PASSED", "applied"]);
  });

  test("ends by whichever of height and time comes first", () => {
    const v = open();
    const { height, timeMs } = v.state;
    v.runAt(
      timeMs + 1,
      v.buy("alice", "1", "99", { tif: "GTT", height: height + 9, time: timeMs + 50 }),
      v.buy("alice", "2", "99", { tif: "GTT", height: height + 2, time: timeMs + 5000 }),
    );
    expect(v.cancels(v.runAt(timeMs + 51), CANCEL_CAUSE.expired)).toEqual(["1 alice"]);
    expect(v.cancels(v.runAt(timeMs + 52), CANCEL_CAUSE.expired)).toEqual(["2 alice"]);
  });
});

test("orders that expire together go by order id", () => {
  const v = open();
  const height = v.state.height + 1;
  const story = v.do(
    ...[3, 1, 2, 5, 4].map((lots) =>
      v.buy(lots % 2 === 0 ? "bob" : "alice", `${lots}`, `${90 + lots}`, { tif: "GTT", height }),
    ),
  );
  const ids = story.receipts.map(({ results }) => results![0]!.orderId!);
  expect(
    v
      .run()
      .of("orderCancelled")
      .map(({ order }) => order),
  ).toEqual(ids);
});

describe("an expiry goes with GTT alone", () => {
  test.each([
    ["GTT without a height or a time", { tif: "GTT" as const }],
    ["GTC with a height", { height: 100 }],
    ["IOC with a time", { tif: "IOC" as const, time: 9e12 }],
    ["a market order until a height", { type: "market" as const, tif: "GTT" as const, height: 100 }],
  ])("%s is refused", (_name, options) => {
    const v = open();
    expect(v.try(v.buy("alice", "1", "99", options))).toBe("EXPIRY_MISMATCH");
  });
});

describe("an amended order", () => {
  test("keeps its expiry, in place and at the end of a level", () => {
    const v = open();
    const height = v.state.height + 4;
    const id = v.place(v.buy("alice", "5", "99", { tif: "GTT", height }));
    v.do(v.amend("alice", id, { size: "3" }));
    v.do(v.amend("alice", id, { price: "98" }));
    expect(v.state.height).toBe(height - 1);
    expect(v.run().of("orderCancelled")).toEqual([]);
    expect(v.cancels(v.run(), CANCEL_CAUSE.expired)).toEqual(["3 alice"]);
  });

  test("takes another expiry without losing its place", () => {
    const v = open();
    const id = v.place(v.buy("alice", "5", "99", { tif: "GTT", height: v.state.height + 3 }));
    v.place(v.buy("bob", "1", "99"));
    const height = v.state.height + 5;
    v.do(v.amend("alice", id, { height }));
    expect(v.book()).toEqual(["buy 5@99 alice", "buy 1@99 bob"]);
    while (v.state.height < height) expect(v.run().of("orderCancelled")).toEqual([]);
    expect(v.cancels(v.run(), CANCEL_CAUSE.expired)).toEqual(["5 alice"]);
  });

  test("is refused an expiry that is past, and the one that it has", () => {
    const v = open();
    const height = v.state.height + 9;
    const id = v.place(v.buy("alice", "5", "99", { tif: "GTT", height }));
    expect(v.try(v.amend("alice", id, { height: v.state.height }))).toBe("EXPIRY_PASSED");
    expect(v.try(v.amend("alice", id, { height }))).toBe("NOTHING_TO_DO");
  });

  test("still reports what it filled before it lost its place", () => {
    const v = open();
    const id = v.place(v.buy("alice", "5", "99"));
    v.do(v.sell("bob", "2", "99"));
    const story = v.do(v.amend("alice", id, { price: "98" }));
    expect(story.of("orderOpened")).toMatchObject([{ order: id, remaining: 3, filled: 2 }]);
  });

  test("of the post-only kind is refused where it would take, or slides", () => {
    const v = open();
    v.place(v.sell("bob", "1", "101"));
    const maker = v.place(v.buy("alice", "1", "99", { postOnly: true }));
    expect(v.try(v.amend("alice", maker, { price: "101" }))).toBe("POST_ONLY_WOULD_TAKE");
    expect(v.try(v.amend("alice", maker, { price: "100" }))).toBe("applied");
    const slider = v.place(v.buy("alice", "2", "98", { postOnly: "slide" }));
    v.do(v.amend("alice", slider, { price: "105" }));
    expect(v.book()).toEqual(["buy 1@100 alice", "buy 2@100 alice", "sell 1@101 bob"]);
  });
});

describe("a sliding order", () => {
  test("rests one tick outside the cross, on either side", () => {
    const v = open();
    v.do(v.sell("bob", "1", "101"), v.buy("bob", "1", "99"));
    v.place(v.buy("alice", "1", "103", { postOnly: "slide" }));
    v.do(v.cancelAll("alice"));
    expect(v.book()).toEqual(["buy 1@99 bob", "sell 1@101 bob"]);
    v.place(v.buy("alice", "1", "101", { postOnly: "slide" }));
    v.place(v.sell("alice", "1", "100", { postOnly: "slide" }));
    expect(v.book()).toEqual(["buy 1@100 alice", "buy 1@99 bob", "sell 1@101 bob", "sell 1@101 alice"]);
  });

  test("stays where it is asked to be when it does not cross", () => {
    const v = open();
    v.do(v.sell("bob", "1", "101"));
    v.place(v.buy("alice", "1", "97", { postOnly: "slide" }));
    expect(v.book()).toEqual(["buy 1@97 alice", "sell 1@101 bob"]);
  });

  test("is refused where no tick is left outside", () => {
    const v = new TestVenue({
      markets: { TEST: { priceBand: "1" } },
      accounts: { alice: "1000", bob: "1000" },
      prices: { TEST: "2" },
    });
    v.do(v.sell("bob", "1", "2"));
    expect(v.try(v.buy("alice", "1", "2", { postOnly: "slide" }))).toBe("applied");
    v.do(v.cancelAll("alice"), v.cancelAll("bob"));
    v.do(v.sell("bob", "1", "1"));
    expect(v.try(v.buy("alice", "1", "2", { postOnly: "slide" }))).toBe("POST_ONLY_WOULD_TAKE");
  });
});

// Method: a venue restored from each byte form continues as the original does.
test("expiries survive image and snapshot", () => {
  const v = open();
  v.place(v.buy("alice", "1", "99", { tif: "GTT", height: v.state.height + 3 }));
  v.place(v.buy("alice", "2", "99", { tif: "GTT", time: v.state.timeMs + 3000, postOnly: "slide" }));
  const restored = [readImage(writeImage(v.state)), readSnapshot(writeSnapshot(v.state))];
  const roots = [v.state, ...restored].map((state) => {
    const other = open();
    other.state = state;
    const orders: number[] = [];
    for (let block = 0; block < 4; block++)
      orders.push(
        ...other
          .run()
          .of("orderCancelled")
          .map(({ remaining }) => remaining),
      );
    expect(orders.sort()).toEqual([1, 2]);
    return other.root();
  });
  expect(new Set(roots).size).toBe(1);
});
