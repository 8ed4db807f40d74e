import type { Worker } from "node:worker_threads";
import type { Reply, ThreadFailure } from "./messages.ts";

/** How the attempt to answer a request in a thread ended. `lost` and `timedOut` leave no thread. */
export type Attempt<Result> =
  | { readonly kind: "done"; readonly result: Result }
  | { readonly kind: "lost"; readonly reason: string }
  | { readonly kind: "timedOut" };

/** What to do about a thread that ended twice with the same work. */
export const HINT_OF_LOST = "if it ran out of memory, use fewer workers; otherwise its code ended the process";

/** How threads are made, and what their failures are. */
export interface ThreadSettings {
  readonly create: () => Worker;
  /** Time of one request, ms, after which its thread is ended. */
  readonly limitMs: number;
  /** The error of a failure that a thread reports. */
  readonly restore: (failure: ThreadFailure) => Error;
}

/** A thread that answers one request at a time. A thread that ends is replaced at the next request. */
export class Thread<Request, Result> {
  readonly #settings: ThreadSettings;
  #worker: Worker | undefined;

  constructor(settings: ThreadSettings) {
    this.#settings = settings;
  }

  /** @throws the failure that the thread reports */
  attempt(request: Request): Promise<Attempt<Result>> {
    const { limitMs, restore } = this.#settings;
    const worker = this.#open();
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const leave = () => {
        clearTimeout(timer);
        worker.off("message", onMessage).off("error", onError).off("exit", onExit);
      };
      const end = (attempt: Attempt<Result>) => {
        leave();
        resolve(attempt);
      };
      const onMessage = (reply: Reply<Result>) => {
        // A thread loads its modules before its first request. That time does not count.
        if (reply.kind === "begun") {
          timer = setTimeout(() => {
            leave();
            void this.stop().then(() => resolve({ kind: "timedOut" }));
          }, limitMs);
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
      worker.postMessage(request);
    });
  }

  #open(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = this.#settings.create();
    this.#worker = worker;
    // Code of a strategy may also fail between two requests: a timer, a promise.
    const forget = () => {
      if (this.#worker === worker) this.#worker = undefined;
    };
    worker.on("error", forget).on("exit", forget);
    return worker;
  }

  /** Ends the thread, and with it the request under way, which counts as lost. */
  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}
