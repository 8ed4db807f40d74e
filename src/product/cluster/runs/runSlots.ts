import type { Worker } from "node:worker_threads";
import type { RunEngine } from "../../research/runs/engine.ts";
import type { RunJob } from "../../research/runs/job.ts";
import type { RunResult } from "../../research/runs/record.ts";
import type { ThreadSetup } from "../../research/runs/threads/messages.ts";
import { createThreadEngine } from "../../research/runs/threads/threadEngine.ts";

/** Paths of the strategies and of the tape on this machine, and the time limit of the run. */
export interface RunPlace {
  /** Path of each strategy's module, by the hash of the strategy. */
  readonly strategies: Readonly<Record<string, string>>;
  readonly tapePath: string;
  /** Time limit, ms. */
  readonly limitMs: number;
}

/** A thread with the strategies and the tape that it has loaded. */
interface Slot {
  readonly key: string;
  readonly engine: RunEngine;
}

/**
 * Threads that make one run at a time each. A thread keeps its strategies and its tape for further runs. A job with
 * others gets a new thread, so that strategies of different jobs never share one.
 */
export class RunSlots {
  readonly #create: (setup: ThreadSetup) => Worker;
  readonly #most: number;
  readonly #idle: Slot[] = [];
  readonly #busy = new Set<Slot>();

  /** @param most threads at once */
  constructor(most: number, create: (setup: ThreadSetup) => Worker) {
    this.#most = most;
    this.#create = create;
  }

  /** @throws {RunError} a failure that all runs of the strategy or tape would have; the reason of the signal */
  async run(job: RunJob, place: RunPlace, signal: AbortSignal): Promise<RunResult> {
    const slot = await this.#take(job, place);
    try {
      for await (const result of slot.engine.run([{ job }], { signal })) return result;
      throw new Error("an engine returned no result");
    } finally {
      this.#busy.delete(slot);
      this.#idle.push(slot);
    }
  }

  async close(): Promise<void> {
    const all = [...this.#idle, ...this.#busy];
    this.#idle.length = 0;
    await Promise.all(all.map(({ engine }) => engine.close()));
  }

  async #take(job: RunJob, place: RunPlace): Promise<Slot> {
    const key = JSON.stringify([job.code, job.data, place]);
    const at = this.#idle.findIndex((slot) => slot.key === key);
    const [known] = at < 0 ? [] : this.#idle.splice(at, 1);
    const slot = known ?? { key, engine: this.#open(job, place) };
    this.#busy.add(slot);
    // At the limit, the thread that has been idle longest ends.
    const rest = this.#idle.length + this.#busy.size > this.#most ? this.#idle.shift() : undefined;
    await rest?.engine.close();
    return slot;
  }

  #open({ code, data }: RunJob, { strategies, tapePath, limitMs }: RunPlace): RunEngine {
    const places = { strategies, tapes: { [data]: tapePath } };
    return createThreadEngine({ workers: 1, limitMs, create: () => this.#create({ places, code }) });
  }
}
