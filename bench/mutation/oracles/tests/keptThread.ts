/**
 * A thread of Vitest that outlives its run: to load the engine and Vitest takes longer than the tests of most mutants.
 */
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { PoolOptions, PoolRunnerInitializer, PoolWorker, WorkerRequest } from "vitest/node";

type Listener = (argument: unknown) => void;

/** Holds the thread between the runs of one Vitest, whose pool it is. */
export class KeptThread {
  /** Variables of the next thread besides those of Vitest. */
  env: Readonly<Record<string, string>> = {};
  #thread: Worker | undefined;
  #isSetUp = false;

  readonly pool: PoolRunnerInitializer = {
    name: "kept",
    createPoolWorker: (options) => new RunOfThread(this, options),
  };

  /** The thread, once a run has begun. */
  get thread(): Worker | undefined {
    return this.#thread;
  }

  open({ distPath, env, execArgv }: PoolOptions): Worker {
    if (this.#thread !== undefined) return this.#thread;
    const thread = new Worker(join(distPath, "workers", "threads.js"), {
      env: { ...env, ...this.env } as NodeJS.ProcessEnv,
      execArgv,
      stdout: true,
      stderr: true,
    });
    thread.setMaxListeners(0);
    // What tests print is of no use, and without a reader the thread would wait.
    thread.stdout.resume();
    thread.stderr.resume();
    // A thread may end between two runs. Without a listener, Node would end the process.
    thread.on("error", () => undefined);
    thread.once("exit", () => this.#forget(thread));
    this.#thread = thread;
    return thread;
  }

  /** Whether a thread has been set up by an earlier run; notes that it is now. */
  setUp(): boolean {
    const wasSetUp = this.#isSetUp;
    this.#isSetUp = true;
    return wasSetUp;
  }

  /** Ends the thread. The next run has a new one. */
  async end(): Promise<void> {
    const thread = this.#thread;
    if (thread === undefined) return;
    this.#forget(thread);
    await thread.terminate();
  }

  #forget(thread: Worker): void {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    this.#isSetUp = false;
  }
}

/** The thread as the pool of Vitest sees it in one run. Starts and ends after the first start do not reach it. */
class RunOfThread implements PoolWorker {
  readonly name = "kept";
  readonly #kept: KeptThread;
  readonly #options: PoolOptions;
  readonly #listeners: (readonly [event: string, listener: Listener])[] = [];
  #thread: Worker | undefined;

  constructor(kept: KeptThread, options: PoolOptions) {
    this.#kept = kept;
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#thread = this.#kept.open(this.#options);
  }

  async stop(): Promise<void> {
    for (const [event, listener] of this.#listeners) this.#thread?.off(event, listener);
    this.#listeners.length = 0;
  }

  on(event: string, listener: Listener): void {
    this.#thread?.on(event, listener);
    this.#listeners.push([event, listener]);
  }

  off(event: string, listener: Listener): void {
    this.#thread?.off(event, listener);
  }

  send(message: WorkerRequest): void {
    const { type } = message as { readonly type?: string };
    if (type === "start" && this.#kept.setUp()) this.#answer("started");
    else if (type === "stop") this.#answer("stopped");
    else this.#thread?.postMessage(message);
  }

  deserialize(data: unknown): unknown {
    return data;
  }

  #answer(type: "started" | "stopped"): void {
    setImmediate(() => {
      const response = { __vitest_worker_response__: true, type };
      for (const [event, listener] of [...this.#listeners]) if (event === "message") listener(response);
    });
  }
}
