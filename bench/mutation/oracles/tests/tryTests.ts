/** Runs tests without a mutant, and with one until a test fails. */
import type { MeasuredTests, Step, TestPlan } from "./planTests.ts";
import type { BenchRun, Failure, TestBench } from "./testBench.ts";

export interface ReachResult extends MeasuredTests {
  /** What is red without a mutant. */
  readonly fault?: string | undefined;
}

export interface KillResult {
  readonly killer?: Failure | undefined;
  /** What is red without the mutant, too. */
  readonly fault?: string | undefined;
  /** Number of tests that were asked for. */
  readonly tests: number;
}

/** Limit of tests with a mutant, in CPU time: a multiple of what they take without one, and a start, ms. */
export interface Limits {
  readonly times: number;
  readonly startMs: number;
}

const LIMITS: Limits = { times: 10, startMs: 10_000 };
/** Limit of a test file without a mutant, ms. */
const FILE_MS = 300_000;

/** Runs test files twice without a mutant in one new thread, and notes the places that each test runs. */
export async function measureReach(bench: TestBench, files: readonly string[]): Promise<ReachResult> {
  await bench.renew();
  const parts = files.map((file) => ({ file }));
  const options = { mutant: 0, isCovering: true, limitMs: FILE_MS * parts.length };
  const first = await bench.run(parts, options);
  const second: BenchRun = first.failure === undefined ? await bench.run(parts, options) : { tests: [] };
  await bench.renew();
  const failure = first.failure ?? second.failure;
  const fault = failure === undefined ? {} : { fault: describe(failure) };
  return { first: first.tests, second: second.tests, ...fault };
}

/** The thread of many mutants, and one that is new for each: what the first keeps of tests is not lost. */
export interface Benches {
  readonly kept: TestBench;
  readonly fresh: () => Promise<TestBench>;
}

/**
 * Runs the steps of a mutant, up to the first failure: in the thread that is there, then, with what runs only once in a
 * thread, in a new one.
 */
export async function tryMutant(
  { kept, fresh }: Benches,
  mutant: number,
  { steps, once }: Pick<TestPlan, "steps" | "once">,
  limits: Limits = LIMITS,
): Promise<KillResult> {
  let tests = 0;
  for (const step of steps) {
    tests += countTests(step);
    const result = await tryStep(kept, mutant, step, limits);
    if (result !== undefined) return { ...result, tests };
  }
  for (const step of once) {
    tests += countTests(step);
    const result = await tryOnce(await fresh(), mutant, step, limits);
    if (result !== undefined) return { ...result, tests };
  }
  return { tests };
}

type Verdict = Omit<KillResult, "tests"> | undefined;

async function tryStep(bench: TestBench, mutant: number, step: Step, limits: Limits): Promise<Verdict> {
  const { parts } = step;
  const limitMs = limitOf(step, limits);
  for (let turn = 1; ; turn++) {
    // What tests keep in a thread is made without a mutant.
    const cold = parts.map(({ file, ids }) => ({ file, ids: ids.filter((id) => !bench.passed.has(id)) }));
    const open = cold.filter(({ ids }) => ids.length > 0);
    const { failure: red } = open.length === 0 ? {} : await bench.run(open, { mutant: 0, limitMs });
    if (red !== undefined) return { fault: describe(red) };
    const { failure } = await bench.run(parts, { mutant, limitMs });
    if (failure === undefined) return undefined;
    // A thread that was stopped or has ended is not used again.
    const isWhole = failure.file === "";
    if (isWhole) await bench.renew();
    // A failure counts only if the same tests pass without the mutant.
    const twin = parts.filter(({ file }) => isWhole || file === failure.file);
    const { failure: same } = await bench.run(twin, { mutant: 0, limitMs });
    if (same === undefined) return { killer: failure };
    if (isWhole || turn === 2) return { fault: describe(same) };
    // An earlier mutant may have spoiled the thread: once more in a new one.
    await bench.renew();
  }
}

/** Runs a step in a thread in which the mutant is active from the start. */
async function tryOnce(bench: TestBench, mutant: number, step: Step, limits: Limits): Promise<Verdict> {
  const limitMs = limitOf(step, limits);
  await bench.renew({ PERPLAB_MUTANT: String(mutant) });
  const { failure } = await bench.run(step.parts, { mutant, limitMs });
  await bench.renew();
  if (failure === undefined) return undefined;
  const twin = step.parts.filter(({ file }) => failure.file === "" || file === failure.file);
  const { failure: same } = await bench.run(twin, { mutant: 0, limitMs });
  return same === undefined ? { killer: failure } : { fault: describe(same) };
}

function limitOf({ cpuMs }: Step, { times, startMs }: Limits): number {
  return times * cpuMs + startMs;
}

function countTests({ parts }: Step): number {
  return parts.reduce((sum, { ids }) => sum + ids.length, 0);
}

function describe({ file, kind, what }: Failure): string {
  return `${file || "the run"} (${kind}): ${what}`;
}
