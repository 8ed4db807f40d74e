import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { buildCopy, ROOT } from "../../../bench/perpbench/buildCopy.ts";
import type * as AroundModule from "../../../bench/perpbench/oracles/around.ts";
import type * as ExploreModule from "../../../bench/perpbench/oracles/explore.ts";
import type * as ScenariosModule from "../../../bench/perpbench/oracles/scenarios.ts";

// Bugs can only be selected in a copy, so the modules are those of the copy.
const copy = join(ROOT, "out", "perpbench-oracles-test");
let runAround: typeof AroundModule.runAround;
let runExplore: typeof ExploreModule.runExplore;
let runScenarios: typeof ScenariosModule.runScenarios;

beforeAll(async () => {
  buildCopy(copy);
  const load = (name: string) => import(/* @vite-ignore */ join(copy, "bench/perpbench/oracles", name));
  ({ runAround } = await load("around.ts"));
  ({ runExplore } = await load("explore.ts"));
  ({ runScenarios } = await load("scenarios.ts"));
});

const TRADE = "worlds/trade.yaml";
const MOST = 100_000;

describe("an exploration of worlds", () => {
  const explore = (bug: number, depth: number, worlds: readonly string[], budget = MOST) =>
    runExplore({ method: "explore", bug, depth, budget, worlds });

  test("finds a bug by the first sequence that shows it, and ends there", () => {
    const found = explore(8, 1, [TRADE, "worlds/margin.yaml"]);
    expect(found).toMatchObject({ bug: 8, depth: 1, world: TRADE, worlds: 1, path: ["takes"], isCut: false });
    expect(found.finding!.invariant).toBe("eventsAreComplete");
    expect(found.triggered).toBeGreaterThan(0);
    expect(found.transitions).toBe(1);
    expect(found.cpuSeconds).toBeGreaterThan(0);
  });

  test("finds nothing without a bug, and notes the lines that each world reaches", () => {
    const clean = explore(0, 1, [TRADE, "worlds/nonces.yaml"]);
    expect(clean.finding).toBeUndefined();
    expect(clean.isCut).toBe(false);
    expect(Object.keys(clean.visits!)).toEqual([TRADE, "worlds/nonces.yaml"]);
    // A fill pays a fee (bug 40); no world of trades has an agent's grant (bug 37).
    expect(clean.visits![TRADE]).toContain(40);
    expect(clean.visits![TRADE]).not.toContain(37);
    // No world of nonces has a fill.
    expect(clean.visits!["worlds/nonces.yaml"]).not.toContain(40);
  });

  test("with a bug whose lines a world does not reach has the same counts as without one", () => {
    const { visits, ...clean } = explore(0, 1, [TRADE]);
    const other = explore(37, 1, [TRADE]);
    expect(other).toEqual({ ...clean, bug: 37, cpuSeconds: other.cpuSeconds });
  });

  test("ends before a block that its budget does not have, and says so", () => {
    const all = explore(37, 1, [TRADE]);
    expect(explore(37, 1, [TRADE], all.transitions)).toMatchObject({ transitions: all.transitions, isCut: true });
    expect(explore(37, 1, [TRADE], 5)).toMatchObject({ transitions: 5, isCut: true });
    expect(explore(37, 1, [TRADE], all.transitions + 1)).toMatchObject({ transitions: all.transitions, isCut: false });
  });

  test("checks the blocks that lead to a start first", () => {
    // The deposits before the start are rejected at their last valid height.
    const found = explore(28, 1, [TRADE]);
    expect(found).toMatchObject({ world: TRADE, path: [], transitions: 0 });
    expect(found.finding!.invariant).toBe("venueEqualsModel");
  });
});

describe("an exploration around scenarios", () => {
  const FILE = "orders/cancel-frees-reserve.yaml";
  const around = (bug: number, scenarios: readonly string[], budget = MOST) =>
    runAround({ method: "around", bug, every: 9, budget, scenarios });

  test("finds a bug by the first step that shows it, and ends there", () => {
    const clean = around(0, [FILE]);
    expect(clean.finding).toBeUndefined();
    const found = around(14, [FILE, TRADE]);
    expect(found).toMatchObject({ bug: 14, file: FILE, scenarios: 1, isCut: false });
    expect(found.blocks).toBeLessThan(clean.blocks);
    expect(found.step).toMatch(/^alice: withdraw \d+ units$/);
    expect(found.finding!.invariant).toBe("marginAfterAction");
  });

  test("begins no further scenario when its budget is spent, and says so", () => {
    const cut = around(37, [FILE, TRADE], 1);
    expect(cut).toMatchObject({ scenarios: 1, isCut: true });
    expect(around(37, [FILE], 1)).toMatchObject({ scenarios: 1, isCut: false, blocks: cut.blocks });
  });
});

describe("the scenarios", () => {
  const files = ["lanes.yaml", "window.yaml", "domains.yaml"].map((name) => `nonces/${name}`);
  const run = (bug: number) => runScenarios({ method: "scenarios", bug, files });

  test("all pass without a bug, and note the lines that they reach", () => {
    const clean = run(0);
    expect(clean).toMatchObject({ bug: 0, files: 3 });
    expect(clean.finding).toBeUndefined();
    expect(Object.keys(clean.visits!)).toEqual(files);
    // Every transaction has a nonce (bug 27); none of these pays funding (bug 22).
    expect(clean.visits!["nonces/lanes.yaml"]).toContain(27);
    expect(Object.values(clean.visits!).flat()).not.toContain(22);
  });

  test("find a bug by the first file that fails, and end there", () => {
    const found = run(27);
    expect(found.finding).toBeDefined();
    expect(files.slice(0, found.files).at(-1)).toBe(found.file);
    expect(found.triggered).toBeGreaterThan(0);
  });

  test("are not run with the invariants where no fault shows, unless it shows outside of blocks", () => {
    expect(run(22)).toMatchObject({ bug: 22, files: 3, shown: 0, triggered: 0 });
    expect(run(38)).toMatchObject({ bug: 38, files: 3, shown: 3 });
  });
});
