import type { JobSender } from "../../../../src/product/cluster/jobs/queueJobs.ts";
import type { Content } from "../../../../src/product/cluster/queue/contents.ts";
import { Hints } from "../../../../src/product/cluster/queue/deliver.ts";
import type { Outcome, Task } from "../../../../src/product/cluster/queue/task.ts";

/** A queue in memory, whose tasks end when the test says so. */
export class FakeQueue implements JobSender {
  readonly hints: Hints = new Hints();
  readonly sent: Task[] = [];
  readonly kept: Content[] = [];
  readonly withdrawn: Task[] = [];
  readonly ended = new Map<string, Outcome>();
  #onSent: () => void = () => undefined;
  /** Resolves when tasks were sent. */
  readonly isSent: Promise<void> = new Promise((resolve) => {
    this.#onSent = resolve;
  });

  async keep(content: Content): Promise<void> {
    this.kept.push(content);
  }

  async send(tasks: readonly Task[]): Promise<ReadonlyMap<string, Outcome>> {
    const done = await this.inspect(tasks);
    this.sent.push(...tasks.filter(({ id }) => !done.has(id)));
    this.#onSent();
    return done;
  }

  async inspect(tasks: readonly Task[]): Promise<ReadonlyMap<string, Outcome>> {
    return new Map(tasks.flatMap(({ id }) => (this.ended.has(id) ? [[id, this.ended.get(id)!] as const] : [])));
  }

  async refresh(): Promise<void> {}

  async withdraw(tasks: readonly Task[]): Promise<void> {
    this.withdrawn.push(...tasks);
  }

  end(id: string, outcome: Outcome): void {
    this.ended.set(id, outcome);
    this.hints.add(id);
  }
}
