/** Faults that generated flows and reviews of the engine found, each as the shortest story that shows it. */
import { describe, expect, test } from "vitest";
import { Watch } from "../../../src/proof/invariants/machinery/watching/watch.ts";
import { HOUSE_STEP } from "../../../src/protocol/houseSteps.ts";
import { SIDE } from "../../../src/protocol/words.ts";
import { applyBlock } from "../../../src/venue/engine/applyBlock.ts";
import { getHead } from "../../../src/venue/engine/commitment/root.ts";
import { readSnapshot, writeSnapshot } from "../../../src/venue/engine/commitment/snapshot.ts";
import { readEvents } from "../../../src/venue/engine/events/readEvents.ts";
import { getPool } from "../../../src/venue/engine/funding/pool.ts";
import { measure } from "../../../src/venue/engine/margin/health.ts";
import { addressOf } from "../../helpers/venue/values.ts";
import { TestVenue } from "../../helpers/venue.ts";

/** The same steps on a venue and on its twin, restored from a snapshot just before them. */
function runTwice(venue: TestVenue, steps: Parameters<TestVenue["run"]>): { outcomes: unknown[]; heads: string[] } {
  const bytes = writeSnapshot(venue.state).slice();
  const first = venue.run(...steps);
  const head = getHead(venue.state);
  venue.state = readSnapshot(bytes);
  const second = venue.run(...steps);
  return { outcomes: [first.outcomes, second.outcomes], heads: [head, getHead(venue.state)] };
}

function houseFlow(venue: TestVenue, ...steps: number[]) {
  return venue.act("operator", "houseFlow", {
    market: "TEST",
    account: addressOf("house"),
    subaccount: 0,
    steps: new Uint8Array(Float64Array.from(steps).buffer),
  });
}

// A position row with orders but no size kept its first funding index, and its first fill settled 0.
test("an order that rested through funding fills the same after a restore", () => {
  const venue = new TestVenue({
    markets: { TEST: { fundingMethod: "reported" } },
    accounts: { alice: "1000", bob: "1000" },
    prices: { TEST: "100" },
  });
  venue.run(venue.buy("alice", "1", "100"));
  venue.run(venue.price("100", { funding: "0.001" }));
  const { heads } = runTwice(venue, [venue.sell("bob", "1", "100")]);
  expect(heads[1]).toBe(heads[0]);
});

// The price bands of a settling market were not computed again after a parameter change, but were after a restore.
describe("a market that is being settled", () => {
  test("has the band of its present parameters, restored or not", () => {
    const venue = new TestVenue({ accounts: { alice: "10000" }, prices: { TEST: "100" } });
    venue.run(venue.buy("alice", "5", "90"));
    const order = venue.state.orders.id[0 as never];
    venue.run(venue.update({ status: "settling", priceBand: "0.05" }));
    const { outcomes, heads } = runTwice(venue, [venue.amend("alice", order!, { size: "2" })]);
    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(heads[1]).toBe(heads[0]);
  });
});

// Names that every JavaScript object has were taken for parameters and presets.
describe("names that every object has are no names of", () => {
  const venue = new TestVenue({});

  test.each(["constructor", "toString", "__proto__"])("parameters: %s", (name) => {
    expect(venue.run(venue.update({ [name]: "1" })).outcomes).toEqual(["PARAMETER_INVALID"]);
  });

  test.each(["constructor", "toString", "__proto__"])("presets: %s", (preset) => {
    expect(venue.run(venue.create("NEW", preset)).outcomes).toEqual(["PARAMETER_INVALID"]);
  });
});

// The house is exempt from margin, which bounds the orders of others: its sums of resting lots exceeded the exact
// range.
describe("what the house rests stays storable", () => {
  const open = () => new TestVenue({ house: { house: "0" }, prices: { TEST: "100" } });

  test("by replayed history", () => {
    const venue = open();
    const steps = (...sizes: number[]) =>
      houseFlow(venue, ...sizes.flatMap((size) => [HOUSE_STEP.rest, 5, size, SIDE.buy]));
    expect(venue.try(steps(3e15, 3e15))).toBe("NUMERIC_LIMIT");
    expect(venue.try(steps(3e15))).toBe("applied");
    expect(venue.try(steps(3e15))).toBe("NUMERIC_LIMIT");
    expect(venue.try(steps(1))).toBe("applied");
  });

  test("by orders of its own", () => {
    // A lot at the least price is worth one quote unit: value alone allows 2.25e15 lots an order.
    const venue = new TestVenue({
      markets: { TEST: { tickSize: "100", lotSize: "0.00000001", minSize: "0.00000001" } },
      house: { house: "0" },
      prices: { TEST: "100" },
    });
    const order = venue.buy("house", "20000000", "100");
    expect([venue.try(order), venue.try(order), venue.try(order)]).toEqual(["applied", "applied", "NUMERIC_LIMIT"]);
    const first = venue.state.orders.id[0 as never]!;
    expect(venue.try(venue.amend("house", first, { size: "22500000" }))).toBe("applied");
    expect(venue.try(venue.amend("house", first, { size: "25100000" }))).toBe("NUMERIC_LIMIT");
  });
});

// A sale at a loss was checked against the side of sales alone, while its loss is also missing for resting purchases.
test("an order that takes leaves enough for orders resting on the other side", () => {
  const venue = new TestVenue({
    accounts: { alice: "2000", bob: "100000" },
    prices: { TEST: "100" },
  });
  venue.do(venue.sell("bob", "100", "100"));
  venue.do(venue.buy("alice", "100", "100"));
  venue.do(venue.buy("alice", "100", "80"), venue.buy("bob", "50", "81"));
  // Long 100 and bids for 100 require 2,000. Selling 50 at 81 loses 950 and leaves 150 at risk, which require 1,500.
  expect(venue.try(venue.sell("alice", "50", "81"))).toBe("INSUFFICIENT_MARGIN");
  // Losing 50 to keep 145 at risk is acceptable only with fewer bids.
  venue.do(venue.cancelAll("alice"));
  expect(venue.try(venue.sell("alice", "50", "81"))).toBe("applied");
});

// The house's ladder took a reduce-only order of the house for a quote, and enlarged it beyond the position.
test("a ladder of the house leaves its reduce-only orders alone", () => {
  const venue = new TestVenue({ accounts: { bob: "100000" }, house: { house: "0" }, prices: { TEST: "100" } });
  venue.do(venue.sell("bob", "5", "100"));
  venue.do(venue.buy("house", "5", "100"));
  const order = venue.place(venue.sell("house", "3", "120", { reduceOnly: true }));
  venue.do(houseFlow(venue, HOUSE_STEP.quote, 110, 50, SIDE.sell));
  expect(venue.lots("house")).toBe(5);
  const { orders, orderIndex } = venue.state;
  const row = orderIndex.find(orders, order);
  expect([orders.price[row], orders.remaining[row]]).toEqual([120, 3]);
});

// House flow comes before a block's expiries, and traded with orders beyond their last height.
test("recorded history does not trade with an order beyond its last height", () => {
  const venue = new TestVenue({ accounts: { alice: "10000" }, house: { house: "0" }, prices: { TEST: "100" } });
  const height = venue.state.height + 1;
  venue.run(venue.buy("alice", "2", "100", { tif: "GTT", height }));
  const result = venue.do(houseFlow(venue, HOUSE_STEP.rest, 100, 1, SIDE.sell));
  expect(result.of("fill")).toEqual([]);
  expect(result.of("orderCancelled")).toHaveLength(1);
  expect(venue.state.orders.rows.count).toBe(1);
});

// A watch that began between the settlements and the last close did not know the dust that the pool had kept.
test("a watch that begins late knows the rounding remainder in a pool", () => {
  const venue = new TestVenue({ accounts: { alice: "1000", bob: "1000" }, prices: { TEST: "100" } });
  const trade = () => [venue.sell("bob", "1", "100"), venue.buy("alice", "1", "100")];
  venue.do(...trade());
  venue.do(venue.price("100", { funding: "0.000000001" }));
  venue.do(...trade());
  const { state } = venue;
  expect(getPool(state, venue.marketRow())).toBe(1n);
  const watch = new Watch(state);
  const closing = [venue.sell("alice", "2", "100"), venue.buy("bob", "2", "100")];
  const block = { height: state.height + 1, timeMs: state.timeMs + 1000, transactions: venue.toTransactions(closing) };
  expect(watch.check(state, block, applyBlock(state, block, watch.probe))).toEqual([]);
  expect(state.markets.dust[venue.marketRow()]).toBe(1);
});

// A side of resting orders worth more than the storable range was NaN, and the other side's margin counted for both.
test.each(["buy", "sell"] as const)("orders resting to %s stay within the storable range", (side) => {
  const venue = new TestVenue({
    markets: { TEST: { maxSize: "22500000", positionLimit: "22500000", openInterestLimit: "22500000" } },
    accounts: { alice: "2250000000" },
  });
  venue.do(venue.price("100"));
  const outcomes = [1, 2, 3, 4, 5].map(() => venue.try(venue[side]("alice", "22500000", "100")));
  expect(outcomes).toEqual(["applied", "applied", "applied", "applied", "NUMERIC_LIMIT"]);
  expect(venue.health("alice").initial).toBe(9e14);
});

test("and so do orders in an isolated market", () => {
  const venue = new TestVenue({
    markets: { TEST: { maxSize: "22500000", positionLimit: "22500000", openInterestLimit: "22500000" } },
    accounts: { alice: "2250000000" },
  });
  venue.do(venue.price("100"));
  venue.do(venue.mode("alice", "isolated"));
  const outcomes = [1, 2, 3, 4, 5].map(() => venue.try(venue.buy("alice", "22500000", "100")));
  expect(outcomes).toEqual(["applied", "applied", "applied", "applied", "NUMERIC_LIMIT"]);
});

/** The findings of a watch of everything for one block. */
function watchBlock(venue: TestVenue, ...steps: Parameters<TestVenue["run"]>) {
  const { state } = venue;
  const watch = new Watch(state, { sweepEvery: 1, heavyEvery: 1 });
  const block = { height: state.height + 1, timeMs: state.timeMs + 1000, transactions: venue.toTransactions(steps) };
  const result = applyBlock(state, block, watch.probe);
  const events = readEvents(result.events, result.from, result.to);
  return { result, events, violations: watch.check(state, block, result) };
}

// An amended order rests again, and was counted as one too many after the limit had been lowered below the resting
// count.
test("an amended order is not counted twice, also above a limit that was lowered", () => {
  const venue = new TestVenue({ accounts: { alice: "10000" }, prices: { TEST: "100" } });
  const first = venue.place(venue.buy("alice", "1", "90"));
  venue.do(venue.buy("alice", "1", "91"), venue.buy("alice", "1", "92"));
  venue.do(venue.update({ openOrdersMax: "2" }));
  const { result, violations } = watchBlock(
    venue,
    venue.amend("alice", first, { price: "93" }),
    venue.buy("alice", "1", "94"),
  );
  expect([result.receipts.status(0), result.receipts.status(1)]).toEqual(["applied", "rejected"]);
  expect(violations).toEqual([]);
  expect(venue.state.orders.rows.count).toBe(3);
});

// Hyperliquid's deleveraging is at the mark of the block before: if the mark recovers, that is worse than now. The
// margin account keeps a position in a market whose liquidations pause, so its debt is not covered.
test("deleveraging at the mark of the block before may lower negative equity, by that difference at most", () => {
  const venue = new TestVenue({
    markets: { TEST: { liquidationPolicy: "hyperliquid" }, OTHER: { pauseLiquidate: "on" } },
    accounts: { alice: "150", bob: "10000" },
    prices: { TEST: "100", OTHER: "100" },
  });
  const other = { market: "OTHER" };
  venue.do(venue.sell("bob", "10", "100"), venue.buy("alice", "10", "100"));
  venue.do(venue.sell("bob", "1", "100", other), venue.buy("alice", "1", "100", other));
  venue.do(venue.price("80"), venue.update({ pauseLiquidate: "on" }));
  const { result, events, violations } = watchBlock(venue, venue.price("81"), venue.update({ pauseLiquidate: "off" }));
  expect(violations).toEqual([]);
  expect(events).toContainEqual(expect.objectContaining({ kind: "liquidationStarted", equity: -40e6 }));
  expect([result.receipts.status(0), venue.lots("alice"), venue.lots("alice", "OTHER")]).toEqual(["applied", 0, 1]);
  expect(measure(venue.state, venue.row("alice")).equity).toBe(-50e6);
});

// A liquidation step may trade with an account that is next in the queue, and restore it. That account is queued all
// the same, since the queue is fixed when the pass begins.
test("an account restored by another's liquidation while it waits is queued with a reason", () => {
  const venue = new TestVenue({
    markets: { TEST: {}, OTHER: {} },
    accounts: { alice: "100", bob: "250", carol: "10000" },
    prices: { TEST: "100", OTHER: "100" },
    genesis: { liquidationsMax: 1 },
  });
  const other = { market: "OTHER" };
  venue.do(venue.sell("bob", "10", "100"), venue.buy("alice", "10", "100"));
  venue.do(venue.sell("carol", "10", "100", other), venue.buy("bob", "10", "100", other));
  venue.do(venue.buy("bob", "10", "91"));
  // Alice has 10 of 45.5. Bob has 40 of 80.5; without his short, which alice's sale closes, 35 are enough.
  const { events, violations } = watchBlock(venue, venue.price("91"), venue.price("70", other));
  expect(violations).toEqual([]);
  const [alice, bob] = [venue.row("alice"), venue.row("bob")];
  expect(events).toContainEqual(expect.objectContaining({ kind: "fill", takerAccount: alice, makerAccount: bob }));
  expect(events).toContainEqual(expect.objectContaining({ kind: "liquidationQueued", account: bob }));
  expect(measure(venue.state, bob)).toMatchObject({ equity: 40e6, maintenance: 35e6 });
});

// A fill that closes a subaccount's position is checked against its owner's cap (ORD-5, ADR 21), right after another
// filled up to it.
test("one subaccount that fills up to the cap and another that closes leave the owner at it", () => {
  const venue = new TestVenue({
    markets: { TEST: { positionLimit: "10" } },
    accounts: { alice: "1000", "alice/1": "1000", bob: "1000", carol: "1000" },
    prices: { TEST: "100" },
  });
  venue.do(venue.sell("bob", "10", "100"), venue.buy("alice", "10", "100"));
  venue.do(venue.buy("carol", "5", "100"), venue.sell("alice/1", "5", "100"));
  venue.do(venue.buy("alice", "5", "100"), venue.buy("alice/1", "5", "99"));
  const { violations } = watchBlock(venue, venue.sell("carol", "10", "99"));
  expect(violations).toEqual([]);
  expect([venue.lots("alice"), venue.lots("alice/1")]).toEqual([15, -5]);
});
