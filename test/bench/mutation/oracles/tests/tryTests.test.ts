import { afterAll, beforeAll, expect, test } from "vitest";
import { planTests } from "../../../../../bench/mutation/oracles/tests/planTests.ts";
import { TestBench } from "../../../../../bench/mutation/oracles/tests/testBench.ts";
import { measureReach, tryMutant } from "../../../../../bench/mutation/oracles/tests/tryTests.ts";
import { makePlantedCopy } from "./plantedCopy.ts";

const RED = `import { expect, test } from "vitest";
test("is red", () => expect(1).toBe(2));
`;

const { folder, files: FILES, numberOf, addTest, remove } = makePlantedCopy();
const LIMITS = { times: 1, startMs: 1_500 };
let bench: TestBench;
let fresh: TestBench;
const benches = {
  get kept() {
    return bench;
  },
  fresh: async () => fresh,
};
let plan: ReturnType<typeof planTests>;

beforeAll(async () => {
  [bench, fresh] = [await TestBench.open(folder), await TestBench.open(folder)];
  const reach = await measureReach(bench, FILES);
  expect(reach.fault).toBeUndefined();
  plan = planTests(reach);
});

afterAll(async () => {
  await bench.close();
  await fresh.close();
  remove();
});

const run = (number: number) => tryMutant(benches, number, plan(number), LIMITS);

test("a mutant that a test sees is killed by it, and only tests that run its place are asked", async () => {
  const number = numberOf("a + b", "a - b");
  expect(await run(number)).toMatchObject({
    tests: 1,
    killer: { file: "test/sums.test.ts", kind: "test", what: expect.stringContaining("adds: expected -1 to be 5") },
  });
});

test("a mutant that no test sees survives", async () => {
  const number = numberOf("a > 1000", "a >= 1000");
  expect(plan(number)).toMatchObject({ reached: 1, differed: 0, steps: [], once: [] });
  expect(await run(number)).toEqual({ tests: 0 });
  // Tried with the tests all the same, it survives, too.
  const steps = [
    {
      parts: [{ file: FILES[0]!, ids: plan(numberOf("a + b", "a - b")).steps[0]!.parts[0]!.ids }],
      cpuMs: 1,
    },
  ];
  expect(await tryMutant(benches, number, { steps, once: [] }, LIMITS)).toEqual({ tests: 1 });
});

test("a mutant whose place no test runs has no tests", () => {
  expect(plan(numberOf("a - 7", "a + 7"))).toMatchObject({ reached: 0, steps: [], once: [] });
});

test("a mutant that hangs is stopped by its CPU time, and the next one has a thread again", async () => {
  const hanging = numberOf("false", "true");
  expect((await run(hanging)).killer).toMatchObject({ kind: "timeout", what: expect.stringContaining("of CPU time") });
  const other = numberOf("a + b", "a - b");
  expect((await run(other)).killer?.kind).toBe("test");
});

test("a mutant of what is computed once is active from the start, and leaves nothing for the next one", async () => {
  const memo = numberOf("a * 3", "a / 3");
  expect(plan(memo)).toMatchObject({ steps: [], once: [{ parts: [{ file: "test/memo.test.ts" }] }] });
  // The thread that is there has kept it.
  expect((await bench.run([{ file: "test/memo.test.ts" }], { mutant: memo, limitMs: 10_000 })).failure).toBeDefined();
  await bench.renew();
  expect((await bench.run([{ file: "test/memo.test.ts" }], { mutant: 0, limitMs: 10_000 })).failure).toBeUndefined();
  expect((await bench.run([{ file: "test/memo.test.ts" }], { mutant: memo, limitMs: 10_000 })).failure).toBeUndefined();
  expect(await run(memo)).toMatchObject({ tests: 2, killer: { file: "test/memo.test.ts", kind: "test" } });
  expect(await tryMutant(benches, 0, { steps: plan(memo).once, once: [] }, LIMITS)).toEqual({ tests: 2 });
});

test("a failure in a thread that an earlier mutant spoiled does not count", async () => {
  const memo = numberOf("a * 3", "a / 3");
  // Not in a thread of its own, the mutant leaves its value there.
  await bench.renew();
  await bench.run([{ file: "test/memo.test.ts" }], { mutant: memo, limitMs: 10_000 });
  const harmless = numberOf("a > 1000", "a >= 1000");
  bench.passed.clear();
  expect((await bench.run([{ file: "test/memo.test.ts" }], { mutant: 0, limitMs: 10_000 })).failure).toBeDefined();
  const ids = plan(memo).once[0]!.parts[0]!.ids;
  for (const id of ids) bench.passed.add(id);
  const steps = [{ parts: [{ file: "test/memo.test.ts", ids }], cpuMs: 1 }];
  expect(await tryMutant(benches, harmless, { steps, once: [] }, LIMITS)).toEqual({ tests: 2 });
});

test("a test that is red without a mutant is a fault, and kills nothing", async () => {
  addTest("red.test.ts", RED);
  const { fault } = await measureReach(bench, [...FILES, "test/red.test.ts"]);
  expect(fault).toBe("test/red.test.ts (test): is red: expected 1 to be 2 // Object.is equality");
  const { tests } = await bench.run([{ file: "test/red.test.ts" }], { mutant: 0, limitMs: 10_000 });
  const steps = [{ parts: [{ file: "test/red.test.ts", ids: tests.map(({ id }) => id) }], cpuMs: 1 }];
  const number = numberOf("a + b", "a - b");
  expect(await tryMutant(benches, number, { steps, once: [] }, LIMITS)).toEqual({ tests: 1, fault });
  for (const { id } of tests) bench.passed.add(id);
  expect(await tryMutant(benches, number, { steps, once: [] }, LIMITS)).toEqual({ tests: 1, fault });
  expect(await tryMutant(benches, number, { steps: [], once: steps }, LIMITS)).toEqual({ tests: 1, fault });
});

test("what a file asks of all its tests does not count where some of them run", async () => {
  const text = `import { afterAll, expect, test } from "vitest";
let count = 0;
afterAll(() => expect(count).toBe(2));
test("first", () => void count++);
test("second", () => void count++);
`;
  const file = addTest("counts.test.ts", text);
  const { tests, failure } = await bench.run([{ file }], { mutant: 0, limitMs: 10_000 });
  expect([tests.length, failure]).toEqual([2, undefined]);
  const part = await bench.run([{ file, ids: [tests[0]!.id] }], { mutant: 0, limitMs: 10_000 });
  expect([part.tests.map(({ title }) => title), part.failure]).toEqual([["first"], undefined]);
  addTest("counts.test.ts", text.replace("toBe(2)", "toBe(3)"));
  expect((await measureReach(bench, [file])).fault).toContain("(file): expected 2 to be 3");
});

test("files run in the order in which they are given, whatever ran before", async () => {
  const names = ["zero", "one", "two"].map((name) => addTest(`${name}.test.ts`, RED.replace("is red", name)));
  const firstOf = async (files: readonly string[]) =>
    (
      await bench.run(
        files.map((file) => ({ file })),
        { mutant: 0, limitMs: 10_000 },
      )
    ).failure?.file;
  for (const files of [names, [...names].reverse(), [names[1]!, names[0]!, names[2]!]]) {
    expect(await firstOf(files)).toBe(files[0]);
  }
});

test("a file that does not load is a fault", async () => {
  addTest("broken.test.ts", "throw new Error('is broken');\n");
  expect((await measureReach(bench, ["test/broken.test.ts"])).fault).toContain("test/broken.test.ts (file): is broken");
});
