import type { Batch, JobEngine, JobEvents } from "../../jobs/engine.ts";
import { JobError } from "../../jobs/errors.ts";
import type { Connection } from "../queue/connection.ts";
import { type Content, createContent } from "../queue/contents.ts";
import { Coordinator } from "../queue/coordinator.ts";
import { deliver, Hints, type TaskSender } from "../queue/deliver.ts";
import type { Outcome, Task } from "../queue/task.ts";
import { createJobTask, type JobShared, readJobResult } from "./jobTask.ts";

export interface QueueJobsSettings {
  /** Closed with the engine. */
  readonly connection: Connection;
  readonly shared: JobShared;
  /** Time between two checks of all sent jobs, ms. */
  readonly checkMs?: number;
}

/** The part of a queue that a batch uses. */
export interface JobSender extends TaskSender {
  /** Stores a content that tasks refer to. */
  keep(content: Content): Promise<void>;
  /** Removes tasks that no worker has started. */
  withdraw(tasks: readonly Task[]): Promise<void>;
}

/** An engine whose jobs are made by workers of a queue. */
export function createQueueJobs({ connection, shared, checkMs }: QueueJobsSettings): JobEngine {
  const board = new HintBoard();
  const coordinator = new Coordinator(connection, shared.line, (id) => board.add(id));
  return {
    run: (batch, events = {}) => board.use((hints) => runOnQueue(coordinator, hints, batch, shared, events, checkMs)),
    async close() {
      await coordinator.close();
      await connection.close();
    },
  };
}

/** Gives hints to all batches that are made at the same time: each takes those of its own jobs. */
export class HintBoard {
  readonly #open = new Set<Hints>();

  add(id: string): void {
    for (const hints of this.#open) hints.add(id);
  }

  /** Makes a batch with hints of its own. */
  async use<Result>(make: (hints: Hints) => Promise<Result>): Promise<Result> {
    const hints = new Hints();
    this.#open.add(hints);
    try {
      return await make(hints);
    } finally {
      this.#open.delete(hints);
    }
  }
}

/** Makes a batch. If a job fails, the jobs that no worker has started are removed. */
export async function runOnQueue(
  sender: JobSender,
  hints: Hints,
  { kind, shared: text, parts }: Batch,
  shared: JobShared,
  { onDone, signal }: JobEvents,
  checkMs?: number,
): Promise<readonly string[]> {
  const content = text === "" ? undefined : createContent(text);
  if (content !== undefined) await sender.keep(content);
  const tasks = parts.map((part) => createJobTask(kind, content, part, shared));
  const results: string[] = [];
  try {
    // Outcomes come in the order of the parts, so the first failure does not depend on the workers.
    const delivery = deliver(sender, hints, tasks, {
      signal,
      ...(onDone === undefined ? {} : { onDone: (_outcome, at) => onDone(at) }),
      ...(checkMs === undefined ? {} : { checkMs }),
    });
    for await (const outcome of delivery) results.push(readOutcome(tasks[results.length]!, outcome));
    return results;
  } catch (error) {
    // If Redis is unreachable, the tasks stay there, and the same command uses their results.
    await sender.withdraw(tasks.slice(results.length)).catch(() => undefined);
    throw error;
  }
}

/** @throws {JobError} the failure of the job */
function readOutcome({ id }: Task, outcome: Outcome): string {
  if (outcome.kind === "done") return readJobResult(id, outcome.text);
  const { code, message, place, hint } = outcome;
  // RUN_FAILED is the queue's code for any error without a code.
  throw new JobError(code === "RUN_FAILED" ? "JOB_FAILED" : code, message, { place, hint });
}
