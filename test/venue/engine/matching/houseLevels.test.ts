import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CANCEL_CAUSE } from "../../../../src/protocol/events.ts";
import { HOUSE_STEP } from "../../../../src/protocol/houseSteps.ts";
import { SIDE } from "../../../../src/protocol/words.ts";
import { TestVenue } from "../../../helpers/venue.ts";
import { flow } from "../actions/stage.ts";

const { quote, print, level, ahead, clear } = HOUSE_STEP;
const { buy, sell } = SIDE;

const open = () =>
  new TestVenue({
    accounts: { alice: "1000000", bob: "1000000" },
    house: { house: "0", other: "0" },
    prices: { TEST: "100" },
  });

/** The house's 5 at 100, then alice's 2. */
const queue = () => {
  const v = open();
  v.do(flow(v, [[level, 100, 5, buy]]), v.buy("alice", "2", "100"));
  return v;
};

describe("a level that grows (ACC-2)", () => {
  test("opens an order where the house has none", () => {
    const v = open();
    const story = v.do(
      flow(v, [
        [level, 99, 5, buy],
        [level, 101, 7, sell],
      ]),
    );
    expect(v.book()).toEqual(["buy 5@99 house", "sell 7@101 house"]);
    expect(story.of("orderOpened")).toHaveLength(2);
    expect(story.of("printed")).toEqual([]);
  });

  test("grows the house's order in place where it is the last of the queue", () => {
    const v = open();
    v.do(v.buy("alice", "2", "100"));
    v.do(flow(v, [[level, 100, 5, buy]]));
    const story = v.do(flow(v, [[level, 100, 9, buy]]));
    expect(v.book()).toEqual(["buy 2@100 alice", "buy 9@100 house"]);
    expect(story.of("orderAmended")).toMatchObject([{ remaining: 9, price: 100, requeued: 0, rests: 1, orderCost: 0 }]);
    expect(story.of("orderOpened")).toEqual([]);
  });

  test("opens a further order after another account's, and grows that one from then on", () => {
    const v = queue();
    v.do(flow(v, [[level, 100, 8, buy]]));
    expect(v.book()).toEqual(["buy 5@100 house", "buy 2@100 alice", "buy 3@100 house"]);
    v.do(flow(v, [[level, 100, 9, buy]]));
    expect(v.book()).toEqual(["buy 5@100 house", "buy 2@100 alice", "buy 4@100 house"]);
  });

  test("opens a further order after a reduce-only order of the house, which does not count", () => {
    const v = open();
    v.do(v.sell("house", "5", "101"), v.buy("alice", "5", "101"));
    v.do(v.buy("house", "5", "99", { reduceOnly: true }));
    v.do(flow(v, [[level, 99, 3, buy]]));
    expect(v.book()).toEqual(["buyr 5@99 house", "buy 3@99 house"]);
    v.do(
      flow(v, [
        [ahead, 99, 2, buy],
        [level, 99, 0, buy],
      ]),
    );
    expect(v.book()).toEqual(["buyr 5@99 house"]);
  });

  test("another house's lots do not count, and its orders are another account's", () => {
    const v = open();
    v.do(flow(v, [[level, 100, 5, buy]]), flow(v, [[level, 100, 4, buy]], "TEST", "other"));
    v.do(
      flow(v, [
        [level, 100, 6, buy],
        [ahead, 100, 2, buy],
      ]),
    );
    expect(v.book()).toEqual(["buy 3@100 house", "buy 4@100 other", "buy 1@100 house"]);
  });

  test("takes what it crosses first, and the house's own orders shrink", () => {
    const v = open();
    v.do(flow(v, [[level, 101, 3, sell]]), v.sell("alice", "2", "101"));
    const story = v.do(flow(v, [[level, 101, 9, buy]]));
    expect(v.book()).toEqual(["buy 4@101 house"]);
    expect([v.lots("house"), v.lots("alice")]).toEqual([2, -2]);
    expect(story.of("orderCancelled")).toMatchObject([{ remaining: 3, cause: CANCEL_CAUSE.selfTrade }]);
  });

  test("takes the next id only where it sends an order", () => {
    const v = queue();
    const opened = v
      .do(
        flow(v, [
          [level, 100, 4, buy],
          [level, 99, 1, buy],
          [level, 99, 2, buy],
          [level, 98, 1, buy],
        ]),
      )
      .of("orderOpened");
    expect(opened[1]!.order - opened[0]!.order).toBe(1);
  });
});

describe("a level that shrinks (ACC-2)", () => {
  const deep = () => {
    const v = queue();
    v.do(flow(v, [[level, 100, 8, buy]]));
    return v;
  };

  test("is taken from the back, and what has nothing left is cancelled as replaced", () => {
    const v = deep();
    v.do(flow(v, [[level, 100, 6, buy]]));
    expect(v.book()).toEqual(["buy 5@100 house", "buy 2@100 alice", "buy 1@100 house"]);
    const story = v.do(flow(v, [[level, 100, 4, buy]]));
    expect(v.book()).toEqual(["buy 4@100 house", "buy 2@100 alice"]);
    expect(story.of("orderCancelled")).toMatchObject([{ remaining: 1, cause: CANCEL_CAUSE.replaced }]);
    expect(story.of("orderAmended")).toMatchObject([{ remaining: 4, requeued: 0, rests: 1 }]);
  });

  test("to nothing cancels every order of the house there, and only there", () => {
    const v = deep();
    v.do(
      flow(v, [
        [level, 99, 1, buy],
        [level, 101, 1, sell],
        [level, 100, 0, buy],
      ]),
    );
    expect(v.book()).toEqual(["buy 2@100 alice", "buy 1@99 house", "sell 1@101 house"]);
  });

  test("goes by places in the queue, not by ages of orders", () => {
    const v = open();
    v.do(flow(v, [[level, 99, 5, buy]]), v.buy("alice", "1", "100"));
    v.do(flow(v, [[level, 100, 3, buy]]), v.buy("bob", "1", "100"));
    // The younger order keeps its place, and the older one moves to the back.
    v.do(
      flow(v, [
        [quote, 100, 3, buy],
        [HOUSE_STEP.rest, 100, 5, buy],
      ]),
    );
    expect(v.book()).toEqual(["buy 1@100 alice", "buy 3@100 house", "buy 1@100 bob", "buy 5@100 house"]);
    v.do(flow(v, [[level, 100, 7, buy]]));
    expect(v.book()).toEqual(["buy 1@100 alice", "buy 3@100 house", "buy 1@100 bob", "buy 4@100 house"]);
    v.do(flow(v, [[ahead, 100, 2, buy]]));
    expect(v.book()).toEqual(["buy 1@100 alice", "buy 1@100 house", "buy 1@100 bob", "buy 4@100 house"]);
  });

  test("to the size that it has does nothing", () => {
    const v = deep();
    const story = v.do(
      flow(v, [
        [level, 100, 8, buy],
        [level, 98, 0, buy],
        [level, 100, 0, sell],
      ]),
    );
    expect(story.events.map(({ kind }) => kind)).toEqual(["nonceAdvanced"]);
  });
});

describe("lots ahead (ACC-2)", () => {
  test("are taken from the front of the queue", () => {
    const v = queue();
    v.do(
      flow(v, [
        [level, 100, 8, buy],
        [ahead, 100, 2, buy],
      ]),
    );
    expect(v.book()).toEqual(["buy 3@100 house", "buy 2@100 alice", "buy 3@100 house"]);
    v.do(flow(v, [[ahead, 100, 4, buy]]));
    expect(v.book()).toEqual(["buy 2@100 alice", "buy 2@100 house"]);
  });

  test("are at most what is there, and open nothing", () => {
    const v = queue();
    v.do(
      flow(v, [
        [ahead, 100, 9, buy],
        [ahead, 100, 9, sell],
        [ahead, 97, 9, buy],
        [ahead, 100, 0, buy],
      ]),
    );
    expect(v.book()).toEqual(["buy 2@100 alice"]);
  });

  test("bring an order of another account nearer to a recorded trade", () => {
    const v = queue();
    v.do(
      flow(v, [
        [ahead, 100, 4, buy],
        [print, 100, 2, sell],
      ]),
    );
    expect(v.lots("alice")).toBe(1);
  });
});

test("a clear takes back levels, and a ladder takes them over", () => {
  const v = queue();
  v.do(
    flow(v, [
      [level, 100, 8, buy],
      [level, 99, 4, buy],
      [quote, 100, 6, buy],
    ]),
  );
  expect(v.book()).toEqual(["buy 6@100 house", "buy 2@100 alice"]);
  v.do(flow(v, [[clear, 1, 0, buy]]));
  expect(v.book()).toEqual(["buy 2@100 alice"]);
});

/** A queue of lots by owner, as the rule describes it. */
type Queue = { who: string; lots: number }[];

function changeQueue(queue: Queue, kind: number, lots: number): Queue {
  const own = queue.filter(({ who }) => who === "house");
  const there = own.reduce((sum, order) => sum + order.lots, 0);
  let gone = kind === ahead ? Math.min(lots, there) : there - lots;
  if (gone < 0) {
    const last = queue.at(-1);
    if (last?.who === "house") last.lots -= gone;
    else queue.push({ who: "house", lots: -gone });
  }
  for (const order of kind === ahead ? own : own.reverse()) {
    const taken = Math.min(Math.max(gone, 0), order.lots);
    order.lots -= taken;
    gone -= taken;
  }
  return queue.filter((order) => order.lots > 0);
}

// Goal: any order of levels, lots ahead and orders of others leaves the queues that the rule describes.
// Method: two prices a side, small sizes, so that orders of others are between those of the house most of the time.
test("queues follow the rule for any steps", () => {
  const step = fc.record({
    what: fc.constantFrom("level", "level", "ahead", "alice", "bob"),
    price: fc.constantFrom(98, 99, 101, 102),
    lots: fc.nat({ max: 6 }),
  });
  let between = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 40, size: "max" }), (steps) => {
      const v = open();
      const queues = new Map<number, Queue>([98, 99, 101, 102].map((price) => [price, []]));
      for (const { what, price, lots } of steps) {
        const side = price < 100 ? buy : sell;
        if (what === "level" || what === "ahead") {
          v.do(flow(v, [[HOUSE_STEP[what], price, lots, side]]));
          queues.set(price, changeQueue(queues.get(price)!, HOUSE_STEP[what], lots));
        } else {
          v.do((side === buy ? v.buy : v.sell).call(v, what, `${lots + 1}`, `${price}`));
          queues.get(price)!.push({ who: what, lots: lots + 1 });
        }
      }
      const line = (price: number) =>
        queues.get(price)!.map(({ who, lots }) => `${price < 100 ? "buy" : "sell"} ${lots}@${price} ${who}`);
      expect(v.book()).toEqual([99, 98, 101, 102].flatMap(line));
      for (const queue of queues.values()) {
        if (queue[0]?.who === "house" && queue.filter(({ who }) => who === "house").length > 1) between++;
      }
    }),
    { numRuns: 120 },
  );
  expect(between).toBeGreaterThan(20);
});
