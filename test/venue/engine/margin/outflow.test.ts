import { describe, expect, test } from "vitest";
import { parseDecimal } from "../../../../src/ground/math/decimal.ts";
import { isEngineError } from "../../../../src/protocol/engineError.ts";
import { createGenesis, NO_OUTFLOW_GATES, type Outflow } from "../../../../src/protocol/genesis.ts";
import { readCanonical, writeCanonical } from "../../../../src/venue/engine/commitment/canonical.ts";
import { readImage, writeImage } from "../../../../src/venue/engine/commitment/image.ts";
import { createVenue } from "../../../../src/venue/engine/genesis.ts";
import { forkState } from "../../../../src/venue/engine/state/forkState.ts";
import type { State } from "../../../../src/venue/engine/state/state.ts";
import type { Outcome } from "../../../helpers/venue/story.ts";
import { TestVenue } from "../../../helpers/venue.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Alice and the house have 1,000 each, nothing else is in the venue. */
const open = (outflow: Partial<Outflow>, timeMs = 0) =>
  new TestVenue({
    accounts: { alice: "1000", "alice/1": "0" },
    house: { house: "1000" },
    prices: { TEST: "100" },
    genesis: { timeMs, outflow: { ...NO_OUTFLOW_GATES, ...outflow } },
  });

describe("a cap of an hour or a day", () => {
  test.each<[string, Partial<Outflow>, string, Outcome]>([
    ["amount", { hourly: { amount: "10" } }, "9.999999", "applied"],
    ["amount", { hourly: { amount: "10" } }, "10", "applied"],
    ["amount", { hourly: { amount: "10" } }, "10.000001", "OUTFLOW_LIMIT"],
    ["share of what the venue holds", { daily: { share: "0.01" } }, "20", "applied"],
    ["share of what the venue holds", { daily: { share: "0.01" } }, "20.000001", "OUTFLOW_LIMIT"],
    ["greater of both", { hourly: { amount: "10", share: "0.01" } }, "20", "applied"],
    ["greater of both", { hourly: { amount: "10", share: "0.01" } }, "20.000001", "OUTFLOW_LIMIT"],
    ["greater of both", { hourly: { amount: "30", share: "0.01" } }, "30", "applied"],
    ["greater of both", { hourly: { amount: "30", share: "0.01" } }, "30.000001", "OUTFLOW_LIMIT"],
    ["cap of 0 for none", { hourly: { amount: "0", share: "0" }, daily: {} }, "1000", "applied"],
    ["unit", { hourly: { amount: "0.000001" } }, "0.000001", "applied"],
    ["unit", { hourly: { amount: "0.000001" } }, "0.000002", "OUTFLOW_LIMIT"],
  ])("is its %s: %o, %s is %s", (_what, outflow, amount, outcome) => {
    const v = open(outflow);
    expect(v.try(v.withdraw("alice", amount))).toBe(outcome);
  });

  test("rounds its share down", () => {
    // A millionth of 2,000.9 is 0.0020009, of which the venue's unit leaves 0.002.
    const v = open({ hourly: { share: "0.000001" } });
    v.runAt(1500, v.deposit("alice", "0.9"));
    const story = v.runAt(HOUR_MS, v.withdraw("alice", "0.002001"), v.withdraw("alice", "0.002"));
    expect(story.outcomes).toEqual(["OUTFLOW_LIMIT", "applied"]);
  });

  test("is of all withdrawals together, in one block or several; those refused use nothing of it", () => {
    const v = open({ hourly: { amount: "10" } });
    const story = v.run(
      v.withdraw("alice", "6"),
      v.withdraw("house", "4.000001"),
      v.withdraw("alice", "2000"),
      v.withdraw("house", "3"),
    );
    expect(story.outcomes).toEqual(["applied", "OUTFLOW_LIMIT", "INSUFFICIENT_FREE_COLLATERAL", "applied"]);
    expect(v.try(v.withdraw("house", "1.000001"))).toBe("OUTFLOW_LIMIT");
    expect(v.try(v.withdraw("house", "1"))).toBe("applied");
    const last = v.run(v.withdraw("alice", "0.000001"));
    expect(last.receipts[0]).toMatchObject({ numbers: { amount: 1, left: 0, window: "hour" } });
  });

  test("does not limit transfers, nor of collateral for isolated positions", () => {
    const v = open({ hourly: { amount: "1" }, daily: { amount: "1" } });
    v.do(v.transfer("alice", "alice/1", "900"), v.transfer("alice/1", "house", "800"));
  });

  test("names the window with the smaller rest, or the hour if both are equal", () => {
    const numbers = (hour: string, day: string) => {
      const v = open({ hourly: { amount: hour }, daily: { amount: day } });
      v.do(v.withdraw("alice", "1"));
      return v.run(v.withdraw("alice", "500")).receipts[0]!.numbers;
    };
    expect(numbers("10", "100")).toEqual({ amount: 500e6, left: 9e6, window: "hour" });
    expect(numbers("100", "10")).toEqual({ amount: 500e6, left: 9e6, window: "day" });
    expect(numbers("10", "10")).toEqual({ amount: 500e6, left: 9e6, window: "hour" });
  });
});

describe("windows are whole UTC hours and days of block time", () => {
  test.each([
    ["hourly", HOUR_MS, "hour"],
    ["daily", DAY_MS, "day"],
  ] as const)("%s", (name, length, window) => {
    const start = 20_000 * DAY_MS + 5 * length;
    const v = open({ [name]: { amount: "10" } }, start + length - 5000);
    v.runAt(start + length - 2, v.withdraw("alice", "10"));
    const story = v.runAt(start + length - 1, v.withdraw("alice", "0.000001"));
    expect(story.receipts[0]).toMatchObject({ code: "OUTFLOW_LIMIT", numbers: { left: 0, window } });
    expect(story.of("outflowOpened")).toEqual([]);
    const next = v.runAt(start + length, v.withdraw("alice", "10"), v.withdraw("alice", "0.000001"));
    expect(next.of("outflowOpened")).toMatchObject([{ startMs: start + length, baseHigh: 0, baseLow: 1_990_000_000 }]);
    expect(next.outcomes).toEqual(["applied", "OUTFLOW_LIMIT"]);
    // Several windows later: one begins, at its own hour.
    const later = v.runAt(start + 4 * length + 7, v.withdraw("alice", "10"));
    expect(later.of("outflowOpened")).toMatchObject([{ startMs: start + 4 * length, baseLow: 1_980_000_000 }]);
  });

  test("an hour that begins leaves the day as it is", () => {
    const v = open({ hourly: { amount: "10" }, daily: { amount: "15" } });
    v.do(v.withdraw("alice", "10"));
    const story = v.runAt(HOUR_MS, v.withdraw("alice", "5.000001"), v.withdraw("alice", "5"));
    expect(story.outcomes).toEqual(["OUTFLOW_LIMIT", "applied"]);
    expect(v.runAt(DAY_MS, v.withdraw("alice", "10")).outcomes).toEqual(["applied"]);
  });

  test("the share is of the collateral at the start of the window; later deposits and withdrawals do not change it", () => {
    const v = open({ hourly: { share: "0.01" } });
    v.do(v.deposit("alice", "1000000"));
    v.do(v.withdraw("alice", "10"));
    expect(v.try(v.withdraw("alice", "10.000001"))).toBe("OUTFLOW_LIMIT");
    expect(v.try(v.withdraw("alice", "10"))).toBe("applied");
    // Deposits of the block that begins a window come after its beginning.
    const story = v.runAt(HOUR_MS, v.deposit("alice", "1000000"), v.withdraw("alice", "10019.800001"));
    expect(story.outcomes).toEqual(["applied", "OUTFLOW_LIMIT"]);
    expect(v.try(v.withdraw("alice", "10019.8"))).toBe("applied");
  });

  test("nothing is written where there is no cap", () => {
    const v = open({ deficitBlocks: 50 });
    expect(v.runAt(DAY_MS, v.withdraw("alice", "10")).of("outflowOpened")).toEqual([]);
    expect(v.state.outflow.windows.map(({ startMs, used }) => [startMs, used])).toEqual([
      [-1, 0n],
      [-1, 0n],
    ]);
  });
});

/**
 * Alice, or alice and erin, are long against bob, who has lost so much elsewhere that he cannot close at their
 * bankruptcy price: at 85 they are closed at the mark with a deficit of 50 in all.
 */
const cornered = (fund: string, outflow: Partial<Outflow>, longs: readonly string[] = ["alice"]) => {
  const v = new TestVenue({
    markets: { TEST: {}, MORE: { tickSize: "0.01" } },
    accounts: {
      ...Object.fromEntries(longs.map((name) => [name, `${100 / longs.length}`])),
      bob: "200",
      dave: "100000",
    },
    prices: { TEST: "100", MORE: "10" },
    insurance: fund,
    genesis: { outflow: { ...NO_OUTFLOW_GATES, deficitBlocks: 3, ...outflow } },
  });
  const more = { market: "MORE" };
  for (const name of longs) {
    const lots = `${10 / longs.length}`;
    v.do(v.sell("bob", lots, "100"), v.buy(name, lots, "100"));
  }
  v.do(v.sell("dave", "100", "10", more), v.buy("bob", "100", "10", more));
  return v;
};
const crash = (v: TestVenue, ...steps: Parameters<TestVenue["run"]>) =>
  v.run(v.price("85"), v.price("7.35", { market: "MORE" }), ...steps);

describe("a deficit that its own pass did not cover pauses withdrawals", () => {
  test.each([
    ["50", "0", 0],
    ["49.999999", "0", 1],
    ["49.999999", "0.000001", 0],
    ["45", "5.000001", 0],
    ["45", "5", 0],
    ["45", "4.999999", 1],
    ["0", "50", 0],
    ["0", "49.999999", 1],
    ["0", "0", 1],
  ])("a fund of %s and a threshold of %s: %i pauses", (fund, deficitThreshold, pauses) => {
    const v = cornered(fund, { deficitThreshold });
    const story = crash(v, v.withdraw("dave", "1"));
    expect(story.of("withdrawalsPaused")).toHaveLength(pauses);
    expect(story.outcomes[2]).toBe(pauses === 1 ? "WITHDRAWALS_PAUSED" : "applied");
  });

  test("shared and booked losses count alike", () => {
    const story = crash(cornered("0", {}));
    const shared = story.of("lossSocialized").reduce((sum, { amount }) => sum + amount, 0);
    const booked = story.of("badDebtChanged").reduce((sum, { delta }) => sum + delta, 0);
    expect([shared, booked]).toEqual([48_250_000, 1_750_000]);
  });

  test.each([
    ["50", 0],
    ["49.999999", 1],
    ["25", 1],
  ])("deficits of several accounts of one pass count together: threshold %s", (deficitThreshold, pauses) => {
    const v = cornered("0", { deficitThreshold }, ["alice", "erin"]);
    // 25 each. Bob keeps 80 of 79, and gives what he has above maintenance: 22.25, then 21.25.
    const story = v.do(v.price("85"), v.price("7.3", { market: "MORE" }));
    expect(story.of("badDebtChanged").map(({ delta }) => delta)).toEqual([2_750_000, 3_750_000]);
    expect(story.of("withdrawalsPaused")).toHaveLength(pauses);
  });

  test("in the rest of the block and in as many blocks after it as genesis says, for every role", () => {
    const v = cornered("0", { deficitBlocks: 2 });
    const untilHeight = v.state.height + 3;
    const story = crash(v, v.withdraw("dave", "1"));
    expect(story.of("withdrawalsPaused")).toMatchObject([{ untilHeight }]);
    expect(story.receipts[2]).toMatchObject({ code: "WITHDRAWALS_PAUSED", numbers: { untilHeight } });
    const tries = [1, 2, 3].map(() => v.try(v.withdraw("dave", "1")));
    expect(tries).toEqual(["WITHDRAWALS_PAUSED", "WITHDRAWALS_PAUSED", "applied"]);
  });

  test("transfers and deposits continue, and a lack of free collateral is reported first", () => {
    const v = cornered("0", {});
    crash(v);
    v.do(v.deposit("bob", "5"), v.transfer("dave", "erin", "5"));
    expect(v.try(v.withdraw("dave", "200000"))).toBe("INSUFFICIENT_FREE_COLLATERAL");
  });

  test("the pause is reported before a cap", () => {
    const v = cornered("0", { hourly: { amount: "1" } });
    expect(crash(v, v.withdraw("dave", "2")).outcomes[2]).toBe("WITHDRAWALS_PAUSED");
  });

  test("no pause of 0 blocks", () => {
    const v = cornered("0", { deficitBlocks: 0 });
    const story = crash(v, v.withdraw("dave", "1"));
    expect([story.outcomes[2], story.of("withdrawalsPaused")]).toEqual(["applied", []]);
  });
});

test("caps and pause persist in a fork and after canonical form and image", () => {
  const v = cornered("0", { hourly: { amount: "10" }, deficitBlocks: 2 });
  v.do(v.withdraw("dave", "4"));
  crash(v);
  const copies: State[] = [
    forkState(v.state),
    readCanonical(writeCanonical(v.state).slice()),
    readImage(writeImage(v.state).slice()),
  ];
  const roots = [v.state, ...copies].map((state) => {
    v.state = state;
    const tries = ["1", "1", "6.000001", "6"].map((amount) => v.try(v.withdraw("dave", amount)));
    expect(tries).toEqual(["WITHDRAWALS_PAUSED", "WITHDRAWALS_PAUSED", "OUTFLOW_LIMIT", "applied"]);
    return v.root();
  });
  expect(new Set(roots).size).toBe(1);
});

test.each([
  ["outflow.hourly.amount", { hourly: { amount: "-1" } }],
  ["outflow.hourly.share", { hourly: { share: "1.000001" } }],
  ["outflow.daily.share", { daily: { share: "0.0000001" } }],
  ["outflow.daily.amount", { daily: { amount: "much" } }],
  ["outflow.deficitThreshold", { deficitThreshold: "-0.000001" }],
  ["outflow.deficitBlocks", { deficitBlocks: -1 }],
  ["outflow.deficitBlocks", { deficitBlocks: 0.5 }],
  ["outflow.deficitBlocks", { deficitBlocks: 1_000_000_001 }],
])("genesis with a fault in %s is refused: %o", (place, outflow) => {
  let thrown: unknown;
  try {
    createVenue(createGenesis({ outflow }));
  } catch (error) {
    thrown = error;
  }
  expect(isEngineError(thrown, "INVALID_GENESIS") && thrown.details.place).toBe(place);
});

test("by default a million or 1 % an hour, ten million or 10 % a day, and 50 blocks after any deficit", () => {
  const attempt = (balance: string, left: string) => {
    const v = new TestVenue({ accounts: { alice: balance, bob: balance } });
    const numbers = v.run(v.withdraw("alice", balance)).receipts[0]!.numbers;
    expect(numbers).toMatchObject({ left: parseDecimal(left, 6), window: "hour" });
    expect(v.try(v.withdraw("alice", left))).toBe("applied");
  };
  attempt("1000001", "1000000");
  attempt("50000000", "1000000");
  attempt("50000050", "1000001");
  const { deficitThreshold, deficitBlocks, daily } = createGenesis().outflow;
  expect([deficitThreshold, deficitBlocks, daily]).toEqual(["0", 50, { amount: "10000000", share: "0.1" }]);
});
