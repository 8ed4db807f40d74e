import { Hints } from "../../../src/product/cluster/queue/deliver.ts";
import type { Outcome, Task } from "../../../src/product/cluster/queue/task.ts";
import { writeResult } from "../../../src/proof/cluster/caseResult.ts";
import type { CaseShared } from "../../../src/proof/cluster/caseTask.ts";
import type { CaseSender } from "../../../src/proof/cluster/queueCrew.ts";
import type { JobResult, Setup } from "../../../src/proof/fuzz/campaign/execute.ts";
import type { Job } from "../../../src/proof/fuzz/campaign/job.ts";
import { createCase } from "../../../src/proof/fuzz/case/fuzzCase.ts";

export const setup: Setup = {
  invariants: "",
  userInvariants: [],
  model: false,
  sweepEvery: 10,
  heavyEvery: 100,
  slack: false,
};

export const shared: CaseShared = {
  line: { perplab: "0.1.0", code: "ab".repeat(32), node: 24 },
  setup,
  caseMs: 1_000,
  probe: "0x00",
};

export function createJob(iteration: number, how: Partial<Job> = {}): Job {
  const looks = { thorough: false, again: false, restored: false, metamorphic: false };
  return { iteration, given: createCase([1, 2], [3, iteration]), ...looks, ...how };
}

export function createResult(iteration: number): JobResult {
  return {
    iteration,
    transactions: 10,
    blocks: 1,
    genes: 1,
    digest: `0x${iteration}`,
    reached: Uint32Array.of(7, 1, 2 ** 32 - 1, 255),
    reachedAt: Uint16Array.of(0, 65_535),
    met: [["sum", 3]],
    nearest: [["margin", { distance: 1.5, height: 4 }]],
  };
}

/** Outcome of a task that ended with a result. */
export function doneOf({ id, body }: Task): Outcome {
  const { iteration } = (body as { readonly job: Job }).job;
  return { kind: "done", text: writeResult(id, createResult(iteration)) };
}

/** A queue whose tasks end when the test says so. */
export class FakeQueue implements CaseSender {
  readonly hints: Hints = new Hints();
  readonly sent: Task[] = [];
  readonly withdrawn: Task[] = [];
  readonly #ended = new Map<string, Outcome>();
  #onSent: () => void = () => undefined;
  /** Resolves when tasks were sent. */
  readonly isSent: Promise<void> = new Promise((resolve) => {
    this.#onSent = resolve;
  });

  async send(tasks: readonly Task[]): Promise<ReadonlyMap<string, Outcome>> {
    this.sent.push(...tasks);
    this.#onSent();
    return this.inspect(tasks);
  }

  async inspect(tasks: readonly Task[]): Promise<ReadonlyMap<string, Outcome>> {
    const known = tasks.flatMap(({ id }): [string, Outcome][] => {
      const outcome = this.#ended.get(id);
      return outcome === undefined ? [] : [[id, outcome]];
    });
    return new Map(known);
  }

  async refresh(): Promise<void> {}

  async withdraw(tasks: readonly Task[]): Promise<void> {
    this.withdrawn.push(...tasks);
  }

  end(iteration: number, outcomeOf: (task: Task) => Outcome = doneOf): void {
    const task = this.sent.find(({ body }) => (body as { readonly job: Job }).job.iteration === iteration)!;
    this.#ended.set(task.id, outcomeOf(task));
    this.hints.add(task.id);
  }
}
