import { describe, expect, test } from "vitest";
import { compileScenario } from "../../../../../src/product/scenario/compile/compileScenario.ts";
import { Explorer } from "../../../../../src/proof/fuzz/explore/world/explorer.ts";
import { exploreStart } from "../../../../../src/proof/fuzz/explore/world/exploreStart.ts";
import { Frontier, type FrontierOptions } from "../../../../../src/proof/fuzz/explore/world/frontier.ts";
import type { StartReport } from "../../../../../src/proof/fuzz/explore/world/startReport.ts";
import type { Task, TaskCounts, TaskResult } from "../../../../../src/proof/fuzz/explore/world/task.ts";
import { openWorlds, type Start } from "../../../../../src/proof/fuzz/explore/world/worlds.ts";
import type { Apply } from "../../../../../src/proof/fuzz/shrink/readScript.ts";
import { invariants } from "../../../../../src/proof/invariants/list.ts";
import { defineInvariant } from "../../../../../src/proof/invariants/machinery/defineInvariant.ts";
import { applyBlock } from "../../../../../src/venue/engine/applyBlock.ts";
import { openWorld, TRADERS } from "./worldHelpers.ts";

/** Where the tasks of a round are done. */
interface Way {
  /** Each has a start of its own, as a thread does. */
  readonly explorers: number;
  /** Order in which the tasks of a round are done. */
  readonly order?: (tasks: readonly Task[]) => number[];
  /** A fault of the way, to show that the comparison sees it. */
  readonly spoil?: (results: TaskResult[], done: readonly number[]) => TaskResult[];
}

const backwards = (tasks: readonly Task[]) => [...tasks.keys()].reverse();

/** Explores a start in tasks of whole levels, each result as it comes out of JSON. */
function exploreInTasks(open: () => Start, options: FrontierOptions, { explorers, order, spoil }: Way): StartReport {
  const frontier = new Frontier(open(), options);
  const all = Array.from({ length: explorers }, () => new Explorer(open(), options));
  const counts: TaskCounts[] = [];
  let count = 0;
  const rounds = frontier.explore();
  let round = rounds.next();
  while (round.done !== true) {
    const results: TaskResult[] = [];
    const done = order?.(round.value) ?? [...round.value.keys()];
    for (const at of done) {
      const explorer = all[(count++ * 7) % explorers]!;
      results[at] = JSON.parse(JSON.stringify(explorer.run(round.value[at]!))) as TaskResult;
      counts.push(explorer.takeCounts());
    }
    round = rounds.next(spoil?.(results, done) ?? results);
  }
  return frontier.report(counts);
}

/** A world of the repository, opened from scratch at each call. */
const openLast = (name: string, withModel: boolean) => () =>
  openWorlds([compileScenario(`scenarios/worlds/${name}.yaml`)], withModel)[0]!.starts.at(-1)!;

const openTraders = () => openWorld(TRADERS).starts[0]!;

/** An account whose position changed in a block of more than one fill loses a unit: several sequences show it. */
const LOSES: Apply = (state, block, probe) => {
  const result = applyBlock(state, block, probe);
  if (state.height % 3 === 0 && result.receipts.codes[0] === 0) (state.accounts.collateral[2 as never] as number)--;
  return result;
};

// Goal: one report for any number of threads. Method: tasks of whole levels are done by several explorers, in their
// order and backwards; the report is that of one explorer that goes block by block.
describe("an exploration in tasks", () => {
  test.each(["trade", "margin", "nonces", "intents"])(
    "of the world %s has the report of one block by block",
    (name) => {
      const open = openLast(name, true);
      const options = { depth: name === "nonces" ? 3 : 2, mergesEvery: 3, heavyEvery: 2 };
      const alone = exploreStart(open(), options);
      expect(alone.transitions).toBeGreaterThan(80);
      expect(exploreInTasks(open, options, { explorers: 1 })).toEqual(alone);
      expect(exploreInTasks(open, options, { explorers: 5, order: backwards })).toEqual(alone);
    },
  );

  test("of a venue with a fault has the same findings, first sequences included", () => {
    const options = { depth: 3, apply: LOSES };
    const alone = exploreStart(openTraders(), options);
    expect(alone.findings.length).toBeGreaterThan(0);
    expect(alone.findings.some(({ more }) => more > 0)).toBe(true);
    expect(exploreInTasks(openTraders, options, { explorers: 3, order: backwards })).toEqual(alone);
  });

  test("of a venue that throws has the same findings, stacks included", () => {
    const apply: Apply = (state, block, probe) => {
      if (state.height === openTraders().point.state.height + 1) throw new Error("the venue is broken");
      return applyBlock(state, block, probe);
    };
    const options = { depth: 2, apply };
    const alone = exploreStart(openTraders(), options);
    expect(alone.findings).toMatchObject([{ violation: { invariant: "nothingThrows" } }]);
    // The frames below the trial are those of a thread.
    expect(alone.findings[0]!.violation.observed).toMatch(/at .*\(test\/proof\/fuzz\/explore/);
    expect(alone.findings[0]!.violation.observed).not.toContain("trial.ts");
    expect(exploreInTasks(openTraders, options, { explorers: 2 })).toEqual(alone);
  });

  test("selects the cases of checks that see a part of them by the place of a state", () => {
    const seen = (isHeavy: boolean) =>
      defineInvariant({
        id: "turnIsOdd",
        sentence: "No turn is a multiple of seven.",
        rules: [],
        when: "block",
        heavy: isHeavy,
        sweep: (_state, { turn }) => (turn % 7 === 6 ? `a turn of seven${"i".repeat(turn)}` : undefined),
      });
    for (const isHeavy of [false, true]) {
      const options = { depth: 4, invariants: [seen(isHeavy)], heavyEvery: 1 };
      const alone = exploreStart(openTraders(), options);
      // More than one task of a level.
      expect(alone.heavyAtLast).toBeGreaterThan(96);
      expect(alone.findings.length).toBeGreaterThan(1);
      expect(exploreInTasks(openTraders, options, { explorers: 5, order: backwards })).toEqual(alone);
    }
  });

  // Each fault of the way is one that a wrong engine could have.
  const margin = openLast("margin", false);
  const options = { depth: 3, invariants: [], mergesEvery: 20 };
  const OF_TWO = { explorers: 2, order: backwards };

  test("is another one if results come in the order of their ends", () => {
    const alone = exploreStart(margin(), options);
    expect(exploreInTasks(margin, options, OF_TWO)).toEqual(alone);
    // States of the wrong parents lead elsewhere: some blocks cannot be built, some pairs have no common future.
    const spoil = (results: TaskResult[], done: readonly number[]) => done.map((at) => results[at]!);
    expect(() => expect(exploreInTasks(margin, options, { ...OF_TWO, spoil })).toEqual(alone)).toThrow();
  });

  test("ends if the results of a task are lost", () => {
    const spoil = (results: TaskResult[]) => (results.length > 1 ? results.slice(1) : results);
    expect(() => exploreInTasks(margin, options, { ...OF_TWO, spoil })).toThrow(RangeError);
  });

  test("ends if a state of a task is not the one that its blocks lead to", () => {
    const explorer = new Explorer(margin(), options);
    const task = { kind: "expand", place: 0, turn: 0, states: [{ letters: [0], key: "another" }] } as const;
    expect(() => explorer.run(task)).toThrow("led to another state here");
  });
});

test("no heavy invariant keeps memory of moments: heavy checks are made without them", () => {
  const odd = invariants.filter((one) => one.heavy === true && (one.touched ?? one.event) !== undefined);
  expect(odd).toEqual([]);
});
