import { hostname } from "node:os";
import { countOf, formatCount } from "../../ground/math/counts.ts";
import type { JobFailure } from "../../product/cluster/queue/failure.ts";
import { shortenName } from "../../product/cluster/queue/task.ts";
import type { TaskWorker } from "../../product/cluster/queue/worker.ts";
import { type Context, defineCommand } from "../command.ts";
import { usageError } from "../fail.ts";
import { addQueue } from "../queueOptions.ts";
import { readDuration, readWhole, TIMER_DAYS, WORKERS_MOST } from "../values.ts";
import type { WorkerParts } from "./worker/openWorker.ts";

interface Options {
  readonly redis: string;
  readonly redisPrefix?: string;
  readonly concurrency?: number;
  readonly tapes?: string;
  readonly cache?: string;
  readonly takeover?: number;
  readonly idle?: number;
  readonly metrics?: number;
  readonly metricsHost?: string;
  readonly telemetry?: boolean;
}

/** Time without a sign of life after which other workers take over the jobs of a worker, ms. */
const TAKEOVER_MS = 30_000;

export const workerCommand = defineCommand<Options>({
  name: "worker",
  summary: "Make the jobs that commands on other machines have put into a queue",
  description:
    "Takes jobs from a queue in Redis, makes them in threads, and stores their results in Redis. The jobs come from " +
    "commands with --redis: sweep, walk-forward, monte-carlo, scenario run, fuzz run and fuzz explore. A worker runs the code of " +
    "strategies that the queue names, so Redis must be yours alone. It takes only jobs of its own version of perplab and " +
    "its own Node line. It needs the packages bullmq and ioredis. After SIGTERM or Ctrl-C it finishes its jobs and takes " +
    "no more. A second Ctrl-C ends it at once, and other workers take over its jobs.",
  examples: [
    {
      args: "worker --redis redis://127.0.0.1:6379 --idle 1s",
      does: "Make the jobs of a queue on this machine, and end after a second without a job",
    },
    {
      args: "worker --redis redis://127.0.0.1:6379 --metrics 0 --idle 1s",
      does: "The same, and serve metrics for Prometheus",
    },
    {
      args: "worker --redis redis://127.0.0.1:6379 --concurrency 2 --tapes data --takeover 10s --idle 1s",
      does: "Two jobs at once, with the tapes of a folder",
    },
  ],
  configure(command) {
    addQueue(command)
      .option(
        "--concurrency <count>",
        "runs at once, and as many other jobs (default: one for each core)",
        readWhole("--concurrency", WORKERS_MOST),
      )
      .option("--tapes <place>", "folder or address with the tapes of the jobs (default: out/runs/tapes)")
      .option("--cache <folder>", "folder for code of strategies and copies of tapes (default: out/worker)")
      .option(
        "--takeover <time>",
        "time without a sign of life after which others take over its jobs (default: 30s)",
        readDuration("--takeover", TIMER_DAYS),
      )
      .option("--idle <time>", "end after this time without a job (default: never)", readDuration("--idle", TIMER_DAYS))
      .option(
        "--metrics <port>",
        "serve metrics for Prometheus at this port, under /metrics; 0 for any that is free",
        readWhole("--metrics", 65_535),
      )
      .option("--metrics-host <address>", "address of the metrics (default: 127.0.0.1, this machine only)")
      .option("--telemetry", "write traces with OpenTelemetry; needs bullmq-otel and an SDK in this process");
  },
  async run(context, _args, options) {
    if (options.concurrency === 0) {
      throw usageError("OPTION_INVALID", "must be at least 1", {
        place: "--concurrency",
        hint: "write a number from 1 on",
      });
    }
    if (options.metricsHost !== undefined && options.metrics === undefined) {
      throw usageError("OPTION_MISSING", "an address of metrics needs their port", {
        place: "--metrics-host",
        hint: "add --metrics PORT",
      });
    }
    const { openWorker } = await import("./worker/openWorker.ts");
    const { availableParallelism } = await import("node:os");
    const log = new WorkerLog(context, options.idle);
    const parts = await openWorker({
      ...options,
      concurrency: options.concurrency ?? availableParallelism(),
      takeoverMs: options.takeover ?? TAKEOVER_MS,
      name: `${hostname()}:${process.pid}`,
      events: log,
      onRedis: log.onRedis,
    });
    try {
      for (const line of parts.words) context.terminal.err(line);
      await waitForEnd(context, parts, log);
    } finally {
      await parts.close();
    }
    log.finish();
  },
});

/** Prints what a worker does, and detects when it has had no job for a while. */
class WorkerLog {
  readonly #context: Context;
  readonly #idleMs: number | undefined;
  #done = 0;
  #spared = 0;
  #failed = 0;
  #lastTrouble = "";
  #timer: NodeJS.Timeout | undefined;
  #onIdle: () => void = () => undefined;

  constructor(context: Context, idleMs: number | undefined) {
    this.#context = context;
    this.#idleMs = idleMs;
  }

  readonly onDone = (_task: unknown, isSpared: boolean): void => {
    this.#done++;
    if (isSpared) this.#spared++;
    this.#lastTrouble = "";
    this.watchIdle();
  };

  readonly onFailed = (id: string, { code, message, place }: JobFailure, isFinal: boolean): void => {
    this.#failed++;
    const where = place === undefined ? "" : `${place}: `;
    const then = isFinal ? "failed" : "failed and is tried again";
    this.#context.terminal.err(`${shortenName(id)} ${then}: ${code}: ${where}${message}`);
    this.watchIdle();
  };

  /** Prints a problem once, however often it repeats. */
  readonly onTrouble = (reason: string): void => {
    if (reason === this.#lastTrouble) return;
    this.#lastTrouble = reason;
    this.#context.terminal.err(`problem: ${reason}`);
  };

  readonly onRedis = (isAway: boolean): void => {
    if (isAway) this.onTrouble("Redis is away; the worker waits for it");
    else {
      this.#lastTrouble = "";
      this.#context.terminal.err("Redis is back");
    }
  };

  /** Restarts the time without a job. */
  watchIdle(onIdle = this.#onIdle): void {
    this.#onIdle = onIdle;
    clearTimeout(this.#timer);
    if (this.#idleMs !== undefined) this.#timer = setTimeout(onIdle, this.#idleMs);
  }

  finish(): void {
    clearTimeout(this.#timer);
    const { terminal, json } = this.#context;
    const counts = { done: this.#done, spared: this.#spared, failed: this.#failed };
    if (json) terminal.out(JSON.stringify(counts));
    else terminal.out(`${countOf(counts.done, "job")} done, ${formatCount(counts.failed)} failed attempts`);
  }
}

/** Time to give up jobs at a second signal, ms. */
const GIVE_UP_MS = 2_000;

/** Resolves when the worker has ended: after a signal or a time without a job. A second signal ends it at once. */
async function waitForEnd({ terminal }: Context, { worker, isAway }: WorkerParts, log: WorkerLog): Promise<void> {
  let ending: Promise<void> | undefined;
  let off = () => undefined as void;
  await new Promise<void>((resolve, reject) => {
    const end = (work: (from: TaskWorker) => Promise<void>) => {
      ending = work(worker);
      ending.then(resolve, reject);
    };
    const onSignal = (signal: NodeJS.Signals) => {
      // To drain takes an answer of Redis, which is not needed without a job.
      const isIdle = isAway() && !worker.isBusy();
      if (ending !== undefined || isIdle) {
        terminal.err(isIdle ? "ends at once; it has no job" : "ends at once; other workers take over its jobs");
        off();
        // The signal ends the process if Redis does not answer. A process that has ended before does not wait for this.
        setTimeout(() => process.kill(process.pid, signal), GIVE_UP_MS).unref();
        return end((from) => from.close());
      }
      terminal.err("drains: finishes its jobs and takes no more");
      end((from) => from.drain());
    };
    const onIdle = () => {
      if (worker.isBusy() || isAway()) return log.watchIdle();
      if (ending === undefined) end((from) => from.drain());
    };
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, onSignal);
    off = () => {
      for (const signal of ["SIGTERM", "SIGINT"] as const) process.off(signal, onSignal);
    };
    log.watchIdle(onIdle);
  }).finally(off);
}
