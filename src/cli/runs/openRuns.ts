import { makeFolder } from "../../product/files/makeFolder.ts";
import type { TapeManifest } from "../../product/market-data/types.ts";
import type { RunEngine } from "../../product/research/runs/engine.ts";
import type { RunJob } from "../../product/research/runs/job.ts";
import type { RunStore } from "../../product/research/runs/runStore.ts";
import type { Context } from "../command.ts";
import type { LoadedStrategy } from "../loadStrategy.ts";
import type { PolicyOptions } from "../policy.ts";
import type { QueueOptions } from "./queueAddress.ts";

/** Where records are kept unless a command says otherwise. */
export const STORE = "out/runs";

export interface RunsRequest extends PolicyOptions, QueueOptions {
  readonly strategies: readonly LoadedStrategy[];
  readonly data: readonly string[];
  readonly store?: string;
  readonly workers?: number;
  /** Time of one run, ms. */
  readonly limitMs?: number;
}

/** An engine with everything that its jobs have in common. */
export interface Runs {
  readonly manifest: TapeManifest;
  /** The tape that the runs read, absolute. */
  readonly tape: string;
  readonly base: Pick<RunJob, "code" | "data">;
  /** Hashes of the strategies, in the order of the request. */
  readonly hashes: readonly string[];
  readonly store: RunStore;
  /** Makes results that the store does not have. */
  readonly engine: RunEngine;
  /** Makes every run, on this machine. */
  readonly fresh: RunEngine;
  /** Threads on this machine. */
  readonly workers: number;
  /** True if workers of a queue make new runs. */
  readonly isQueued?: boolean;
}

/** Longest time of one run by default. */
const LIMIT_MS = 3_600_000;

/**
 * Opens a store, and an engine that makes the results that it does not have: in threads, or by workers. Records that
 * are damaged are named on the terminal and made again.
 *
 * @throws {DataError} the fault of the data
 * @throws {ClusterError} a Redis that cannot be used
 */
export async function openRuns(context: Context, request: RunsRequest): Promise<Runs> {
  const { strategies, data, store: folder = STORE, limitMs = LIMIT_MS } = request;
  const { availableParallelism } = await import("node:os");
  const { openTape } = await import("../../product/market-data/tape/openTape.ts");
  const { readTapeHash } = await import("../../product/market-data/tape/tapeHash.ts");
  const { hashCode } = await import("../../product/research/runs/codeHash.ts");
  const { hashStrategy } = await import("../../product/research/runs/strategyHash.ts");
  const { RunStore } = await import("../../product/research/runs/runStore.ts");
  const { createStoredEngine } = await import("../../product/research/runs/storedEngine.ts");
  const { createThreadEngine } = await import("../../product/research/runs/threads/threadEngine.ts");
  const { createRunWorker } = await import("./createRunWorker.ts");
  const { prepareTape } = await import("./prepareTape.ts");

  makeFolder(folder);
  const tape = await prepareTape(context, data, request, folder);
  const source = await openTape(tape);
  const { manifest } = source;
  await source.close();
  const base = { code: hashCode(), data: await readTapeHash(tape) };
  const hashes = strategies.map(({ path }) => hashStrategy(path));
  const paths = Object.fromEntries(strategies.map(({ path }, place) => [hashes[place]!, path]));
  const places = { strategies: paths, tapes: { [base.data]: tape } };
  const workers = request.workers ?? availableParallelism();
  const fresh = createThreadEngine({
    workers,
    create: () => createRunWorker({ places, code: base.code }),
    limitMs,
  });
  const store = new RunStore(folder, (path, reason) =>
    context.terminal.err(`${path}: damaged, ${reason}; the run is made again`),
  );
  const engine = await openMaker(context, request, { fresh, hashes, tape, limitMs });
  return {
    manifest,
    tape,
    base,
    hashes,
    store,
    engine: createStoredEngine(engine, store),
    fresh,
    workers,
    isQueued: request.redis !== undefined,
  };
}

/** The engine of new runs. It closes the threads, too. */
async function openMaker(
  { terminal }: Context,
  { redis, redisPrefix, strategies }: RunsRequest,
  { fresh, hashes, tape, limitMs }: Pick<Runs, "fresh" | "hashes" | "tape"> & { readonly limitMs: number },
): Promise<RunEngine> {
  if (redis === undefined) return fresh;
  const { openQueue } = await import("./openQueue.ts");
  const prefix = redisPrefix === undefined ? {} : { redisPrefix };
  const queue = await openQueue(terminal, { redis, ...prefix, strategies, hashes, tape, limitMs });
  return {
    run: (requests, events) => queue.run(requests, events),
    async close() {
      await queue.close();
      await fresh.close();
    },
  };
}
