import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compileScenario } from "../../../../../src/product/scenario/compile/compileScenario.ts";
import { runScenarioFile } from "../../../../../src/product/scenario/run/runScenario.ts";
import { applyWith } from "../../../../../src/proof/fuzz/explore/applyWith.ts";
import {
  type AroundReport,
  countPlaces,
  exploreAround,
} from "../../../../../src/proof/fuzz/explore/around/exploreAround.ts";
import { writeFinding } from "../../../../../src/proof/fuzz/explore/writeFinding.ts";
import { invariants } from "../../../../../src/proof/invariants/list.ts";
import { ACTION_NAMES } from "../../../../../src/protocol/actions/index.ts";
import { createFolder } from "../../../../helpers/project.ts";

/** A venue on which every action is possible: a house, a grant, intents, orders and positions, on a devnet. */
const EVERYTHING = `
# A venue on which every action is possible.
scenario: everything
genesis: { features: { devnet: true, faucet: true } }
markets:
  TEST: { preset: minimal }
prices: { TEST: "100" }
accounts:
  alice: { deposit: "1000.000001" }
  bob: { deposit: "777.777777" }
  carol: { deposit: "777.777777" }
  house: { deposit: "100000", role: house }
  robot: {}
blocks:
  - transactions:
      - from: alice
        as: grant
        grantAuthorization: { agent: robot, scopes: "*", markets: "*", subaccounts: "*", maxOrderNotional: "*", maxPositionNotional: "*", maxDailyNotional: "*", maxOpenOrders: "*", expiresAt: +1h }
      - { from: carol, setMarginMode: { market: TEST, mode: isolated } }
      - carol: buy 1 @ 100
      - alice: buy 3 @ 100
      - bob: sell 4 @ 100
      - alice: sell 1 @ 103
      - { from: alice, placeIntent: { kind: stop, side: sell, fraction: "1", reduceOnly: true, trigger: "90", orderType: market, slippage: "0.1" } }
    expect: { fills: any }
`;

function explore(text: string, options: Parameters<typeof exploreAround>[1] = {}): AroundReport {
  return exploreAround([compileScenario("venue.yaml", () => text)], options);
}

test("around a venue on which everything is possible, every action is tried and nothing breaks", () => {
  const report = explore(EVERYTHING);
  expect(report.findings).toEqual([]);
  expect(Object.keys(report.actions).sort()).toEqual([...ACTION_NAMES, "time"].sort());
  const never = Object.entries(report.actions).filter(([, { applied }]) => applied === 0);
  expect(never).toEqual([]);
  expect(report).toMatchObject({ scenarios: 1, cases: 1, withModel: 1, places: 3 });
  expect(report.sampled).toBe(Math.ceil(report.blocks / 64));
});

/** Nothing in it is ever cancelled. */
const WITHOUT_CANCEL = `
# A resting order reserves margin.
scenario: an order rests
markets:
  TEST: { preset: minimal }
prices: { TEST: "100" }
accounts:
  alice: { deposit: "1000" }
blocks:
  - transactions: [{ alice: buy 2 @ 99 }]
`;

// Goal: a step around a block shows a fault that the scenario itself does not. Method: a planted fault that needs a
// cancellation, around a scenario without one.
test("a fault that the scenario does not meet is found by a step, shrunk, and written as a scenario", () => {
  const folder = createFolder();
  const apply = applyWith("keptReserve");
  const plain = explore(WITHOUT_CANCEL, { apply: applyWith(undefined) });
  expect(plain.findings).toEqual([]);
  const { findings } = explore(WITHOUT_CANCEL, { apply });
  const found = findings.find(({ violation }) => violation.invariant === "reserves")!;
  expect(found).toMatchObject({ file: "venue.yaml", before: "block 1", case: "" });
  expect(found.step).toMatch(/^alice: /);
  expect(found.more).toBeGreaterThan(0);
  const { scenario, transactions } = writeFinding(found.chronicle, found.violation, { folder, apply });
  expect(transactions).toBeLessThanOrEqual(5);
  expect(readFileSync(scenario!, "utf8")).toContain("scenario: reserves holds");
  // Without the planted fault the scenario passes: it is a regression test.
  expect(runScenarioFile(scenario!)).toMatchObject({ status: "passed" });
});

test("a fault that the scenario itself shows is reported without a step", () => {
  const cancels = "[{ alice: buy 2 @ 99 as bid }, { alice: buy 1 @ 98 }, { alice: cancel $bid }]";
  const text = WITHOUT_CANCEL.replace("[{ alice: buy 2 @ 99 }]", cancels);
  const { findings } = explore(text, { apply: applyWith("keptReserve"), model: false });
  const own = findings.filter(({ step }) => step === undefined);
  expect(own.map(({ violation }) => violation.invariant)).toEqual(["reserves"]);
});

test("only the chosen invariants are checked, and the model only if it is wanted", () => {
  const chosen = invariants.filter(({ id }) => id === "conservation");
  const report = explore(WITHOUT_CANCEL, { invariants: chosen, model: false, apply: applyWith("keptReserve") });
  expect(report).toMatchObject({ withModel: 0, findings: [] });
  expect(Object.keys(report.met)).toEqual(["conservation"]);
});

test("two explorations of the same scenarios are equal, and report every place", () => {
  const places: number[] = [];
  const options = { model: false, onProgress: (count: number) => void places.push(count) };
  const first = explore(WITHOUT_CANCEL, options);
  expect(explore(WITHOUT_CANCEL, { model: false })).toEqual(first);
  expect(places).toEqual([1, 2, 3]);
  expect(countPlaces([compileScenario("venue.yaml", () => WITHOUT_CANCEL)])).toBe(3);
});
