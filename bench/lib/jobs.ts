/** Jobs in processes of their own, results kept line by line, so that a stopped run resumes where it was. */
import { type ChildProcess, fork } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";

export interface JobsOptions<Job, Done> {
  /** Module of the worker: it answers each message with one. */
  readonly worker: string;
  readonly workers: number;
  readonly jobs: readonly Job[];
  /** Seconds after which a worker that says nothing is ended. */
  readonly patience: number;
  /** A job that wants an environment of its own gets a worker of its own, with these variables besides. */
  envOf?(job: Job): Readonly<Record<string, string>> | undefined;
  /** Result of a job whose worker was ended or died. */
  lost(job: Job, why: "timeout" | "crash"): Done;
  /** Called with every result, in no certain order. */
  onDone(done: Done, job: Job): void;
}

/** Runs every job. The order of results depends on the workers, the results do not. */
export async function runJobs<Job, Done>(options: JobsOptions<Job, Done>): Promise<void> {
  const queue = [...options.jobs];
  const lanes = Array.from({ length: Math.min(options.workers, queue.length) }, () => runLane(queue, options));
  await Promise.all(lanes);
}

async function runLane<Job, Done>(queue: Job[], options: JobsOptions<Job, Done>): Promise<void> {
  const { worker, patience, onDone, lost } = options;
  let shared: JobProcess<Job, Done> | undefined;
  for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
    const env = options.envOf?.(job);
    const isNew = env !== undefined || shared === undefined || shared.hasEnded;
    const own: JobProcess<Job, Done> = isNew ? new JobProcess(worker, env) : shared!;
    const answer = await own.ask(job, patience);
    if (env === undefined) shared = own;
    else own.end();
    onDone(typeof answer === "string" ? lost(job, answer) : answer.done, job);
  }
  shared?.end();
}

/** Answer of a job: its result, or why there is none. */
export type Answer<Done> = { readonly done: Done } | "timeout" | "crash";

/** A process of a worker's module, which runs one job at a time. */
export class JobProcess<Job, Done> {
  readonly #child: ChildProcess;
  #hasEnded = false;

  /**
   * @param env        variables besides those of this process
   * @param isDetached a Ctrl-C in the terminal does not reach it
   */
  constructor(worker: string, env: Readonly<Record<string, string>> = {}, isDetached = false) {
    this.#child = fork(worker, {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      env: { ...process.env, ...env },
      detached: isDetached,
    });
    this.#child.once("exit", () => {
      this.#hasEnded = true;
    });
    // A message to a process that has just ended: its exit is the answer.
    this.#child.on("error", () => undefined);
  }

  /** Whether it takes no further job. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Runs a job. A process that does not answer in time is ended. */
  ask(job: Job, patience: number): Promise<Answer<Done>> {
    const child = this.#child;
    return new Promise((resolve) => {
      const finish = (answer: Answer<Done>) => {
        clearTimeout(timer);
        child.off("message", onMessage);
        child.off("exit", onExit);
        if (typeof answer === "string") this.end();
        resolve(answer);
      };
      const onMessage = (done: unknown) => finish({ done: done as Done });
      const onExit = () => finish("crash");
      const timer = setTimeout(() => finish("timeout"), patience * 1000);
      child.on("message", onMessage);
      child.on("exit", onExit);
      if (this.#hasEnded) onExit();
      else child.send(job as object);
    });
  }

  /** Ends it at once. */
  end(): void {
    this.#hasEnded = true;
    this.#child.kill("SIGKILL");
  }
}

/** Lines of JSON in a file; a line that was cut off is left out. */
export function readLines<T>(path: string): T[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        return line === "" ? [] : [JSON.parse(line) as T];
      } catch {
        return [];
      }
    });
}

export function appendLine(path: string, value: object): void {
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, `${JSON.stringify(value)}\n`);
}
