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

/** A strategy that buys and sells by turns every `every` bars, and misbehaves by its parameter `mode`. JavaScript, so that any loader takes it. */
export const TURNS = `import { existsSync, writeFileSync } from "node:fs";
export default {
  id: "turns",
  params: { type: "object", properties: {
    every: { type: "integer", default: 5, minimum: 1, description: "Bars between two turns." },
    mode: { type: "string", default: "", description: "What goes wrong." },
    marker: { type: "string", default: "", description: "A file." },
  }, required: [] },
  init: () => ({ bars: 0, junk: [] }),
  onBar(ctx) {
    const { memory, params } = ctx;
    const turn = ++memory.bars;
    if (turn === 20) {
      if (params.mode === "throw") throw new Error("no luck");
      if (params.mode === "exit") process.exit(7);
      if (params.mode === "loop") for (;;);
      if (params.mode === "hold") {
        writeFileSync(params.marker + ".begun", "");
        while (!existsSync(params.marker)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      }
      if (params.mode === "fill") for (;;) memory.junk.push({ turn });
      if (params.mode === "exitOnce" && !existsSync(params.marker)) { writeFileSync(params.marker, ""); process.exit(7); }
    }
    if (turn % params.every === 0 && params.mode !== "idle") ctx.place({ side: turn / params.every % 2 === 1 ? "buy" : "sell", size: 0.01 });
    ctx.metric("turns", turn);
  },
};
`;

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
