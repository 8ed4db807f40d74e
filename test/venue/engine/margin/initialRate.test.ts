/** The initial rate rises with open interest (MRG-1). */
import { expect, test } from "vitest";
import { TestVenue } from "../../../helpers/venue.ts";

const SCALED = { openInterestLower: "1000", openInterestUpper: "2000" };
const open = () =>
  new TestVenue({
    markets: { TEST: SCALED },
    accounts: { alice: "10000", bob: "10000", carol: "10000" },
    prices: { TEST: "100" },
  });

test("it is fixed while a block's users trade, and rises from the next block on", () => {
  const v = open();
  v.do(v.sell("bob", "15", "100"), v.buy("alice", "15", "100"));
  expect(v.health("alice").initial).toBe(150e6);
  const story = v.run();
  expect(story.of("initialRateChanged").map(({ rate }) => rate)).toEqual([550_000]);
  expect([v.health("alice").initial, v.health("alice").maintenance]).toEqual([825e6, 75e6]);
  v.run();
  expect(v.health("alice").initial).toBe(825e6);
  v.do(v.sell("alice", "15", "100"), v.buy("bob", "15", "100"));
  expect(
    v
      .run()
      .of("initialRateChanged")
      .map(({ rate }) => rate),
  ).toEqual([0]);
});

test("an order needs it, to the unit", () => {
  for (const [balance, outcome] of [
    ["54.999999", "INSUFFICIENT_MARGIN"],
    ["55", "applied"],
    ["55.000001", "applied"],
  ] as const) {
    const v = new TestVenue({
      markets: { TEST: SCALED },
      accounts: { alice: "10000", bob: "10000", carol: balance },
      prices: { TEST: "100" },
    });
    v.do(v.sell("bob", "15", "100"), v.buy("alice", "15", "100"));
    expect(v.try(v.buy("carol", "1", "100"))).toBe(outcome);
  }
});

test("no account is liquidated because of it", () => {
  const v = open();
  v.do(v.withdraw("alice", "9800"));
  v.do(v.sell("bob", "19", "100"), v.buy("alice", "19", "100"));
  v.run();
  expect(v.run().of("liquidationStarted")).toEqual([]);
  expect(v.lots("alice")).toBe(19);
});

test("bounds that do not rise are refused", () => {
  for (const upper of ["999", "1000"]) {
    const v = open();
    expect(v.try(v.update({ openInterestUpper: upper }))).toBe("PARAMETER_INVALID");
  }
  const v = open();
  v.do(v.update({ openInterestUpper: "1000.000001" }), v.update({ openInterestUpper: "0" }));
});
