import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { JobEngine } from "../../../../../src/product/jobs/engine.ts";
import { createLocalJobs } from "../../../../../src/product/jobs/localJobs.ts";
import { compileScenario } from "../../../../../src/product/scenario/compile/compileScenario.ts";
import { runScenarioFile } from "../../../../../src/product/scenario/run/runScenario.ts";
import { readTexts } from "../../../../../src/product/scenario/run/texts.ts";
import type { CanaryName } from "../../../../../src/proof/fuzz/campaign/canaryNames.ts";
import { applyWith } from "../../../../../src/proof/fuzz/explore/applyWith.ts";
import { AROUND_KIND, aroundKind } from "../../../../../src/proof/fuzz/explore/around/aroundKind.ts";
import { type AroundReport, countPlaces } from "../../../../../src/proof/fuzz/explore/around/aroundReport.ts";
import { exploreAround, exploreAroundInJobs } from "../../../../../src/proof/fuzz/explore/around/exploreAround.ts";
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
  // One block of 64 at each place, counted from another block at each.
  expect(Math.abs(report.sampled - report.blocks / 64)).toBeLessThanOrEqual(report.places);
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

/** Blocks of one order each, with a cancellation in the sixth, and two blocks of time. */
const SEVEN_BLOCKS = `
# An order a block.
scenario: an order a block
markets:
  TEST: { preset: minimal }
prices: { TEST: "100" }
accounts:
  alice: { deposit: "1000" }
  bob: { deposit: "1000" }
blocks:
  - transactions: [{ alice: buy 2 @ 99 as bid }]
  - transactions: [{ alice: buy 1 @ 98 }]
  - repeat: 2
  - transactions: [{ bob: sell 1 @ 99 }]
    expect: { fills: any }
  - transactions: [{ bob: sell 1 @ 101 }]
  - transactions: [{ alice: cancel $bid }]
  - transactions: [{ bob: buy 1 @ 97 }]
`;

/** Explores in jobs of this thread, in another order, as far as a fault of the way lets it. */
async function exploreInJobs(
  texts: readonly string[],
  canary: CanaryName | null,
  spoil: (results: string[]) => string[] = (results) => results,
): Promise<{ report: AroundReport; places: number[] }> {
  const files = texts.map((text, at) => ({ file: `${at}.yaml`, texts: readTexts(`${at}.yaml`, () => text) }));
  const shared = { files, invariants: "", model: false, canary };
  const engine = createLocalJobs({ [AROUND_KIND]: async () => aroundKind });
  const backwards: JobEngine = {
    ...engine,
    async run({ parts, ...batch }, events) {
      const results = await engine.run({ ...batch, parts: [...parts].reverse() }, events);
      return spoil([...results].reverse());
    },
  };
  const places: number[] = [];
  const onProgress = (count: number) => void places.push(count);
  const report = await exploreAroundInJobs(compileAll(texts), backwards, { shared, onProgress });
  return { report, places };
}

const compileAll = (texts: readonly string[]) => texts.map((text, at) => compileScenario(`${at}.yaml`, () => text));

// Goal: one report for any number of threads. Method: jobs in another order than that of the scenarios.
describe("an exploration in jobs", () => {
  const TEXTS = [WITHOUT_CANCEL, SEVEN_BLOCKS];

  test("has the report of one in this thread, and reports every place", async () => {
    const alone = exploreAround(compileAll(TEXTS), { model: false });
    const { report, places } = await exploreInJobs(TEXTS, null);
    expect(report).toEqual(alone);
    expect(places.at(-1)).toBe(countPlaces(compileAll(TEXTS)));
    expect([places.length, places.at(-1)]).toEqual([4, 12]);
  });

  test("has the same findings, and nothing of what is after a fault of the scenario itself", async () => {
    const apply = applyWith("keptReserve");
    const alone = exploreAround(compileAll(TEXTS), { model: false, apply });
    const { report } = await exploreInJobs(TEXTS, "keptReserve");
    expect(report).toEqual(alone);
    expect(report.findings.some(({ step }) => step === undefined)).toBe(true);
    // The cancellation shows it: the place before it is the last.
    expect(report.places).toBe(3 + 7);
    for (const { chronicle, violation } of report.findings) {
      const { unsaid } = writeFinding(chronicle, violation, { folder: createFolder(), apply });
      expect(unsaid).toBeUndefined();
    }
  });

  test("has another report if a job is lost, or comes in the place of another", async () => {
    const alone = exploreAround(compileAll(TEXTS), { model: false });
    const lost = await exploreInJobs(TEXTS, null, (results) => results.slice(0, -1));
    expect(lost.report).not.toEqual(alone);
    const { report: whole } = await exploreInJobs(TEXTS, "keptReserve");
    const moved = await exploreInJobs(TEXTS, "keptReserve", ([first, ...others]) => [...others, first!]);
    expect(moved.report).not.toEqual(whole);
  });
});
