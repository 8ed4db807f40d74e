import type { Connection } from "../../product/cluster/queue/connection.ts";
import { Coordinator } from "../../product/cluster/queue/coordinator.ts";
import { deliver, Hints, type TaskSender } from "../../product/cluster/queue/deliver.ts";
import { ClusterError, type ClusterErrorCode } from "../../product/cluster/queue/errors.ts";
import type { Outcome, Task } from "../../product/cluster/queue/task.ts";
import type { JobResult } from "../fuzz/campaign/execute.ts";
import type { Job } from "../fuzz/campaign/job.ts";
import { type JobEnd, ShiftResults } from "../fuzz/campaign/shiftResults.ts";
import type { Crew, Shift, ShiftPlan } from "../fuzz/campaign/workerPool.ts";
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
  const rounds = new QueueRounds({ sender: coordinator, hints, shared, ...(checkMs && { checkMs }) });
  return {
    run: (jobs, isOver, plan) => rounds.run(jobs, isOver, plan),
    async close() {
      await rounds.close();
      await coordinator.close();
      await connection.close();
    },
  };
}

/** The queue of a search, and what its tasks have in common. */
export interface RoundSettings {
  readonly sender: CaseSender;
  readonly hints: Hints;
  readonly shared: CaseShared;
  /** Time between two checks of all sent cases, ms. */
  readonly checkMs?: number;
}

/**
 * Calls of `Crew.run` on a queue. All jobs of a call are sent at once, and those that are no longer needed are removed.
 * The jobs of the next call follow them, so a worker without a job of this call takes one of those.
 */
export class QueueRounds {
  readonly #settings: RoundSettings;
  /** Tasks that were sent for the next call. */
  #ahead: readonly Task[] = [];

  constructor(settings: RoundSettings) {
    this.#settings = settings;
  }

  /** @throws {ClusterError} a failure that every case of the search would have */
  async run(
    jobs: readonly Job[],
    isOver: (first: readonly JobResult[]) => boolean,
    { order = [...jobs.keys()], ahead = [] }: ShiftPlan = {},
  ): Promise<Shift> {
    const { sender, hints, shared, checkMs } = this.#settings;
    const tasks = jobs.map((job) => createCaseTask(job, shared));
    const later = ahead.map((job) => createCaseTask(job, shared));
    const results = new ShiftResults(jobs, isOver);
    const end = new AbortController();
    const { signal } = end;
    const ask = () => {
      if (!signal.aborted && results.isOver()) end.abort();
    };
    const onDone = (outcome: Outcome, place: number) => {
      const at = order[place];
      // The result of a job of the next call remains in Redis.
      if (at === undefined) return;
      results.add(at, readEnd(tasks[at]!, outcome));
      ask();
    };
    ask();
    const timer = setInterval(ask, ASK_MS);
    this.#ahead = later;
    try {
      const sent = [...order.map((at) => tasks[at]!), ...later];
      for await (const _ of deliver(sender, hints, sent, { onDone, signal, ...(checkMs && { checkMs }) }));
    } catch (error) {
      if (!signal.aborted || error !== signal.reason) throw error;
    } finally {
      clearInterval(timer);
      await this.#withdraw(tasks.filter((_, at) => !results.has(at)));
    }
    return results.close();
  }

  /** Takes the jobs of a next call back, which does not come. */
  async close(): Promise<void> {
    await this.#withdraw(this.#ahead);
  }

  async #withdraw(tasks: readonly Task[]): Promise<void> {
    // If Redis is unreachable, the tasks stay there, and the same search uses their results.
    await this.#settings.sender.withdraw(tasks).catch(() => undefined);
  }
}

/** @throws {ClusterError} a failure that every case of the search would have */
function readEnd({ id }: Task, outcome: Outcome): JobEnd {
  if (outcome.kind === "done") return { kind: "done", result: readResult(id, outcome.text) };
  const height = readTimeout(outcome);
  if (height !== undefined) return { kind: "timedOut", height };
  const { code, message, place, hint } = outcome;
  throw new ClusterError(code as ClusterErrorCode, message, { place, hint });
}
