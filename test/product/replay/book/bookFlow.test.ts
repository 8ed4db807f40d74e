import { expect, test } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { BookFlag } from "../../../../src/product/market-data/types.ts";
import { BookFlow } from "../../../../src/product/replay/book/bookFlow.ts";
import { BEHIND, type QueueModel, readQueueModel } from "../../../../src/product/replay/book/queueModel.ts";
import type { Payloads } from "../../../../src/protocol/actions/index.ts";
import type { MarketRow } from "../../../../src/venue/engine/state/schema.ts";
import { addressOf } from "../../../helpers/venue/values.ts";
import { TestVenue } from "../../../helpers/venue.ts";

type Steps = Parameters<TestVenue["do"]>;

/** A venue that a recorded book drives, and accounts that trade in it. One lot is 1, one tick is 1. */
class Stage {
  readonly venue: TestVenue;
  readonly flow: BookFlow;
  #timeMs = 0;

  constructor(model: QueueModel = BEHIND, price = "100") {
    this.flow = new BookFlow(model);
    this.venue = new TestVenue({
      accounts: { alice: "100000000", bob: "100000000" },
      house: { house: "0" },
      prices: { TEST: price },
      markets: { TEST: { positionLimit: "1000000", maxSize: "100000" } },
    });
  }

  /** An update: sizes by price. */
  update(bids: Record<number, number>, asks: Record<number, number> = {}, flags = 0): void {
    this.#timeMs++;
    let own = flags;
    for (const [isBid, levels] of [
      [true, bids],
      [false, asks],
    ] as const) {
      for (const [ticks, lots] of Object.entries(levels)) {
        this.flow.setLevel(isBid, Number(ticks), lots, false, this.#timeMs, 0, own);
        own = flags & BookFlag.snapshot;
      }
    }
    this.flow.endUpdate();
  }

  snapshot(bids: Record<number, number>, asks: Record<number, number>): void {
    this.update(bids, asks, BookFlag.first | BookFlag.snapshot);
  }

  sell(ticks: number, lots: number): void {
    this.flow.print(false, ticks, lots, true);
  }

  buy(ticks: number, lots: number): void {
    this.flow.print(true, ticks, lots, true);
  }

  /** A block of what history did. The book of the venue is then what the flow shows, order by order. */
  history(): ReturnType<TestVenue["do"]> {
    const { venue, flow } = this;
    const steps = flow.takeFlows(true, 0).map((bytes) =>
      venue.act("operator", "houseFlow", {
        market: "TEST",
        account: addressOf("house"),
        subaccount: 0,
        steps: bytes,
      } as Payloads["houseFlow"]),
    );
    const story = venue.do(...steps);
    expect(listLevels(venue.book())).toEqual([
      ...flow.listLevels(true, 1e9).map(({ ticks, lots }) => `buy ${lots}@${ticks}`),
      ...flow.listLevels(false, 1e9).map(({ ticks, lots }) => `sell ${lots}@${ticks}`),
    ]);
    for (const [side, { levels }] of [
      ["buy", flow.others.bid],
      ["sell", flow.others.ask],
    ] as const) {
      for (const { ticks, queue } of levels)
        expect([side, ticks, queueOf(venue.book(), side, ticks)]).toEqual([side, ticks, queue]);
    }
    this.#read();
    return story;
  }

  /** A block of other accounts. */
  own(...steps: Steps): ReturnType<TestVenue["run"]> {
    const story = this.venue.run(...steps);
    this.#read();
    return story;
  }

  #read(): void {
    const { venue, flow } = this;
    flow.read(venue.state, 0 as MarketRow, venue.row("house"), [venue.row("alice"), venue.row("bob")], true);
  }
}

const LINE = /^(buy|sell)r? (\d+)@(\d+) (\S+)$/;

function listLevels(lines: readonly string[]): string[] {
  const found = new Map<string, number>();
  for (const line of lines) {
    const [, side, lots, ticks] = LINE.exec(line)!;
    found.set(`${side} ${ticks}`, (found.get(`${side} ${ticks}`) ?? 0) + Number(lots));
  }
  return [...found].map(([key, lots]) => key.replace(" ", ` ${lots}@`));
}

/** Lots of the queue at a price: those of the house positive, joined where they are next to each other. */
function queueOf(lines: readonly string[], side: string, ticks: number): number[] {
  const queue: number[] = [];
  for (const line of lines) {
    const [, own, lots, at, name] = LINE.exec(line)!;
    if (own !== side || Number(at) !== ticks) continue;
    if (name !== "house") queue.push(-Number(lots));
    else if ((queue.at(-1) ?? 0) > 0) queue.push(queue.pop()! + Number(lots));
    else queue.push(Number(lots));
  }
  return queue;
}

/** Alice bids 2 at 100, after 5 of the recorded book. */
function queued(model?: QueueModel): Stage {
  const stage = new Stage(model);
  stage.snapshot({ 100: 5, 99: 4 }, { 102: 6, 103: 7 });
  stage.history();
  stage.own(stage.venue.buy("alice", "2", "100"));
  return stage;
}

test("an order waits after what was recorded at its price when it came, and before what came later", () => {
  const stage = queued();
  stage.update({ 100: 8 });
  stage.history();
  expect(stage.venue.book().slice(0, 3)).toEqual(["buy 5@100 house", "buy 2@100 alice", "buy 3@100 house"]);
});

test("trades take the queue from its front, and history takes the rest", () => {
  const stage = queued();
  stage.sell(100, 6);
  expect(stage.venue.fills(stage.history())).toEqual(["1@100 alice>house"]);
  // The trade of 6 left nothing of 5: the level is gone.
  stage.update({ 100: 0 });
  stage.history();
  expect(stage.venue.book().slice(0, 2)).toEqual(["buy 1@100 alice", "buy 4@99 house"]);
});

test("a decrease without a trade is behind the order, and before it only where nothing is behind", () => {
  const stage = queued();
  stage.update({ 100: 8 });
  stage.update({ 100: 4 });
  stage.history();
  expect(stage.venue.book().slice(0, 2)).toEqual(["buy 4@100 house", "buy 2@100 alice"]);
});

test("a model splits a decrease between the queue before the order and the queue behind it", () => {
  const stage = queued(readQueueModel("proportional"));
  stage.update({ 100: 8 });
  // Of 6, the 5 lots before the order lose floor(6 x 5 / 8).
  stage.update({ 100: 2 });
  stage.history();
  expect(stage.venue.book().slice(0, 2)).toEqual(["buy 2@100 house", "buy 2@100 alice"]);
  stage.update({ 100: 6 });
  stage.update({ 100: 3 });
  stage.history();
  expect(stage.venue.book().slice(0, 3)).toEqual(["buy 1@100 house", "buy 2@100 alice", "buy 2@100 house"]);
});

test("trade and change of one event count once, in both orders, with an order in the queue", () => {
  const before = queued();
  before.sell(100, 3);
  before.update({ 100: 2 });
  before.history();
  const after = queued();
  after.update({ 100: 2 });
  after.sell(100, 3);
  after.history();
  expect(before.venue.book().slice(0, 2)).toEqual(["buy 2@100 house", "buy 2@100 alice"]);
  expect(after.venue.book()).toEqual(before.venue.book());
});

test("a trade at a worse price fills the order first and leaves stale better levels alone", () => {
  const stage = queued();
  stage.update({ 101: 3 });
  stage.sell(99, 1);
  expect(stage.venue.fills(stage.history())).toEqual(["1@100 alice>house"]);
  expect(stage.venue.book().slice(0, 2)).toEqual(["buy 1@100 alice", "buy 4@99 house"]);
  stage.update({}, { 102: 5 });
  stage.history();
  expect(stage.venue.book().slice(0, 3)).toEqual(["buy 3@101 house", "buy 1@100 alice", "buy 5@100 house"]);
});

test("a recorded ask at or below the order fills it, and what it took of the level is gone until the level is set again", () => {
  const stage = queued();
  stage.update({ 100: 0 }, { 100: 1 });
  expect(stage.venue.fills(stage.history())).toEqual(["1@100 alice>house"]);
  expect(stage.venue.book()).toEqual(["buy 1@100 alice", "buy 4@99 house", "sell 6@102 house", "sell 7@103 house"]);
  stage.update({}, { 103: 8 });
  stage.history();
  stage.update({}, { 100: 4 });
  stage.history();
  expect(stage.venue.book()).toEqual(["buy 4@99 house", "sell 3@100 house", "sell 6@102 house", "sell 8@103 house"]);
});

test("what an account takes of the book is gone until history sets the level again", () => {
  const stage = queued();
  stage.own(stage.venue.buy("bob", "8", "103"));
  stage.update({ 99: 5 });
  stage.history();
  expect(stage.venue.book().slice(-1)).toEqual(["sell 5@103 house"]);
  stage.update({}, { 102: 1 });
  stage.history();
  expect(stage.venue.book().slice(-2)).toEqual(["sell 1@102 house", "sell 5@103 house"]);
});

test("an order larger than the whole book fills what is there and no more, and one beyond the depth stops at its price", () => {
  const stage = queued();
  stage.own(stage.venue.buy("bob", "3", "102", { tif: "IOC" }));
  stage.own(stage.venue.buy("bob", "100", "115", { tif: "IOC" }));
  expect(stage.venue.lots("bob")).toBe(13);
  stage.update({ 98: 1 });
  stage.history();
  expect(stage.flow.listLevels(false, 9)).toEqual([]);
});

test("a snapshot of 1,000 levels is in the venue level by level, in flows of at most 64", () => {
  const stage = new Stage(BEHIND, "1000");
  const levels = (from: number, step: number) =>
    Object.fromEntries(Array.from({ length: 500 }, (_, level) => [from + step * level, level + 1]));
  stage.snapshot(levels(999, -1), levels(1_001, 1));
  const story = stage.history();
  expect(story.outcomes).toHaveLength(Math.ceil(1_000 / 64));
  expect(stage.venue.book()).toHaveLength(1_000);
  // The best price moves by 600 ticks in one update.
  const gone = Object.fromEntries(Array.from({ length: 300 }, (_, level) => [1_001 + level, 0]));
  stage.update({ 1300: 9, 1299: 2 }, gone);
  stage.history();
  expect(stage.flow.listLevels(true, 2)).toEqual([
    { ticks: 1_300, lots: 9 },
    { ticks: 1_299, lots: 2 },
  ]);
  expect(stage.venue.book()).toHaveLength(702);
});

test("drawn updates, trades and orders of others leave the venue's book as the flow shows it, queue by queue", () => {
  for (let seed = 1; seed <= 25; seed++) {
    const random = Random.ofSeed([seed, 42]);
    const stage = new Stage(readQueueModel(random.pick(["behind", "proportional", "power(3)", "log"])), "1000");
    const { venue } = stage;
    let middle = 1_000;
    stage.snapshot({ 998: 5, 997: 5 }, { 1002: 5, 1003: 5 });
    for (let block = 0; block < 60; block++) {
      for (let event = random.below(6); event > 0; event--) {
        if (random.chance(1, 4)) middle += random.between(-3, 3);
        if (random.chance(1, 2)) {
          const at = middle + random.between(-3, 3);
          if (random.chance(1, 2)) stage.buy(at, random.between(1, 9));
          else stage.sell(at, random.between(1, 9));
          continue;
        }
        const rows = { bid: {} as Record<number, number>, ask: {} as Record<number, number> };
        for (let row = random.between(1, 5); row > 0; row--) {
          const isBid = random.chance(1, 2);
          const away = random.between(random.chance(1, 6) ? -1 : 1, 5);
          rows[isBid ? "bid" : "ask"][isBid ? middle - away : middle + away] = random.chance(1, 3)
            ? 0
            : random.between(1, 9);
        }
        if (random.chance(1, 15)) stage.snapshot(rows.bid, rows.ask);
        else stage.update(rows.bid, rows.ask);
      }
      stage.history();
      const steps: Steps = [];
      for (let order = random.below(3); order > 0; order--) {
        const name = random.pick(["alice", "bob"]);
        const price = `${middle + random.between(-5, 5)}`;
        if (random.chance(1, 6)) {
          const cancels = venue.state.orders;
          if (cancels !== undefined) steps.push(venue.act(name, "cancelAll", { market: "TEST" } as never));
        } else if (random.chance(1, 2)) steps.push(venue.buy(name, `${random.between(1, 6)}`, price));
        else steps.push(venue.sell(name, `${random.between(1, 6)}`, price));
      }
      if (steps.length > 0) stage.own(...steps);
    }
  }
});
