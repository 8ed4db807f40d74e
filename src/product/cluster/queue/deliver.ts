import type { Outcome, Task } from "./task.ts";

/** The part of a queue that a delivery uses. */
export interface TaskSender {
  /** Sends the tasks that have no result yet. Returns the outcomes of the others. */
  send(tasks: readonly Task[]): Promise<ReadonlyMap<string, Outcome>>;
  /** Returns the outcomes of the tasks that have ended. */
  inspect(tasks: readonly Task[]): Promise<ReadonlyMap<string, Outcome>>;
  /** Stores the contents again that tasks refer to and that Redis has lost. */
  refresh(): Promise<void>;
}

/** Most tasks in the queue at once: enough for a thousand threads, and a few megabytes of Redis. */
const SENT_MOST = 2_000;
/** Tasks in one call of `send` or `inspect`. */
const BATCH = 100;
/** Most outcomes that wait for an earlier one. */
const AHEAD_MOST = 10_000;
/** Time between two checks of all sent tasks, ms. They find outcomes whose event was lost. */
const CHECK_MS = 2_000;

/** Options of a delivery. */
export interface DeliveryEvents {
  /** Called for each task when it ends, in the order of the ends. */
  readonly onDone?: (outcome: Outcome, index: number) => void;
  readonly signal?: AbortSignal | undefined;
  /** Time between two checks of all sent tasks, ms. */
  readonly checkMs?: number;
}

/** Names of ended tasks, from events of the queue. An event may be lost or come twice, so a name is only a hint. */
export class Hints {
  readonly #ids = new Set<string>();
  #wake: () => void = () => undefined;

  add(id: string): void {
    this.#ids.add(id);
    this.#wake();
  }

  /** Returns the names since the last call. */
  take(): Set<string> {
    const taken = new Set(this.#ids);
    this.#ids.clear();
    return taken;
  }

  /** Interrupts a wait. */
  wake(): void {
    this.#wake();
  }

  /** Resolves at the next hint, or after `ms`. */
  async wait(ms: number): Promise<void> {
    if (this.#ids.size > 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = () => undefined;
  }
}

/**
 * Sends tasks to workers and returns their outcomes in the order of the tasks. At most `SENT_MOST` are in the queue at
 * once. A task with the same name as an earlier one is not sent again.
 *
 * @throws the reason of the signal, or the error of the queue
 */
export async function* deliver(
  sender: TaskSender,
  hints: Hints,
  tasks: Iterable<Task>,
  { onDone, signal, checkMs = CHECK_MS }: DeliveryEvents,
): AsyncGenerator<Outcome> {
  const open = tasks[Symbol.iterator]();
  const outcomes = new Map<number, Outcome>();
  const out = new Map<string, { readonly task: Task; readonly indices: number[] }>();
  let taken = 0;
  let returned = 0;
  let isOver = false;
  let checkedMs = performance.now();

  const settle = (ended: ReadonlyMap<string, Outcome>) => {
    for (const [id, outcome] of ended) {
      for (const index of out.get(id)?.indices ?? []) {
        outcomes.set(index, outcome);
        onDone?.(outcome, index);
      }
      out.delete(id);
    }
  };
  const takeBatch = () => {
    const batch: Task[] = [];
    while (!isOver && batch.length < BATCH && out.size < SENT_MOST && taken - returned < AHEAD_MOST) {
      const { done, value } = open.next();
      if (done === true) isOver = true;
      else {
        const known = out.get(value.id);
        if (known === undefined) batch.push(value);
        const entry = known ?? { task: value, indices: [] };
        entry.indices.push(taken++);
        out.set(value.id, entry);
      }
    }
    return batch;
  };
  const tasksOf = (ids: Iterable<string>) => [...ids].flatMap((id) => out.get(id)?.task ?? []);

  const onAbort = () => hints.wake();
  signal?.addEventListener("abort", onAbort);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const next = outcomes.get(returned);
      if (next !== undefined) {
        outcomes.delete(returned++);
        yield next;
        continue;
      }
      if (isOver && returned === taken) return;
      const batch = takeBatch();
      if (batch.length > 0) settle(await sender.send(batch));
      const hinted = tasksOf(hints.take());
      if (hinted.length > 0) settle(await sender.inspect(hinted));
      if (performance.now() - checkedMs >= checkMs) {
        await sender.refresh();
        for (const part of splitAt([...out.keys()], BATCH)) settle(await sender.inspect(tasksOf(part)));
        checkedMs = performance.now();
      }
      const isIdle = batch.length === 0 && hinted.length === 0 && !outcomes.has(returned);
      if (isIdle) await hints.wait(Math.max(1, checkMs - (performance.now() - checkedMs)));
    }
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}

function splitAt<Value>(values: readonly Value[], size: number): Value[][] {
  const parts: Value[][] = [];
  for (let at = 0; at < values.length; at += size) parts.push(values.slice(at, at + size));
  return parts;
}
