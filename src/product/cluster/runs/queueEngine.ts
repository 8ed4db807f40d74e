import { createFailedRecord } from "../../research/runs/createRecord.ts";
import type { RunEngine, RunEvents } from "../../research/runs/engine.ts";
import { RunError } from "../../research/runs/errors.ts";
import { hashJob, type RunJob } from "../../research/runs/job.ts";
import type { RunRecord, RunRequest, RunResult } from "../../research/runs/record.ts";
import type { Connection } from "../queue/connection.ts";
import { Coordinator } from "../queue/coordinator.ts";
import { deliver, Hints } from "../queue/deliver.ts";
import type { Outcome, Task } from "../queue/task.ts";
import { createRunTask, type RunShared } from "./runTask.ts";
import { type StrategyCode, showHomes } from "./strategyCode.ts";

export interface QueueEngineSettings {
  /** Closed with the engine. */
  readonly connection: Connection;
  readonly shared: RunShared;
  /** Code of each strategy. */
  readonly codes: readonly StrategyCode[];
  /** Time between two checks of all sent jobs, ms. */
  readonly checkMs?: number;
}

/** Failures that concern one run. Any other failure would occur in all runs, and ends the command. */
const OF_ONE_RUN: ReadonlySet<string> = new Set(["RUN_TIMEOUT", "WORKER_LOST", "RUN_FAILED", "JOB_CANCELLED"]);

/**
 * An engine whose runs are made by workers of a queue. It returns records only. A report is large, so the machine of
 * the command makes it.
 */
export function createQueueEngine({ connection, shared, codes, checkMs }: QueueEngineSettings): RunEngine {
  const hints = new Hints();
  const coordinator = new Coordinator(connection, shared.line, (id) => hints.add(id));
  return {
    run: (requests, events = {}) => run(coordinator, hints, codes, requests, shared, events, checkMs),
    async close() {
      await coordinator.close();
      await connection.close();
    },
  };
}

async function* run(
  coordinator: Coordinator,
  hints: Hints,
  codes: readonly StrategyCode[],
  requests: Iterable<RunRequest>,
  shared: RunShared,
  { onDone, signal }: RunEvents,
  checkMs: number | undefined,
): AsyncGenerator<RunResult> {
  for (const { content } of codes) await coordinator.keep(content);
  const jobs = new Map<number, RunJob>();
  const results = new Map<number, RunResult>();
  const tasks = function* (): Generator<Task> {
    let index = 0;
    for (const { job, report } of requests) {
      if (report !== undefined) throw new Error("a report is not made by a queue");
      jobs.set(index++, job);
      yield createRunTask(job, shared);
    }
  };
  const end = (outcome: Outcome, index: number) => {
    const job = jobs.get(index)!;
    jobs.delete(index);
    const result: RunResult = { record: readRecord(job, outcome, codes) };
    results.set(index, result);
    onDone?.(result, index);
  };
  let next = 0;
  const delivery = deliver(coordinator, hints, tasks(), {
    onDone: end,
    signal,
    ...(checkMs === undefined ? {} : { checkMs }),
  });
  try {
    for await (const _ of delivery) {
      const result = results.get(next)!;
      results.delete(next++);
      yield result;
    }
  } catch (error) {
    // The other runs would fail in the same way, each after all its attempts.
    if (error instanceof RunError) {
      const open = [...jobs.values()].map((job) => createRunTask(job, shared));
      await coordinator.withdraw(open).catch(() => undefined);
    }
    throw error;
  }
}

/** @throws {RunError} a failure that would occur in all runs */
function readRecord(job: RunJob, outcome: Outcome, codes: readonly StrategyCode[]): RunRecord {
  if (outcome.kind === "done") {
    const record = JSON.parse(showHomes(outcome.text, codes)) as RunRecord;
    if (record.hash === hashJob(job)) return record;
    throw new RunError("RUN_FAILED", `the queue has the record of another run under the name of ${hashJob(job)}`, {
      hint: "use a Redis of your own: a program that may write to it decides the results",
    });
  }
  const { code, message, place, hint } = outcome;
  if (!OF_ONE_RUN.has(code)) throw new RunError(code, message, { place, hint });
  const error = { code, message, ...(hint === undefined ? {} : { hint }), isFinal: false };
  return createFailedRecord(job, error);
}
