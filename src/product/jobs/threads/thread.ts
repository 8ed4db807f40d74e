import type { Worker } from "node:worker_threads";
import { RunError } from "../errors.ts";
import type { RunRequest, RunResult } from "../record.ts";
import type { Reply, Task, ThreadFailure } from "./messages.ts";

/** How the attempt to make a run in a thread ended. `lost` and `timedOut` leave no thread. */
export type Attempt =
  | { readonly kind: "done"; readonly result: RunResult }
  | { readonly kind: "lost"; readonly reason: string }
  | { readonly kind: "timedOut" };

/** A thread that makes one run at a time. A thread that ends is replaced at the next run. */
export class Thread {
  readonly #create: () => Worker;
  readonly #limitMs: number;
  #worker: Worker | undefined;

  /** @param limitMs time of one run, after which its thread is ended */
  constructor(create: () => Worker, limitMs: number) {
    this.#create = create;
    this.#limitMs = limitMs;
  }

  /** @throws {RunError} what all runs would fail with */
  attempt(request: RunRequest): Promise<Attempt> {
    const worker = this.#open();
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const leave = () => {
        clearTimeout(timer);
        worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      };
      const end = (attempt: Attempt) => {
        leave();
        resolve(attempt);
      };
      const onMessage = (reply: Reply) => {
        // A thread loads its modules before its first run. That time does not count for the run.
        if (reply.kind === "begun") {
          timer = setTimeout(() => {
            leave();
            void this.stop().then(() => resolve({ kind: "timedOut" }));
          }, this.#limitMs);
        } else if (reply.kind === "done") end(reply);
        else {
          leave();
          reject(restore(reply.failure));
        }
      };
      const lose = (reason: string) => end({ kind: "lost", reason });
      // After an error its thread ends by itself.
      const onError = (error: unknown) => lose(error instanceof Error ? error.message : String(error));
      const onExit = (code: number) => lose(`it ended with code ${code}`);
      worker.on("message", onMessage).once("error", onError).once("exit", onExit);
      worker.postMessage(request satisfies Task);
    });
  }

  #open(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = this.#create();
    this.#worker = worker;
    // Code of a strategy may also fail between two runs: a timer, a promise.
    const forget = () => {
      if (this.#worker === worker) this.#worker = undefined;
    };
    worker.on("error", forget).on("exit", forget);
    return worker;
  }

  /** Ends the thread, and with it the run under way, which counts as lost. */
  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

function restore({ code, message, place, hint, exitCode, stack }: ThreadFailure): Error {
  const error = new RunError(code ?? "RUN_FAILED", message, { place, hint });
  if (stack !== undefined) error.stack = stack;
  return exitCode === undefined ? error : Object.assign(error, { exitCode });
}
