import type { Queue, QueueEvents } from "bullmq";
import { type Connection, toClusterError } from "./connection.ts";
import { type Content, dropContents, putContents } from "./contents.ts";
import type { TaskSender } from "./deliver.ts";
import { readFailure } from "./failure.ts";
import { keysOf } from "./keys.ts";
import { type Line, queueNameOf } from "./line.ts";
import { getResults } from "./results.ts";
import { type Outcome, openQueue, TASK_OPTIONS, type Task } from "./task.ts";

/** Counters of one coordinator. */
export interface CoordinatorCounts {
  /** Jobs that were sent. */
  sent: number;
  /** Jobs that were sent again because Redis had lost them. */
  resent: number;
}

/**
 * Sends the tasks of one command and asks for their outcomes. All its state can be read again from Redis, so the
 * process may be killed at any moment.
 */
export class Coordinator implements TaskSender {
  readonly counts: CoordinatorCounts = { sent: 0, resent: 0 };
  readonly #connection: Connection;
  readonly #queue: Queue<Task>;
  readonly #events: QueueEvents;
  /** By their hash. */
  readonly #contents = new Map<string, Content>();

  /** @param onEnd called with the name of each task of the queue that ends, also of other commands */
  constructor(connection: Connection, line: Line, onEnd: (id: string) => void) {
    const { bullmq, redis, prefix } = connection;
    this.#connection = connection;
    this.#queue = openQueue(connection, line);
    this.#events = new bullmq.QueueEvents(queueNameOf(line), { connection: redis, prefix });
    this.#events.on("error", () => undefined);
    this.#events.on("completed", ({ jobId }) => onEnd(jobId));
    this.#events.on("failed", ({ jobId }) => onEnd(jobId));
  }

  /** Stores contents that later tasks refer to, and stores them again whenever Redis has lost them. */
  async keep(...contents: readonly Content[]): Promise<void> {
    for (const content of contents) this.#contents.set(content.sha256, content);
    await this.refresh();
  }

  /** Removes all contents: no task refers to them any more. */
  async drop(): Promise<void> {
    await this.#guard(() => dropContents(this.#connection, [...this.#contents.values()]));
    this.#contents.clear();
  }

  /** Extends the lifetime of the contents, and stores those again that Redis has lost. */
  async refresh(): Promise<void> {
    await this.#guard(() => putContents(this.#connection, [...this.#contents.values()]));
  }

  /**
   * Sends tasks that have no result yet. A task that failed or was cancelled in an earlier call gets new attempts.
   *
   * @returns outcomes of the tasks that have a result
   */
  async send(tasks: readonly Task[]): Promise<Map<string, Outcome>> {
    return this.#guard(async () => {
      const done = await this.#readResults(tasks.map(({ id }) => id));
      const missing = tasks.filter(({ id }) => !done.has(id));
      const states = await Promise.all(missing.map(({ id }) => this.#queue.getJobState(id)));
      await Promise.all(missing.filter((_, at) => states[at] === "failed").map(({ id }) => this.#queue.remove(id)));
      await this.#forgetCancelled(missing);
      await this.#add(missing);
      this.counts.sent += missing.length;
      return done;
    });
  }

  /** Returns the outcomes of the tasks that have ended. Sends tasks again that Redis has lost. */
  async inspect(tasks: readonly Task[]): Promise<Map<string, Outcome>> {
    return this.#guard(async () => {
      const ended = await this.#readResults(tasks.map(({ id }) => id));
      const open = tasks.filter(({ id }) => !ended.has(id));
      const states = await Promise.all(open.map(({ id }) => this.#queue.getJobState(id)));
      for (const { id } of open.filter((_, at) => states[at] === "failed")) {
        const job = await this.#queue.getJob(id);
        ended.set(id, { kind: "failed", ...readFailure(job?.failedReason) });
      }
      // BullMQ removes a job when it ends. A job that ended between the two reads has a result by now.
      const unknown = open.filter((_, at) => states[at] === "unknown");
      for (const [id, outcome] of await this.#readResults(unknown.map(({ id }) => id))) ended.set(id, outcome);
      await this.#resend(
        unknown.filter(({ id }) => !ended.has(id)),
        ended,
      );
      return ended;
    });
  }

  /** Removes tasks that no worker has started. A running task continues, and its result is kept. */
  async withdraw(tasks: readonly Task[]): Promise<void> {
    await this.#guard(() => Promise.all(tasks.map(({ id }) => this.#queue.remove(id))));
  }

  async close(): Promise<void> {
    // This connection blocks while it waits for events.
    await this.#events.close().catch(() => undefined);
    await this.#queue.close().catch(() => undefined);
  }

  async #readResults(ids: readonly string[]): Promise<Map<string, Outcome>> {
    const texts = await getResults(this.#connection, ids);
    const found = ids.flatMap((id, at): [string, Outcome][] => {
      const text = texts[at];
      return text === undefined ? [] : [[id, { kind: "done", text }]];
    });
    return new Map(found);
  }

  async #resend(tasks: readonly Task[], ended: Map<string, Outcome>): Promise<void> {
    if (tasks.length === 0) return;
    const { redis, prefix } = this.#connection;
    const marks = await redis.mget(tasks.map(({ id }) => keysOf(prefix).cancelled(id)));
    const forgotten = tasks.filter((_, at) => marks[at] === null);
    for (const { id } of tasks.filter((_, at) => marks[at] !== null)) {
      ended.set(id, {
        kind: "failed",
        code: "JOB_CANCELLED",
        message: "the job was cancelled",
        hint: "to send it again, repeat the command",
      });
    }
    await putContents(this.#connection, [...this.#contents.values()]);
    await this.#add(forgotten);
    this.counts.resent += forgotten.length;
  }

  async #add(tasks: readonly Task[]): Promise<void> {
    if (tasks.length === 0) return;
    await this.#queue.addBulk(
      tasks.map((task) => ({ name: task.kind, data: task, opts: { ...TASK_OPTIONS, jobId: task.id } })),
    );
  }

  async #forgetCancelled(tasks: readonly Task[]): Promise<void> {
    const { redis, prefix } = this.#connection;
    if (tasks.length > 0) await redis.unlink(tasks.map(({ id }) => keysOf(prefix).cancelled(id)));
  }

  async #guard<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      throw toClusterError(error, this.#connection.place);
    }
  }
}
