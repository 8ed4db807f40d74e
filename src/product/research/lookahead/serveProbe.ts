import { parentPort, workerData } from "node:worker_threads";
import type { AnyStrategy } from "../../../client/strategy/strategy.ts";
import { openTape } from "../../market-data/tape/openTape.ts";
import { watchFiles } from "./fileWatch.ts";
import { type ProbeJob, type ProbeResult, runProbe } from "./probe.ts";

/** The setup of a thread. */
export interface ProbeThread {
  readonly job: ProbeJob;
  /** Names or paths of the strategies. */
  readonly strategies: readonly string[];
  /** A tape that only this check knows: the strategy reads another file. */
  readonly tape: string;
  /** Folders whose files are not the strategy's. */
  readonly own: readonly string[];
}

/** The answer of a thread: the result, or the fields of an error. */
export type ProbeAnswer = { readonly result: ProbeResult } | { readonly error: Readonly<Record<string, unknown>> };

/**
 * Runs the job of this thread and posts its answer.
 *
 * @param load loads a strategy by name or path
 */
export async function serveProbe(load: (strategy: string) => Promise<AnyStrategy>): Promise<void> {
  const { job, strategies, tape, own } = workerData as ProbeThread;
  parentPort!.postMessage(await answer(job, strategies, tape, own, load));
}

async function answer(
  job: ProbeJob,
  strategies: readonly string[],
  tape: string,
  own: readonly string[],
  load: (strategy: string) => Promise<AnyStrategy>,
): Promise<ProbeAnswer> {
  try {
    const watch = watchFiles(job.redirects ?? {}, own);
    const data = await openTape(tape);
    try {
      const loaded: AnyStrategy[] = [];
      for (const strategy of strategies) loaded.push(await load(strategy));
      const run = await runProbe(job, loaded, data);
      return { result: { ...run, reads: watch.reads, builtins: watch.builtins } };
    } finally {
      await data.close();
    }
  } catch (error) {
    // A thread is sent the message of an error and not its code.
    const { name, message, stack, ...fields } = error as Error & Readonly<Record<string, unknown>>;
    const { code, place, hint, exitCode, file, line, column } = fields;
    return { error: { name, message, stack, code, place, hint, exitCode, file, line, column } };
  }
}
