import { expect, test } from "vitest";
import { planTests } from "../../../../../bench/mutation/oracles/tests/planTests.ts";
import type { TestReach } from "../../../../../bench/mutation/oracles/tests/testBench.ts";

type Places = readonly (readonly [mutant: number, differed: number])[];

const toSeen = (places: Places) => places.map(([mutant, differed]) => ({ mutant, ran: differed + 1, differed }));
const reach = (id: string, cpuMs: number, seen: Places, before: Places = []): TestReach => ({
  file: id.split(" ")[0]!,
  id,
  title: id,
  cpuMs,
  seen: toSeen(seen),
  before: toSeen(before),
});
const idsOf = (plan: ReturnType<ReturnType<typeof planTests>>) =>
  plan.steps.map(({ parts }) => parts.flatMap(({ ids }) => ids));

test("a mutant runs the tests in which it makes a difference, first those with many in little time", () => {
  const first = [
    reach("a slow", 2_000, [[1, 50]]),
    reach("a rare", 1, [[1, 1]]),
    reach("b often", 1, [[1, 9]]),
    reach("b equal", 1, [[1, 0]]),
    reach("c other", 1, [[2, 5]]),
  ];
  const plan = planTests({ first, second: first });
  expect(idsOf(plan(1))).toEqual([["b often", "a rare", "a slow"]]);
  expect(plan(1)).toMatchObject({ reached: 2, differed: 2, once: [] });
  expect(plan(1).steps[0]!.cpuMs).toBe(2_002);
  expect(plan(3)).toEqual({ steps: [], once: [], reached: 0, differed: 0 });
});

test("the tests of a mutant come in steps that grow, each file once in a step", () => {
  const first = Array.from({ length: 20 }, (_, at) => reach(`f${at % 2} ${at}`, at, [[1, 99]]));
  const { steps } = planTests({ first, second: first })(1);
  expect(steps.map(({ parts }) => parts.reduce((sum, { ids }) => sum + ids.length, 0))).toEqual([3, 12, 5]);
  expect(steps[1]!.parts.map(({ file }) => file).sort()).toEqual(["f0", "f1"]);
});

test("what runs before a test counts for it and for every later test of its file", () => {
  const first = [reach("a 1", 1, []), reach("a 2", 1, [], [[1, 4]]), reach("a 3", 1, []), reach("b 1", 1, [])];
  expect(idsOf(planTests({ first, second: first })(1))).toEqual([["a 2", "a 3"]]);
});

test("a place that a test runs in the first of two runs only asks for its whole file in a new thread", () => {
  const others = ["a 2", "b 2", "c 1"].map((id) => reach(id, 1, [[2, 1]]));
  const first = [...others, reach("a 1", 1, [[1, 1]]), reach("b 1", 1, [[1, 1]])];
  const second = [...others, reach("a 1", 1, [[1, 1]]), reach("b 1", 1, [[1, 0]])];
  const plan = planTests({ first, second });
  expect(idsOf(plan(1))).toEqual([["a 1"]]);
  expect(plan(1).once).toEqual([{ parts: [{ file: "b", ids: ["b 2", "b 1"] }], cpuMs: 2 }]);
  expect(plan(1)).toMatchObject({ reached: 2, differed: 2 });
  expect(plan(2).once).toEqual([]);
});
