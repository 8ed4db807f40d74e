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
  let child: ChildProcess | undefined;
  for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
    const env = options.envOf?.(job);
    if (env !== undefined) {
      const own = start(options.worker, env);
      const answer = await ask<Job, Done>(own, job, options.patience);
      own.kill("SIGKILL");
      options.onDone(typeof answer === "string" ? options.lost(job, answer) : answer.done, job);
      continue;
    }
    child ??= start(options.worker, {});
    const answer = await ask<Job, Done>(child, job, options.patience);
    if (typeof answer === "string") {
      child.kill("SIGKILL");
      child = undefined;
    }
    options.onDone(typeof answer === "string" ? options.lost(job, answer) : answer.done, job);
  }
  child?.disconnect();
}

function start(worker: string, env: Readonly<Record<string, string>>): ChildProcess {
  return fork(worker, { stdio: ["ignore", "ignore", "inherit", "ipc"], env: { ...process.env, ...env } });
}

function ask<Job, Done>(
  child: ChildProcess,
  job: Job,
  patience: number,
): Promise<{ done: Done } | "timeout" | "crash"> {
  return new Promise((resolve) => {
    const finish = (answer: { done: Done } | "timeout" | "crash") => {
      clearTimeout(timer);
      child.removeAllListeners();
      resolve(answer);
    };
    const timer = setTimeout(() => finish("timeout"), patience * 1000);
    child.on("message", (done) => finish({ done: done as Done }));
    child.on("exit", () => finish("crash"));
    child.send(job as object);
  });
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
