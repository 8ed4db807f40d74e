import { describe, expect, test } from "vitest";
import { NONE } from "../../../../src/ground/collections/table.ts";
import { isParameterFault } from "../../../../src/protocol/parameterFault.ts";
import type { ParameterTexts } from "../../../../src/protocol/parameters.ts";
import { readMarketParameters } from "../../../../src/protocol/readParameters.ts";
import { readImage, writeImage } from "../../../../src/venue/engine/commitment/image.ts";
import { readSnapshot, writeSnapshot } from "../../../../src/venue/engine/commitment/snapshot.ts";
import { TestVenue } from "../../../helpers/venue.ts";

const DAY = 86_400_000;
const TIERS = {
  takerFee: "0.001",
  makerFee: "0.0005",
  feeTier1: "1000 0.0005 0.0002",
  feeTier2: "2000 0.0002 -0.0004",
};

/** Two markets, only the first with tiers, on the first millisecond of a UTC day. */
function open(texts: ParameterTexts = TIERS): TestVenue {
  const v = new TestVenue({
    markets: { TEST: texts, MORE: {} },
    accounts: { alice: "100000", "alice/1": "100000", bob: "100000", carol: "100000" },
    house: { house: "0" },
    prices: { TEST: "100", MORE: "100" },
    genesis: { timeMs: 20_000 * DAY - 1_000_000 },
  });
  v.runAt(20_000 * DAY);
  return v;
}

/** Bob makes, the named account takes: fees of the fill, "taker maker" in quote units. */
function fees(v: TestVenue, who: string, lots = "1", market = "TEST", maker = "bob"): string {
  const story = v.do(v.sell(maker, lots, "100", { market }), v.buy(who, lots, "100", { market, tif: "IOC" }));
  return story
    .of("fill")
    .map(({ takerFee, makerFee }) => `${takerFee} ${makerFee}`)
    .join();
}

const past = (v: TestVenue, name: string) => v.state.owners.volumePast[v.state.accounts.owner[v.row(name)]!]! / 1e6;

describe("a fee tier", () => {
  test("holds from its volume on, at the next UTC midnight and not before", () => {
    const v = open();
    expect(fees(v, "alice", "10")).toBe("1000000 500000");
    expect(fees(v, "carol", "1")).toBe("100000 50000");
    v.runAt(20_001 * DAY - 1);
    expect(past(v, "alice")).toBe(0);
    v.runAt(20_001 * DAY);
    expect([past(v, "alice"), past(v, "bob"), past(v, "carol")]).toEqual([1000, 1100, 100]);
    expect(fees(v, "alice")).toBe("50000 20000");
    expect(fees(v, "carol")).toBe("100000 20000");
  });

  test("counts all subaccounts and all markets of an owner, and applies to each of them", () => {
    const v = open();
    fees(v, "alice", "5", "MORE");
    fees(v, "alice/1", "5");
    v.runAt(20_001 * DAY);
    expect(past(v, "alice/1")).toBe(1000);
    expect(fees(v, "alice/1")).toBe("50000 20000");
  });

  test("counts thirty days, and forgets them after", () => {
    const v = open();
    fees(v, "alice", "10");
    v.runAt(20_030 * DAY);
    expect(past(v, "alice")).toBe(1000);
    const story = v.runAt(20_031 * DAY);
    expect(past(v, "alice")).toBe(0);
    expect(story.of("volumesForgotten")).toMatchObject([{ day: 20_001 }]);
    expect(v.state.volumes.rows.count).toBe(0);
  });

  test("with a rebate pays no more than the taker of the match pays", () => {
    const v = open();
    fees(v, "alice", "20");
    v.runAt(20_001 * DAY);
    // Bob is owed 0.0004, alice pays 0.0002, carol 0.001.
    expect(fees(v, "alice")).toBe("20000 -20000");
    expect(fees(v, "carol")).toBe("100000 -40000");
  });

  test("sets the fee in an order's cost by its account", () => {
    const v = open();
    fees(v, "alice", "20");
    v.runAt(20_001 * DAY);
    v.do(v.buy("alice", "1", "99"), v.buy("carol", "1", "99"));
    const orderCostOf = (name: string) => v.state.positions.buyOrderCost[v.positionRow(name)]!;
    expect([orderCostOf("alice"), orderCostOf("carol")]).toEqual([99 * 200, 99 * 1000]);
  });
});

test("neither the house nor an owner's own subaccounts add volume", () => {
  const v = open();
  fees(v, "alice", "3", "TEST", "house");
  fees(v, "alice", "5", "TEST", "alice/1");
  v.runAt(20_001 * DAY);
  expect([past(v, "alice"), past(v, "house")]).toEqual([300, 0]);
});

test("without tiers nothing is counted, and with their first update it begins", () => {
  const v = open({});
  fees(v, "alice", "10");
  expect(v.state.volumes.rows.count).toBe(0);
  v.do(v.update({ feeTier1: "100 0 0" }));
  fees(v, "alice", "2");
  expect(v.state.volumes.rows.count).toBe(2);
  v.do(v.update({ feeTier1: "" }));
  const row = v.state.owners.volume[v.state.accounts.owner[v.row("alice")]!]!;
  expect(row).not.toBe(NONE);
  fees(v, "alice", "2");
  expect(v.state.volumes.volume[row]).toBe(200e6);
});

test("volumes survive image and snapshot", () => {
  const v = open();
  fees(v, "alice", "10");
  v.runAt(20_001 * DAY);
  fees(v, "alice", "3");
  for (const state of [readImage(writeImage(v.state)), readSnapshot(writeSnapshot(v.state))]) {
    const other = open();
    other.state = state;
    expect(fees(other, "alice")).toBe("50000 20000");
    other.runAt(20_002 * DAY);
    expect(past(other, "alice")).toBe(1400);
  }
});

test("a batch that fails adds no volume", () => {
  const v = open();
  v.do(v.sell("bob", "2", "100"));
  const before = writeImage(v.state).length;
  expect(v.try(v.batch("alice", "all", v.buy("", "1", "100"), v.buy("", "5", "100", { tif: "FOK" })))).toBe(
    "ORDER_KILLED",
  );
  expect(v.state.volumes.rows.count).toBe(0);
  expect(writeImage(v.state).length).toBeGreaterThanOrEqual(before);
});

test.each([
  ["three parts", { feeTier1: "1000 0.0005" }, "feeTier1"],
  ["rising volumes", { feeTier1: "1000 0 0", feeTier2: "1000 0 0" }, "feeTier2"],
  ["a volume above zero", { feeTier1: "0 0 0" }, "feeTier1"],
  ["no gap", { feeTier2: "1000 0 0" }, "feeTier2"],
  ["a fee below one", { feeTier1: "1000 1 0" }, "feeTier1"],
  ["a taker fee that is not negative", { feeTier1: "1000 -0.1 0" }, "feeTier1"],
])("fee tiers have %s", (_name, texts, parameter) => {
  const read = readMarketParameters("minimal", texts);
  expect(isParameterFault(read) && read.parameter).toBe(parameter);
});
