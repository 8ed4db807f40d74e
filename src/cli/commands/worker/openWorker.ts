import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { countOf } from "../../../ground/math/counts.ts";
import type { Connection } from "../../../product/cluster/queue/connection.ts";
import type { Line } from "../../../product/cluster/queue/line.ts";
import type { TaskHandler, TaskWorker, WorkerEvents } from "../../../product/cluster/queue/worker.ts";
import type { TapeFinder } from "../../../product/cluster/runs/tapes/tapeFinder.ts";
import { makeFolder } from "../../../product/files/makeFolder.ts";
import { TAPES } from "../../../product/research/runs/storeFiles.ts";
import { usageError } from "../../fail.ts";
import { createJobWorker } from "../../jobs/createJobWorker.ts";
import { KINDS } from "../../jobs/kinds.ts";
import { JOB_LIMIT_MS } from "../../jobs/openJobs.ts";
import { listExamples, loadStrategy } from "../../loadStrategy.ts";
import { createRunWorker } from "../../runs/createRunWorker.ts";
import { STORE } from "../../runs/openRuns.ts";
import { type QueueOptions, readQueueAddress } from "../../runs/queueAddress.ts";
import { readFullLine, readLine } from "../../runs/queueLines.ts";
import { createWorker } from "../fuzz/createWorker.ts";
import type { WorkerMetrics } from "./metrics.ts";

export interface WorkerRequest extends QueueOptions {
  readonly redis: string;
  readonly concurrency: number;
  readonly tapes?: string;
  readonly cache?: string;
  readonly takeoverMs: number;
  /** Port of the metrics; undefined for no metrics. */
  readonly metrics?: number;
  readonly metricsHost?: string;
  readonly name: string;
  readonly events: WorkerEvents;
  /** Called when Redis is away (true), and when it is back (false). */
  readonly onRedis: (isAway: boolean) => void;
}

export interface WorkerParts {
  readonly worker: TaskWorker;
  /** Lines that describe the worker. */
  readonly words: readonly string[];
  /** True while Redis does not answer. */
  readonly isAway: () => boolean;
  /** Ends threads and connections. */
  close(): Promise<void>;
}

/** Default folder for code and copies of tapes. */
const CACHE = "out/worker";
/** Default address of the metrics: this machine only. */
const METRICS_HOST = "127.0.0.1";

/**
 * Opens a worker, with its metrics.
 *
 * @throws {ClusterError} a Redis that cannot be used
 * @throws {CliError} a port of metrics that is taken
 */
export async function openWorker(request: WorkerRequest): Promise<WorkerParts> {
  const { metrics: port, metricsHost = METRICS_HOST } = request;
  if (port === undefined) return connectWorker(request);
  const { serveMetrics } = await import("./serveMetrics.ts");
  const served = await serveMetrics(metricsHost, port);
  try {
    const parts = await connectWorker(request, served.metrics);
    return {
      ...parts,
      words: [...parts.words, `metrics at ${served.url}`],
      async close() {
        await parts.close();
        await served.close();
      },
    };
  } catch (error) {
    await served.close();
    throw error;
  }
}

/** Connects a worker to its two queues: that of runs, and that of all other jobs. */
async function connectWorker(request: WorkerRequest, metrics?: WorkerMetrics): Promise<WorkerParts> {
  const { connect } = await import("../../../product/cluster/queue/connection.ts");
  const { describeLine } = await import("../../../product/cluster/queue/line.ts");
  const { startWorker } = await import("../../../product/cluster/queue/worker.ts");
  const { makeProbe } = await import("../../../product/cluster/runs/probe.ts");
  const { createRunHandler } = await import("../../../product/cluster/runs/runHandler.ts");
  const { createJobHandler } = await import("../../../product/cluster/jobs/jobHandler.ts");
  const { createThreadJobs } = await import("../../../product/jobs/threads/threadJobs.ts");
  const { createCaseHandler } = await import("../../../proof/cluster/caseHandler.ts");
  const { CASE_KIND } = await import("../../../proof/cluster/caseTask.ts");
  const { concurrency, takeoverMs, name } = request;
  const events = metrics?.count(request.events) ?? request.events;
  const address = await readQueueAddress(request);
  const folder = resolve(request.cache ?? CACHE);
  const tapes = await openTapes(request.tapes, folder);
  makeCache(folder);
  const connection = await connect(address, request.onRedis);
  try {
    const line = await readLine();
    const probe = await makeProbe();
    const examples = await findExamples();
    const runs = createRunHandler({
      connection,
      tapes,
      folder,
      concurrency,
      probe,
      examples: (example) => examples.get(example),
      create: createRunWorker,
    });
    const cases = createCaseHandler({ concurrency, probe, create: createWorker });
    const threads = createThreadJobs({ workers: concurrency, create: createJobWorker, limitMs: JOB_LIMIT_MS });
    const jobs = createJobHandler({ connection, probe, engine: threads, kinds: Object.keys(KINDS) });
    const others: TaskHandler = (task, signal) => (task.kind === CASE_KIND ? cases.handler : jobs)(task, signal);
    const fullLine = await readFullLine();
    const closeQueues = metrics === undefined ? undefined : await watchLengths(metrics, connection, [line, fullLine]);
    const time = (handler: TaskHandler): TaskHandler => metrics?.time(handler) ?? handler;
    const shared = { concurrency, takeoverMs, events };
    const workers = [
      await startWorker(connection, { ...shared, name, line, handler: time(runs.handler) }),
      await startWorker(connection, {
        ...shared,
        name: `${name}/others`,
        line: fullLine,
        handler: time(others),
      }),
    ];
    const isBusy = () => workers.some((worker) => worker.isBusy());
    const words = `${name}: ${describeLine(line)}, ${countOf(concurrency, "job")} at once, jobs from ${connection.place}`;
    return {
      worker: {
        isBusy,
        drain: async () => void (await Promise.all(workers.map((worker) => worker.drain()))),
        close: async () => void (await Promise.all(workers.map((worker) => worker.close()))),
      },
      words: [words],
      isAway: () => connection.redis.status !== "ready",
      async close() {
        await runs.close();
        await cases.close();
        await threads.close();
        await closeQueues?.();
        await connection.close();
      },
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Lets the metrics read the lengths of both queues together. Returns a function that ends this. */
async function watchLengths(
  metrics: WorkerMetrics,
  connection: Connection,
  lines: readonly Line[],
): Promise<() => Promise<void>> {
  const { countJobs, JOB_STATES } = await import("../../../product/cluster/queue/survey.ts");
  const { openQueue } = await import("../../../product/cluster/queue/task.ts");
  const queues = lines.map((line) => openQueue(connection, line));
  metrics.watchQueue(async () => {
    if (connection.redis.status !== "ready") return undefined;
    const counts = await Promise.all(queues.map(countJobs));
    return Object.fromEntries(JOB_STATES.map((state) => [state, counts.reduce((sum, one) => sum + one[state], 0)]));
  });
  return async () => {
    metrics.watchQueue(async () => undefined);
    await Promise.all(queues.map((queue) => queue.close()));
  };
}

async function openTapes(named: string | undefined, cache: string): Promise<TapeFinder> {
  const { TapeFolder } = await import("../../../product/cluster/runs/tapes/tapeFolder.ts");
  const { TapeServer } = await import("../../../product/cluster/runs/tapes/tapeServer.ts");
  const place = named ?? join(STORE, TAPES);
  if (/^https?:\/\//.test(place)) return new TapeServer(place, join(cache, "tapes"));
  if (!/^\w+:\/\//.test(place)) {
    // A worker without its tapes would use up the attempts of jobs that other workers can make.
    if (named !== undefined) checkFolder(named);
    return new TapeFolder(place);
  }
  throw usageError("OPTION_INVALID", `${JSON.stringify(place)} is neither a folder nor an address`, {
    place: "--tapes",
    hint: "write a folder, or http://… or https://…",
  });
}

function makeCache(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory()) {
    const hint = "name a folder, or leave it out for out/worker";
    throw usageError("FOLDER_EXPECTED", `${path} is a file, a folder was expected`, { place: "--cache", hint });
  }
  makeFolder(path);
}

function checkFolder(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  const place = "--tapes";
  const hint = "name the folder or address that has the tapes";
  if (stats === undefined) throw usageError("FILE_MISSING", `there is no folder ${path}`, { place, hint });
  if (stats.isDirectory()) return;
  throw usageError("FOLDER_EXPECTED", `${path} is a file, a folder was expected`, { place, hint });
}

/** Paths of the examples by name. */
async function findExamples(): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const name of listExamples()) found.set(name, (await loadStrategy(name)).path);
  return found;
}
