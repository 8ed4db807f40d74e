import type { Worker } from "node:worker_threads";
import type { Setup } from "../fuzz/campaign/execute.ts";
import type { Job } from "../fuzz/campaign/job.ts";
import { type Crew, createCrew, type Shift } from "../fuzz/campaign/workerPool.ts";

/** A thread and its settings. */
interface Slot {
  readonly key: string;
  readonly crew: Crew;
  /** True if the thread has ended by itself. */
  hasEnded: boolean;
}

/** Threads that run one case at a time each. A thread has fixed settings; a case with others gets a new thread. */
export class CaseSlots {
  readonly #most: number;
  readonly #create: (setup: Setup) => Worker;
  #idle: Slot[] = [];
  readonly #busy = new Set<Slot>();

  /** @param most threads at once */
  constructor(most: number, create: (setup: Setup) => Worker) {
    this.#most = most;
    this.#create = create;
  }

  /** @throws {FuzzError} WORKER_LOST, or the error of a module that the thread could not load */
  async run(job: Job, setup: Setup, caseMs: number, signal: AbortSignal): Promise<Shift> {
    const slot = await this.#take(setup, caseMs);
    // A running case can only be stopped by ending its thread.
    const onAbort = () => void slot.crew.close();
    signal.addEventListener("abort", onAbort);
    let isFit = false;
    try {
      signal.throwIfAborted();
      const shift = await slot.crew.run([job], () => false);
      isFit = shift.timedOut === undefined;
      return shift;
    } finally {
      signal.removeEventListener("abort", onAbort);
      this.#busy.delete(slot);
      if (isFit && !slot.hasEnded) this.#idle.push(slot);
      else await slot.crew.close();
    }
  }

  async close(): Promise<void> {
    const all = [...this.#idle, ...this.#busy];
    this.#idle = [];
    await Promise.all(all.map(({ crew }) => crew.close()));
  }

  async #take(setup: Setup, caseMs: number): Promise<Slot> {
    const key = JSON.stringify([setup, caseMs]);
    this.#idle = this.#idle.filter(({ hasEnded }) => !hasEnded);
    const at = this.#idle.findIndex((slot) => slot.key === key);
    const [known] = at < 0 ? [] : this.#idle.splice(at, 1);
    const slot = known ?? this.#open(key, setup, caseMs);
    this.#busy.add(slot);
    // At the limit, the thread that has been idle longest ends.
    const rest = this.#idle.length + this.#busy.size > this.#most ? this.#idle.shift() : undefined;
    await rest?.crew.close();
    return slot;
  }

  #open(key: string, setup: Setup, caseMs: number): Slot {
    const thread = this.#create(setup);
    const slot: Slot = { key, crew: createCrew(1, caseMs, () => thread), hasEnded: false };
    // A thread may fail while it has no case. Without a listener, Node would end the process.
    thread.on("error", () => undefined);
    thread.once("exit", () => {
      slot.hasEnded = true;
    });
    return slot;
  }
}
