import type { Connection } from "../../product/cluster/queue/connection.ts";
import { Coordinator } from "../../product/cluster/queue/coordinator.ts";
import { deliver, Hints, type TaskSender } from "../../product/cluster/queue/deliver.ts";
import { ClusterError, type ClusterErrorCode } from "../../product/cluster/queue/errors.ts";
import type { Outcome, Task } from "../../product/cluster/queue/task.ts";
import type { JobResult } from "../fuzz/campaign/execute.ts";
import type { Job } from "../fuzz/campaign/job.ts";
import type { Crew, Shift, TimedOutJob } from "../fuzz/campaign/workerPool.ts";
import { readResult } from "./caseResult.ts";
import { type CaseShared, createCaseTask } from "./caseTask.ts";
import { readTimeout } from "./caseTimeout.ts";

export interface QueueCrewSettings {
  /** Closed with the crew. */
  readonly connection: Connection;
  readonly shared: CaseShared;
  /** Time between two checks of all sent cases, ms. */
  readonly checkMs?: number;
}

/** The part of a queue that a round uses. */
export interface CaseSender extends TaskSender {
  /** Removes tasks that no worker has started. */
  withdraw(tasks: readonly Task[]): Promise<void>;
}

/** Time between two calls of `isOver`, ms. */
const ASK_MS = 250;

/** A crew whose cases are run by workers of a queue. */
export function createQueueCrew({ connection, shared, checkMs }: QueueCrewSettings): Crew {
  const hints = new Hints();
  const coordinator = new Coordinator(connection, shared.line, (id) => hints.add(id));
  return {
    run: (jobs, isOver, order) => new Round(jobs, isOver, shared).run(coordinator, hints, order, checkMs),
    async close() {
      await coordinator.close();
      await connection.close();
    },
  };
}

/**
 * The jobs of one call of `Crew.run`, on a queue. All are sent at once, and those that are no longer needed are
 * removed. So the results depend on the jobs alone, unless `isOver` reads a clock.
 */
export class Round {
  readonly #jobs: readonly Job[];
  readonly #tasks: readonly Task[];
  readonly #isOver: (first: readonly JobResult[]) => boolean;
  readonly #results = new Map<number, JobResult>();
  readonly #first: JobResult[] = [];
  readonly #timedOut = new Map<number, TimedOutJob>();
  readonly #end = new AbortController();

  constructor(jobs: readonly Job[], isOver: (first: readonly JobResult[]) => boolean, shared: CaseShared) {
    this.#jobs = jobs;
    this.#isOver = isOver;
    this.#tasks = jobs.map((job) => createCaseTask(job, shared));
  }

  /** @throws {ClusterError} a failure that every case of the search would have */
  async run(sender: CaseSender, hints: Hints, order?: readonly number[], checkMs?: number): Promise<Shift> {
    const sent = order ?? this.#jobs.map((_, at) => at);
    const { signal } = this.#end;
    this.#ask();
    const timer = setInterval(() => this.#ask(), ASK_MS);
    try {
      const delivery = deliver(
        sender,
        hints,
        sent.map((at) => this.#tasks[at]!),
        { onDone: (outcome, place) => this.#take(outcome, sent[place]!), signal, ...(checkMs && { checkMs }) },
      );
      for await (const _ of delivery);
    } catch (error) {
      if (!signal.aborted || error !== signal.reason) throw error;
    } finally {
      clearInterval(timer);
      const open = this.#tasks.filter((_, at) => !this.#results.has(at) && !this.#timedOut.has(at));
      // If Redis is unreachable, the tasks stay there, and the same search uses their results.
      await sender.withdraw(open).catch(() => undefined);
    }
    const timedOut = this.#timedOut.get(this.#first.length);
    return { results: this.#first, ...(timedOut === undefined ? {} : { timedOut }) };
  }

  #take(outcome: Outcome, at: number): void {
    const job = this.#jobs[at]!;
    if (outcome.kind === "done") this.#results.set(at, readResult(this.#tasks[at]!.id, outcome.text));
    else {
      const height = readTimeout(outcome);
      const { code, message, place, hint } = outcome;
      if (height === undefined) throw new ClusterError(code as ClusterErrorCode, message, { place, hint });
      this.#timedOut.set(at, { job, height });
    }
    this.#ask();
  }

  /** Collects the first results, and ends the round if no further result counts. */
  #ask(): void {
    if (this.#end.signal.aborted) return;
    for (let one = this.#results.get(this.#first.length); one !== undefined; ) {
      this.#first.push(one);
      one = this.#results.get(this.#first.length);
    }
    // Results after a case that exceeded its limit do not count.
    if (this.#timedOut.has(this.#first.length) || this.#isOver(this.#first)) this.#end.abort();
  }
}
