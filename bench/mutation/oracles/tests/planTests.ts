import type { TestReach } from "./testBench.ts";

/** What a mutant has to do with the tests. */
export interface TestPlan {
  /** Tests in which the mutant makes a difference, in steps: the ones that cost least for their differences first. */
  readonly steps: readonly Step[];
  /**
   * Files with tests that run the place only for the first time in a thread, as what they need is kept: these files run
   * in a thread in which the mutant is active from the start.
   */
  readonly once: readonly Step[];
  /** Files whose tests run its place, and files in which it makes a difference. */
  readonly reached: number;
  readonly differed: number;
}

/** Tests that run together. */
export interface Step {
  readonly parts: readonly { readonly file: string; readonly ids: readonly string[] }[];
  /** CPU time without a mutant, ms. */
  readonly cpuMs: number;
}

/** The tests in two runs, one after the other, of the same thread. */
export interface MeasuredTests {
  readonly first: readonly TestReach[];
  readonly second: readonly TestReach[];
}

/** Fixed cost of a test, ms, and the number of differences that suffices. */
const [START_MS, OFTEN] = [20, 20] as const;
/** Tests of the first step; each further one has more of them. */
const FIRST = 3;
const GROWTH = 4;

interface Candidate {
  readonly test: TestReach;
  readonly times: number;
}

interface Place {
  readonly files: Set<string>;
  readonly candidates: Candidate[];
  readonly onceFiles: Set<string>;
}

/** Plans the tests of each mutant. */
export function planTests({ first, second }: MeasuredTests): (mutant: number) => TestPlan {
  const places = new Map<number, Place>();
  const placeOf = (mutant: number): Place => {
    const place = places.get(mutant) ?? { files: new Set(), candidates: [], onceFiles: new Set() };
    places.set(mutant, place);
    return place;
  };
  const later = listCounts(second);
  for (const [test, counts] of later) {
    for (const [mutant, { differed }] of counts) {
      placeOf(mutant).files.add(test.file);
      if (differed > 0) placeOf(mutant).candidates.push({ test, times: differed });
    }
  }
  const again = new Map([...later].map(([{ id }, counts]) => [id, counts]));
  for (const [{ id, file }, counts] of listCounts(first)) {
    for (const [mutant, { differed }] of counts) {
      placeOf(mutant).files.add(file);
      const isOnce = differed > 0 && (again.get(id)?.get(mutant)?.differed ?? 0) === 0;
      if (isOnce) placeOf(mutant).onceFiles.add(file);
    }
  }
  return (mutant) => {
    const { files, candidates, onceFiles } = placeOf(mutant);
    const once = first.filter(({ file }) => onceFiles.has(file)).map((test) => ({ test, times: 1 }));
    return {
      steps: toSteps(candidates.sort(byWorth)),
      once: once.length === 0 ? [] : [toStep(once.map(({ test }) => test))],
      reached: files.size,
      differed: new Set([...candidates.map(({ test }) => test.file), ...onceFiles]).size,
    };
  };
}

type Counts = Map<number, { ran: number; differed: number }>;

/** Places of each test: its own, and those that ran before it or before an earlier test of its file. */
function listCounts(tests: readonly TestReach[]): Map<TestReach, Counts> {
  const all = new Map<TestReach, Counts>();
  for (const list of Map.groupBy(tests, ({ file }) => file).values()) {
    const shared: Counts = new Map();
    for (const test of list) {
      addPlaces(shared, test.before);
      const own: Counts = new Map([...shared].map(([mutant, counts]) => [mutant, { ...counts }]));
      addPlaces(own, test.seen);
      all.set(test, own);
    }
  }
  return all;
}

function addPlaces(counts: Counts, seen: TestReach["seen"]): void {
  for (const { mutant, ran, differed } of seen) {
    const known = counts.get(mutant) ?? { ran: 0, differed: 0 };
    counts.set(mutant, { ran: known.ran + ran, differed: known.differed + differed });
  }
}

/** The tests with the most differences for their cost come first. */
function byWorth(a: Candidate, b: Candidate): number {
  const worth = ({ times, test }: Candidate) => Math.min(times, OFTEN) / (test.cpuMs + START_MS);
  return worth(b) - worth(a) || (a.test.id < b.test.id ? -1 : 1);
}

function toSteps(candidates: readonly Candidate[]): Step[] {
  const steps: Step[] = [];
  for (let [at, size] = [0, FIRST]; at < candidates.length; at += size, size *= GROWTH) {
    steps.push(toStep(candidates.slice(at, at + size).map(({ test }) => test)));
  }
  return steps;
}

function toStep(tests: readonly TestReach[]): Step {
  const parts = [...Map.groupBy(tests, ({ file }) => file)].map(([file, list]) => ({
    file,
    ids: list.map(({ id }) => id),
  }));
  return { parts, cpuMs: tests.reduce((sum, { cpuMs }) => sum + cpuMs, 0) };
}
