/** The side of a worker: jobs of a bench in processes of the copy. */
import { ClusterError } from "../../src/product/cluster/queue/errors.ts";
import { FinalError, type TaskHandler } from "../../src/product/cluster/queue/worker.ts";
import { type BenchBody, LOST, TIMEOUT } from "./benchTask.ts";
import { JobProcess } from "./jobs.ts";
import { writeDone } from "./queueJobs.ts";

export interface BenchHandlerSettings {
  /** Name of the bench, which every job must have. */
  readonly bench: string;
  /** Module of the processes, in the copy. */
  readonly worker: string;
  /** Makes the message to a process from a job as it was sent. Default: they are the same. */
  prepare?(job: unknown): Promise<unknown>;
}

/** Runs jobs, each in a process that runs no other meanwhile. A process is used again. */
export function createBenchHandler({ bench, worker, prepare }: BenchHandlerSettings): {
  handler: TaskHandler;
  close(): void;
} {
  const idle: JobProcess<unknown, unknown>[] = [];
  const busy = new Set<JobProcess<unknown, unknown>>();

  const handler: TaskHandler = async ({ id, kind, body }, signal) => {
    if (kind !== bench) {
      throw new FinalError({
        code: "JOB_MALFORMED",
        message: `this worker has no kind of job ${JSON.stringify(kind)}`,
      });
    }
    const { job: sent, env, patience } = body as BenchBody;
    const job = prepare === undefined ? sent : await prepare(sent);
    const known = env === undefined ? idle.pop() : undefined;
    const isNew = known === undefined || known.hasEnded;
    // A worker that was interrupted ends its jobs first.
    const own = isNew ? new JobProcess<unknown, unknown>(worker, env, true) : known;
    busy.add(own);
    const onAbort = () => own.end();
    signal.addEventListener("abort", onAbort);
    const answer = await own.ask(job, patience);
    signal.removeEventListener("abort", onAbort);
    busy.delete(own);
    if (env !== undefined) own.end();
    else if (!own.hasEnded) idle.push(own);
    if (signal.aborted) throw new FinalError({ code: "JOB_CANCELLED", message: "the job was cancelled" });
    if (answer === "timeout")
      throw new FinalError({ code: TIMEOUT, message: `the job did not end within ${patience} seconds` });
    // Another worker may have more memory.
    if (answer === "crash") throw new ClusterError(LOST, "the process of the job ended without an answer");
    return writeDone(id, answer.done);
  };
  return {
    handler,
    close() {
      for (const one of [...idle, ...busy]) one.end();
    },
  };
}
