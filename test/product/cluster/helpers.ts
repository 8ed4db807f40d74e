import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { readLine } from "../../../src/cli/runs/queueLines.ts";
import { readAddress } from "../../../src/product/cluster/queue/address.ts";
import { type Connection, connect } from "../../../src/product/cluster/queue/connection.ts";
import type { Line } from "../../../src/product/cluster/queue/line.ts";
import { makeProbe } from "../../../src/product/cluster/runs/probe.ts";
import { createQueueEngine } from "../../../src/product/cluster/runs/queueEngine.ts";
import { nameCodes, packStrategy, type StrategyCode } from "../../../src/product/cluster/runs/strategyCode.ts";
import type { RunEngine } from "../../../src/product/research/runs/engine.ts";
import type { RunRecord } from "../../../src/product/research/runs/record.ts";
import { type CliProcess, startWorker } from "../../helpers/cluster/processes.ts";
import { type Fsync, TestRedis } from "../../helpers/cluster/redis.ts";
import { type Bench, createBench } from "../research/runs/helpers.ts";

/** A strategy, a tape and a Redis, all of one test. */
export interface ClusterBench {
  readonly bench: Bench;
  readonly redis: TestRedis;
  readonly line: Line;
  /** A connection for looking. */
  readonly connection: Connection;
  /** An engine of its own connection. */
  engine(settings?: {
    readonly limitMs?: number;
    readonly checkMs?: number;
    readonly probe?: string;
    readonly code?: StrategyCode;
  }): Promise<RunEngine>;
  /** A worker in a process of its own, with the tape of the bench. */
  worker(...words: string[]): Promise<CliProcess>;
  /** Path of a marker that a run of mode `hold` waits for. */
  readonly marker: string;
  release(): void;
  /** Resolves when a run waits for its marker. */
  isHeld(): Promise<void>;
}

export async function createClusterBench(settings: readonly string[] = [], fsync?: Fsync): Promise<ClusterBench> {
  const bench = await createBench();
  const redis = await TestRedis.start(settings, fsync);
  onTestFinished(() => redis.close());
  const address = readAddress(redis.url);
  const connection = await connect(address);
  onTestFinished(() => connection.close());
  const line = await readLine();
  const own = await makeProbe();
  const turns = packStrategy(bench.job().strategies[0]!.strategy, {
    id: "turns",
    path: bench.strategyPath,
    example: undefined,
  });
  const home = join(bench.folder, "worker");
  mkdirSync(home);
  const marker = join(bench.folder, "go");
  return {
    bench,
    redis,
    line,
    connection,
    marker,
    async engine({ limitMs = 600_000, checkMs = 200, probe = own, code = turns } = {}) {
      const shared = { line, codes: nameCodes([code]), tape: basename(bench.tapePath), limitMs, probe };
      return createQueueEngine({ connection: await connect(address), shared, codes: [code], checkMs });
    },
    async worker(...words) {
      const worker = await startWorker(home, redis.url, ["--tapes", bench.folder, "--takeover", "2s", ...words]);
      onTestFinished(() => worker.kill());
      return worker;
    },
    release: () => writeFileSync(marker, ""),
    async isHeld() {
      while (!existsSync(`${marker}.begun`)) await sleep(10);
    },
  };
}

/** Records of an engine, which is closed. */
export async function recordsOf(engine: RunEngine, jobs: Parameters<typeof makeJobs>[0]): Promise<RunRecord[]> {
  const records: RunRecord[] = [];
  try {
    for await (const { record } of engine.run(makeJobs(jobs))) records.push(record);
  } finally {
    await engine.close();
  }
  return records;
}

function makeJobs(jobs: readonly RunRecord["job"][]) {
  return jobs.map((job) => ({ job }));
}
