import type { Worker } from "node:worker_threads";
import type { Setup } from "../fuzz/campaign/execute.ts";
import type { Job } from "../fuzz/campaign/job.ts";
import { type Crew, createCrew, type Shift } from "../fuzz/campaign/workerPool.ts";

/** A thread, and the settings that it was made with. */
interface Slot {
  readonly key: string;
  readonly crew: Crew;
  /** Whether the thread has ended by itself. */
  hasEnded: boolean;
}

/** Threads that run one case each. A thread keeps its settings; it is replaced if a case has others. */
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

  /** @throws {FuzzError} WORKER_LOST, or what the thread could not load */
  async run(job: Job, setup: Setup, caseMs: number, signal: AbortSignal): Promise<Shift> {
    const slot = await this.#take(setup, caseMs);
    // Its end is the only way to stop a thread.
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
    // The thread that was idle longest makes room.
    const rest = this.#idle.length + this.#busy.size > this.#most ? this.#idle.shift() : undefined;
    await rest?.crew.close();
    return slot;
  }

  #open(key: string, setup: Setup, caseMs: number): Slot {
    const thread = this.#create(setup);
    const slot: Slot = { key, crew: createCrew(1, caseMs, () => thread), hasEnded: false };
    // A thread may end while it has no case. Without a listener, Node would end the process.
    thread.on("error", () => undefined);
    thread.once("exit", () => {
      slot.hasEnded = true;
    });
    return slot;
  }
}
