/** Vitest in this process, with one thread for all runs. */
import { join, relative } from "node:path";
import { createVitest, type TestModule, type TestSequencer, type TestSpecification, type Vitest } from "vitest/node";
import type { Seen } from "../../mutant.ts";
import { KeptThread } from "./keptThread.ts";
import type {} from "./setup.ts";

/** Tests of one file; all of them without names of Vitest's own. */
export interface Part {
  readonly file: string;
  readonly ids?: readonly string[] | undefined;
}

/** A test as it ran without a mutant. */
export interface TestReach {
  readonly file: string;
  /** Vitest's name of the test. */
  readonly id: string;
  readonly title: string;
  readonly cpuMs: number;
  readonly seen: readonly Seen[];
  readonly before: readonly Seen[];
}

/** What failed first, and why. */
export interface Failure {
  /** Empty if the run as a whole failed. */
  readonly file: string;
  readonly id: string;
  /** `test`: a test is red. `file`: a file does not load. The others end the thread, or come from outside of a test. */
  readonly kind: "test" | "file" | "timeout" | "crash" | "unhandled";
  readonly what: string;
}

export interface BenchRun {
  readonly failure?: Failure | undefined;
  readonly tests: readonly TestReach[];
}

export interface RunOptions {
  readonly mutant: number;
  readonly isCovering?: boolean;
  /** Limit in CPU time of the thread, ms. */
  readonly limitMs: number;
}

/** Vitest would order files by what it remembers of them: which test fails first would depend on earlier runs. */
class GivenOrder implements TestSequencer {
  sort(files: TestSpecification[]): TestSpecification[] {
    return files;
  }

  shard(files: TestSpecification[]): TestSpecification[] {
    return files;
  }
}

/** Time between two questions how long the thread has worked, ms. */
const ASK_MS = 200;

export class TestBench {
  /** Tests that have passed without a mutant in the thread that is there. */
  readonly passed = new Set<string>();
  readonly #vitest: Vitest;
  readonly #kept: KeptThread;
  readonly #copy: string;

  /** Files that have ended in this run. The result of Vitest has those of earlier runs, too. */
  readonly #ended: TestModule[];

  private constructor(vitest: Vitest, kept: KeptThread, copy: string, ended: TestModule[]) {
    this.#vitest = vitest;
    this.#kept = kept;
    this.#copy = copy;
    this.#ended = ended;
  }

  /** @param copy folder with sources, tests and the setup file */
  static async open(copy: string): Promise<TestBench> {
    const kept = new KeptThread();
    const ended: TestModule[] = [];
    const vitest = await createVitest("test", {
      config: false,
      root: copy,
      watch: false,
      include: ["test/**/*.test.ts"],
      setupFiles: ["bench/mutation/oracles/tests/setup.ts", "test/seed.ts", "test/cleanUp.ts"].map((file) =>
        join(copy, file),
      ),
      pool: kept.pool,
      sequence: { sequencer: GivenOrder },
      isolate: false,
      maxWorkers: 1,
      fileParallelism: false,
      experimental: { viteModuleRunner: false },
      bail: 1,
      testTimeout: 900_000,
      hookTimeout: 900_000,
      reporters: [{ onTestModuleEnd: (one) => void ended.push(one) }],
      cache: false,
    });
    return new TestBench(vitest, kept, copy, ended);
  }

  /** Runs parts in their order, up to the first failure. */
  async run(parts: readonly Part[], { mutant, isCovering = false, limitMs }: RunOptions): Promise<BenchRun> {
    const project = this.#vitest.getRootProject();
    project.provide("mutation", { mutant, isCovering });
    const specifications = parts.map(({ file, ids }) =>
      project.createSpecification(join(this.#copy, file), ids === undefined ? [] : { testIds: [...ids] }),
    );
    let isLate = false;
    const endLimit = await this.#limit(limitMs, () => {
      isLate = true;
    });
    const hadThread = this.#kept.thread;
    try {
      this.#ended.length = 0;
      const { unhandledErrors } = await this.#vitest.runTestSpecifications(specifications);
      const tests = this.#ended.flatMap((one) => this.#readTests(one));
      if (isLate) return { tests, failure: wholeFailure("timeout", `more than ${Math.round(limitMs)} ms of CPU time`) };
      if (mutant === 0) for (const { id } of tests) this.passed.add(id);
      const whole = new Set(parts.filter(({ ids }) => ids === undefined).map(({ file }) => file));
      const failure = this.#ended.map((one) => this.#findFailure(one, whole)).find((one) => one !== undefined);
      if (failure !== undefined) return { tests, failure };
      const [error] = unhandledErrors;
      if (error === undefined) return { tests };
      const hasEnded = this.#kept.thread === undefined || (hadThread !== undefined && this.#kept.thread !== hadThread);
      return { tests, failure: wholeFailure(hasEnded ? "crash" : "unhandled", readMessage(error)) };
    } finally {
      endLimit();
    }
  }

  /** The next run has a new thread, with these variables. */
  async renew(env: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.#kept.end();
    this.passed.clear();
    this.#kept.env = env;
  }

  async close(): Promise<void> {
    await this.#kept.end();
    await this.#vitest.close();
  }

  /** Ends the thread when it has worked for this time. A thread that waits for a core uses nothing. */
  async #limit(limitMs: number, onOver: () => void): Promise<() => void> {
    const begin = await this.#readCpuMs();
    const timer = setInterval(async () => {
      const usedMs = (await this.#readCpuMs()) - begin;
      if (usedMs < limitMs) return;
      clearInterval(timer);
      onOver();
      this.passed.clear();
      await this.#kept.end();
    }, ASK_MS);
    return () => clearInterval(timer);
  }

  /** Of the thread so far; one that is not there yet has used nothing. */
  async #readCpuMs(): Promise<number> {
    const used = await this.#kept.thread?.cpuUsage().catch(() => undefined);
    return used === undefined ? 0 : (used.user + used.system) / 1000;
  }

  #readTests(module: TestModule): TestReach[] {
    const file = this.#nameOf(module);
    return [...module.children.allTests()].flatMap((test) => {
      if (test.result().state === "skipped") return [];
      const { cpuMs = 0, seen = [], before = [] } = test.meta();
      return [{ file, id: test.id, title: test.fullName, cpuMs, seen, before }];
    });
  }

  /** What ends a file may look at all of its tests, so it counts only if all have run. */
  #findFailure(module: TestModule, whole: ReadonlySet<string>): Failure | undefined {
    const file = this.#nameOf(module);
    for (const test of module.children.allTests("failed")) {
      const [error] = test.result().errors ?? [];
      return { file, id: test.id, kind: "test", what: `${test.fullName}: ${readMessage(error)}` };
    }
    const hasRun = [...module.children.allTests("passed")].length > 0;
    if (hasRun && !whole.has(file)) return undefined;
    const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors());
    const [error] = [...module.errors(), ...suites];
    return error === undefined ? undefined : { file, id: "", kind: "file", what: readMessage(error) };
  }

  #nameOf({ moduleId }: TestModule): string {
    return relative(this.#copy, moduleId).replaceAll("\\", "/");
  }
}

function wholeFailure(kind: "timeout" | "crash" | "unhandled", what: string): Failure {
  return { file: "", id: "", kind, what };
}

function readMessage(error: unknown): string {
  const { message } = (error ?? {}) as { readonly message?: unknown };
  return String(message ?? error)
    .replace(/\s+/g, " ")
    .slice(0, 200);
}
