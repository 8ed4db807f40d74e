// `npm run test:cluster`: a sweep of 1,000 runs on 4 worker processes, with kill -9 of workers, command and Redis after
// counted results. Its table has to be that of threads, for both ways in which Redis writes its log.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { importFiles } from "../src/product/market-data/importFiles.ts";
import { renderBars, waves } from "../test/helpers/bars.ts";
import { runChaos } from "../test/helpers/cluster/chaos.ts";
import { NO_REDIS } from "../test/helpers/cluster/redis.ts";
import { TURNS } from "../test/product/research/runs/turns.ts";

const { values } = parseArgs({
  options: {
    jobs: { type: "string", default: "1000" },
    workers: { type: "string", default: "4" },
    kills: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
  },
});

if (NO_REDIS !== undefined) {
  console.log(`skipped: ${NO_REDIS}`);
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), "perplab-cluster-"));
let faults = 0;
try {
  const bars = join(folder, "BTC-PERP-klines-1h.csv");
  writeFileSync(bars, renderBars(waves(200)));
  writeFileSync(join(folder, "turns.js"), TURNS);
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  await importFiles({ sources: [{ path: bars }], out: join(folder, "btc.tape") });
  const [jobs, workers, kills, seed] = [values.jobs, values.workers, values.kills, values.seed].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  for (const fsync of ["always", "everysec"] as const) {
    console.log(`== ${jobs} jobs, ${workers} workers, appendfsync ${fsync}`);
    const began = performance.now();
    const result = await runChaos({ folder, jobs, workers, kills, fsync, seed, log: console.log });
    const { killed, counters, stored, isEqual } = result;
    const holds = isEqual && stored === jobs;
    if (!holds) faults++;
    console.log(
      `${holds ? "ok  " : "FAIL"} ${stored} results stored, table ${isEqual ? "equal" : "not equal"} to threads; ` +
        `killed: ${killed.worker} workers, ${killed.command} commands, ${killed.redis} times Redis; ` +
        `${counters.twice} runs made twice, ${counters.spared} spared; ` +
        `${Math.round((performance.now() - began) / 1000)} s`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = faults === 0 ? 0 : 1;
