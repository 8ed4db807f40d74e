import { mkdirSync } from "node:fs";
import type { TapeManifest } from "../../product/market-data/types.ts";
import type { RunEngine } from "../../product/research/runs/engine.ts";
import type { RunJob } from "../../product/research/runs/job.ts";
import type { RunStore } from "../../product/research/runs/runStore.ts";
import type { Context } from "../command.ts";
import type { LoadedStrategy } from "../loadStrategy.ts";
import type { PolicyOptions } from "../policy.ts";

/** Where records are kept unless a command says otherwise. */
export const STORE = "out/runs";

export interface RunsRequest extends PolicyOptions {
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
  /** Makes every run. */
  readonly fresh: RunEngine;
  readonly workers: number;
}

/** Longest time of one run by default. */
const LIMIT_MS = 3_600_000;

/**
 * Opens a store, and an engine of threads that makes the results that it does not have. Records that are damaged are
 * named on the terminal and made again.
 *
 * @throws {DataError} the fault of the data
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

  mkdirSync(folder, { recursive: true });
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
  return {
    manifest,
    tape,
    base,
    hashes,
    store,
    engine: createStoredEngine(fresh, store),
    fresh,
    workers,
  };
}
