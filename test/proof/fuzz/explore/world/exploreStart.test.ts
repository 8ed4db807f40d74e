import { describe, expect, test } from "vitest";
import { compileScenario } from "../../../../../src/product/scenario/compile/compileScenario.ts";
import { runScenarioFile } from "../../../../../src/product/scenario/run/runScenario.ts";
import { exploreStart } from "../../../../../src/proof/fuzz/explore/world/exploreStart.ts";
import type { WorldProgress } from "../../../../../src/proof/fuzz/explore/world/exploreWorlds.ts";
import { HEAVY_EVERY } from "../../../../../src/proof/fuzz/explore/world/frontier.ts";
import type { StartReport } from "../../../../../src/proof/fuzz/explore/world/startReport.ts";
import { openWorlds, type Start } from "../../../../../src/proof/fuzz/explore/world/worlds.ts";
import { describeWorlds } from "../../../../../src/proof/fuzz/explore/world/worldText.ts";
import { writeFinding } from "../../../../../src/proof/fuzz/explore/writeFinding.ts";
import type { Apply } from "../../../../../src/proof/fuzz/shrink/readScript.ts";
import { invariants } from "../../../../../src/proof/invariants/list.ts";
import { applyBlock } from "../../../../../src/venue/engine/applyBlock.ts";
import { readEvents } from "../../../../../src/venue/engine/events/readEvents.ts";
import type { State } from "../../../../../src/venue/engine/state/state.ts";
import { createFolder } from "../../../../helpers/project.ts";
import { explorePlainly } from "../../../../reference/plainExplore.ts";
import { exploreText, openWorld, TRADERS } from "./worldHelpers.ts";

/** A fault after each block. */
const planted =
  (plant: (state: State, events: ReturnType<typeof readEvents>, codes: readonly number[]) => void): Apply =>
  (state, block, probe) => {
    const result = applyBlock(state, block, probe);
    const codes = block.transactions.map((_, index) => result.receipts.codes[index]!);
    plant(state, readEvents(result.events, result.from, result.to), codes);
    return result;
  };

/** A cancelled order that had filled in part leaves a unit of reserved margin: three blocks have to come together. */
const KEPT_AFTER_FILL = planted(({ positions, accounts }, events) => {
  const cancelled = events.find(({ kind }) => kind === "orderCancelled");
  if (cancelled?.kind !== "orderCancelled") return;
  const at = accounts.position[cancelled.account as never]!;
  if (at >= 0 && positions.signedLots[at]! > 0) positions.buyOrderCost[at]!++;
});

test("all sequences up to the depth are tried, and states with the same key count once", () => {
  const [start] = openWorld(TRADERS, true).starts;
  const one = exploreStart(start!, { depth: 1 });
  expect(one).toMatchObject({ findings: [], unequal: [], traces: 0 });
  // Both accounts bid, take and are refused alike; an IOC order without a bid changes nothing; the price is the third.
  expect(one).toMatchObject({ statesAt: [1, 3], transitions: 8, merged: 3, unchanged: 2 });
  const two = exploreStart(start!, { depth: 2 });
  expect(two.statesAt.slice(0, 2)).toEqual(one.statesAt);
  expect(two.states).toBe(two.statesAt.reduce((sum, count) => sum + count));
  expect(two.transitions).toBe(two.states - 1 + two.merged + two.unchanged);
});

// Goal: memory that is kept from block to block changes no result. Method: the twin keeps none. The worlds have
// accounts that are alike, labels, grants, nonces and refused blocks; a venue with a fault compares the verdicts.
describe("an exploration and its plain twin", () => {
  const reportOf = (start: Start, depth: number, apply?: Apply) => {
    const report = exploreStart(start, { depth, ...(apply === undefined ? {} : { apply }) });
    const { statesAt, transitions, merged, unchanged, traces, findings } = report;
    return { statesAt, transitions, merged, unchanged, traces, findings };
  };

  test.each(["trade", "agents", "nonces", "isolated"])("agree in the world %s", (name) => {
    const { starts } = openWorlds([compileScenario(`scenarios/worlds/${name}.yaml`)], true)[0]!;
    const start = starts.at(-1)!;
    const { findings, ...report } = reportOf(start, 2);
    expect(findings).toEqual([]);
    expect(report).toEqual({ ...explorePlainly(start, 2), broken: undefined });
  });

  test("agree about a venue with a fault", () => {
    const [start] = openWorld(TRADERS, true).starts;
    const plain = explorePlainly(start!, 3, KEPT_AFTER_FILL);
    const { findings, ...report } = reportOf(start!, 3, KEPT_AFTER_FILL);
    expect({ ...report, broken: undefined }).toEqual({ ...plain, broken: undefined });
    expect(plain.broken.length).toBeGreaterThan(0);
    // A finding has its first sequence, and the number of the others.
    expect(findings.reduce((sum, { more }) => sum + 1 + more, 0)).toBe(plain.broken.length);
    for (const { violation, path } of findings)
      expect(plain.broken).toContain(`${violation.invariant} after ${path.join(" > ")}`);
  });
});

test("the same world gives the same report", () => {
  const [start] = openWorld(TRADERS).starts;
  expect(exploreStart(start!, { depth: 2 })).toEqual(exploreStart(openWorld(TRADERS).starts[0]!, { depth: 2 }));
});

test("a fault that needs three blocks is found at depth three, shrunk, and written as a scenario", () => {
  const [start] = openWorld(TRADERS).starts;
  const apply = KEPT_AFTER_FILL;
  expect(exploreStart(start!, { depth: 2, apply }).findings).toEqual([]);
  const { findings } = exploreStart(start!, { depth: 3, apply });
  const [found] = findings;
  expect(found).toMatchObject({ violation: { invariant: "reserves" } });
  expect(found!.path).toHaveLength(3);
  const written = writeFinding(found!.chronicle, found!.violation, { folder: createFolder(), apply });
  expect(written.transactions).toBeLessThanOrEqual(6);
  expect(runScenarioFile(written.scenario!)).toMatchObject({ status: "passed" });
});

describe("heavy invariants", () => {
  /** Once a cancelled order had filled in part, the account has no trigger left: only a heavy check reads triggers. */
  const DISARMED = planted(({ positions, accounts, risk }, events) => {
    const cancelled = events.find(({ kind }) => kind === "orderCancelled");
    if (cancelled?.kind !== "orderCancelled") return;
    const at = accounts.position[cancelled.account as never]!;
    if (at < 0 || positions.signedLots[at]! <= 0) return;
    accounts.dirty[cancelled.account as never] = 0 as never;
    risk.dirty = risk.dirty.filter((account) => (account as number) !== cancelled.account);
    risk.disarm(positions, at);
  });

  test("a fault that only they see, three blocks deep, is found at the last depth, and shrunk with its turn", () => {
    const [start] = openWorld(TRADERS).starts;
    expect(exploreStart(start!, { depth: 2, apply: DISARMED }).findings).toEqual([]);
    const light = invariants.filter(({ heavy }) => heavy !== true);
    expect(exploreStart(start!, { depth: 3, apply: DISARMED, invariants: light }).findings).toEqual([]);
    const { findings } = exploreStart(start!, { depth: 3, apply: DISARMED });
    const [found] = findings;
    expect(found!.path).toHaveLength(3);
    expect(invariants.find(({ id }) => id === found!.violation.invariant)!.heavy).toBe(true);
    const { scenario, unsaid } = writeFinding(found!.chronicle, found!.violation, {
      folder: createFolder(),
      apply: DISARMED,
    });
    expect(unsaid).toBeUndefined();
    expect(runScenarioFile(scenario!)).toMatchObject({ status: "passed" });
  });

  test("run on every new state of the last depth and on a sample of those before, as the report says", async () => {
    let heavy = 0;
    const one = exploreStart(openWorld(TRADERS).starts[0]!, {
      depth: 3,
      heavyEvery: 4,
      runHeavy(check) {
        heavy++;
        return check();
      },
    });
    const report = await exploreText(TRADERS, { depthOf: () => 3, heavyEvery: 4 });
    expect(report.starts).toEqual([one]);
    const { statesAt, heavyAtLast, heavyBefore } = one;
    expect(heavyAtLast).toBe(statesAt[3]);
    expect(heavyBefore).toBe(Math.ceil((statesAt[1]! + statesAt[2]!) / 4));
    expect(heavy).toBe(heavyAtLast + heavyBefore);
    expect(describeWorlds([report], new Map())).toContain(
      `every new state of the last depth (${heavyAtLast}), and one of ${HEAVY_EVERY} of the depths before (${heavyBefore} of ${statesAt[1]! + statesAt[2]!})`,
    );
  });

  test("see a fault of an early state at a later depth, although that state was left out", () => {
    const [start] = openWorld(TRADERS).starts;
    const all = exploreStart(start!, { depth: 4, apply: DISARMED, heavyEvery: 1 });
    const sampled = exploreStart(start!, { depth: 4, apply: DISARMED, heavyEvery: 1e9 });
    expect(all.findings[0]!.path).toHaveLength(3);
    expect(sampled.findings[0]!.path).toHaveLength(4);
    const ids = (report: StartReport) => report.findings.map(({ violation }) => violation.invariant);
    expect(ids(sampled)).toContain(ids(all)[0]);
  });
});

describe("what the key leaves out", () => {
  test("a future that depends on it is found in a sampled pair", () => {
    // The venue has a rule of its own: an account whose next nonce is three loses a unit.
    const apply = planted(({ accounts }) => {
      if (accounts.nonceTrading[2 as never]! === 3) (accounts.collateral[2 as never] as number) -= 1;
    });
    const [start] = openWorld(TRADERS.replace(", alike: [[alice, bob]]", "")).starts;
    const { unequal } = exploreStart(start!, { depth: 1, apply, invariants: [], mergesEvery: 1 });
    expect(unequal.length).toBeGreaterThan(0);
    expect(exploreStart(start!, { depth: 1, invariants: [], mergesEvery: 1 }).unequal).toEqual([]);
  });

  test("accounts that are alike have the same future once their names are exchanged", () => {
    const [start] = openWorld(TRADERS).starts;
    const options = { depth: 1, invariants: [], mergesEvery: 1 };
    const { merged, unequal } = exploreStart(start!, options);
    expect({ merged, unequal }).toEqual({ merged: 3, unequal: [] });
    // The venue has a rule of its own: a cancellation costs one of the two a unit, since its number is odd.
    const apply = planted(({ accounts }, events) => {
      for (const event of events)
        if (event.kind === "orderCancelled" && event.account % 2 === 1)
          (accounts.collateral[event.account as never] as number) -= 1;
    });
    expect(exploreStart(start!, { ...options, apply }).unequal).toContainEqual(
      expect.objectContaining({ difference: "the states after it differ" }),
    );
  });

  test("a refused block that leaves a trace leads to a state of its own", () => {
    const apply = planted(({ clients }, _events, codes) => {
      if (codes.length > 0 && codes.every((code) => code !== 0)) clients.texts.push("trace");
    });
    const [start] = openWorld(TRADERS).starts;
    const plain = exploreStart(start!, { depth: 1, invariants: [] });
    const traced = exploreStart(start!, { depth: 1, invariants: [], apply });
    expect([plain.traces, plain.unchanged > 0]).toEqual([0, true]);
    expect(traced.traces).toBeGreaterThan(0);
    expect(traced.states).toBeGreaterThan(plain.states);
  });
});

test("a transaction without its outcome and an invariant without a case are reported", async () => {
  const text = TRADERS.replace(
    "alice: withdraw 100000, expect: rejected INSUFFICIENT_FREE_COLLATERAL",
    "alice: withdraw 100000",
  ).replace("shows: [fillArithmetic]", "shows: [fillArithmetic, outflowWithinCaps]");
  const report = await exploreText(text, { depthOf: () => 1 });
  expect(report.neverApplied).toEqual(["cancels", "never allowed, transaction 1"]);
  expect(report.neverMet).toEqual(["outflowWithinCaps"]);
  const shown = describeWorlds([report], new Map());
  expect(shown).toContain("never applied in world.yaml: never allowed, transaction 1");
  expect(shown).toContain("nothing to check in world.yaml: outflowWithinCaps");
  expect(shown).not.toMatch(/prove/);
});

test("a world is explored from each of its starts, with progress over all of them", async () => {
  const seen: WorldProgress[] = [];
  const text = TRADERS.replace("depth: 2,", "depth: 2, from: [first prices, quoted],");
  const report = await exploreText(text, {
    depthOf: ({ explore }) => explore.depth - 1,
    onProgress: (progress) => void seen.push(progress),
  });
  expect(report.starts.map(({ start }) => start)).toEqual(["after first prices", "after quoted"]);
  const { done, total, states, findings } = seen.at(-1)!;
  expect(seen.map((one) => one.done)).toEqual(seen.map((one) => one.done).sort((a, b) => a - b));
  expect({ isWhole: done === total, states, findings }).toEqual({
    isWhole: true,
    states: report.starts.reduce((sum, one) => sum + one.states, 0),
    findings: 0,
  });
  expect(report.neverApplied).not.toContain("takes, transaction 1");
});
