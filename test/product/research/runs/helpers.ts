import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { ParamValue } from "../../../../src/client/strategy/params.ts";
import { importFiles } from "../../../../src/product/market-data/importFiles.ts";
import { readTapeHash } from "../../../../src/product/market-data/tape/tapeHash.ts";
import { hashCode } from "../../../../src/product/research/runs/codeHash.ts";
import type { RunEngine } from "../../../../src/product/research/runs/engine.ts";
import type { RunJob, RunOptions } from "../../../../src/product/research/runs/job.ts";
import { createLocalEngine } from "../../../../src/product/research/runs/localEngine.ts";
import { openSources } from "../../../../src/product/research/runs/sources.ts";
import { hashStrategy } from "../../../../src/product/research/runs/strategyHash.ts";
import type { ThreadSetup } from "../../../../src/product/research/runs/threads/messages.ts";
import { createThreadEngine } from "../../../../src/product/research/runs/threads/threadEngine.ts";
import { renderBars, waves } from "../../../helpers/bars.ts";
import { createFolder } from "../../../helpers/project.ts";
import { TURNS } from "./turns.ts";

/** The threads of the command line, with little memory: one that fills it ends soon. */
function createWorker(workerData: ThreadSetup): Worker {
  const file = new URL("../../../../src/cli/runs/worker.ts", import.meta.url);
  return new Worker(file, { workerData, resourceLimits: { maxOldGenerationSizeMb: 128 } });
}

export interface Bench {
  readonly folder: string;
  readonly strategyPath: string;
  readonly tapePath: string;
  readonly job: (params?: Readonly<Record<string, ParamValue>>, options?: RunOptions) => RunJob;
  readonly local: () => RunEngine;
  readonly threads: (workers: number, limitMs?: number) => RunEngine;
}

/** A strategy and a tape in a folder of their own, and engines for them. */
export async function createBench(count = 200): Promise<Bench> {
  const folder = createFolder({ "BTC-PERP-klines-1h.csv": renderBars(waves(count)), "turns.js": TURNS });
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const strategyPath = join(folder, "turns.js");
  const tapePath = join(folder, "btc.tape");
  await importFiles({ sources: [{ path: join(folder, "BTC-PERP-klines-1h.csv") }], out: tapePath });
  const code = hashCode();
  const strategy = hashStrategy(strategyPath);
  const data = await readTapeHash(tapePath);
  const places = { strategies: { [strategy]: strategyPath }, tapes: { [data]: tapePath } };
  return {
    folder,
    strategyPath,
    tapePath,
    job: (params = {}, options = {}) => ({
      code,
      strategies: [{ strategy, params: { every: 5, mode: "", marker: "", ...params } }],
      data,
      options,
    }),
    local: () =>
      createLocalEngine(
        openSources(places, async (path) => ((await import(path)) as { default: never }).default),
        code,
      ),
    threads: (workers, limitMs = 600_000) =>
      createThreadEngine({ workers, limitMs, create: () => createWorker({ places, code }) }),
  };
}

/** The results of an engine, which is closed. */
export async function makeAll(engine: RunEngine, jobs: readonly RunJob[]) {
  try {
    const results = [];
    for await (const result of engine.run(jobs.map((job) => ({ job })))) results.push(result);
    return results;
  } finally {
    await engine.close();
  }
}
