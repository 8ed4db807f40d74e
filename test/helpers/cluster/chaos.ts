/** A sweep over a queue whose workers, command and Redis are killed again and again. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "../../../src/ground/math/random.ts";
import { readAddress } from "../../../src/product/cluster/queue/address.ts";
import { connect } from "../../../src/product/cluster/queue/connection.ts";
import { type Counters, readCounters } from "../../../src/product/cluster/queue/results.ts";
import { CliProcess, startWorker } from "./processes.ts";
import { type Fsync, TestRedis } from "./redis.ts";

export interface ChaosOptions {
  /** With `turns.js` and `btc.tape` in it. */
  readonly folder: string;
  readonly jobs: number;
  readonly workers: number;
  readonly fsync: Fsync;
  /** Kills, spread evenly over the results. */
  readonly kills: number;
  readonly seed: number;
  readonly log: (text: string) => void;
}

export interface ChaosResult {
  readonly killed: Readonly<Record<"worker" | "command" | "redis", number>>;
  /** Of Redis; with `everysec` those that it lost with the end of its log are missing. */
  readonly counters: Counters;
  /** Records in the store. */
  readonly stored: number;
  /** Whether the written table is that of threads. */
  readonly isEqual: boolean;
}

/** Bytes of its log that Redis may lose with `everysec`. */
const LOST_MOST = 60_000;

/** Kills after counted results, not after times: what is tested does not depend on the speed of the machine. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const { folder, jobs, workers: count, fsync, kills, log } = options;
  const random = Random.ofSeed([options.seed, 0x9a, 0x11, 0x5e]);
  const redis = await TestRedis.start([], fsync);
  const sweep = ["sweep", "turns.js", "--data", "btc.tape", "--grid", `every=2..${jobs + 1}:1`];
  const store = join(folder, `store-${fsync}`);
  const call = [...sweep, "--store", store, "--out", `${fsync}.json`, "--redis", redis.url];
  const openWorker = () =>
    startWorker(folder, redis.url, ["--tapes", folder, "--concurrency", "1", "--takeover", "2s"]);
  const killed = { worker: 0, command: 0, redis: 0 };
  // A new worker starts while the others work.
  const workers = Array.from({ length: count }, openWorker);
  let command = new CliProcess(folder, call);
  try {
    for (let turn = 1; turn <= kills; turn++) {
      const due = Math.floor((turn * jobs) / (kills + 1));
      while (countRecords(store) < due && !command.isOver) await sleep(20);
      if (command.isOver) break;
      const victim = (["worker", "redis", "worker", "command"] as const)[turn % 4]!;
      killed[victim]++;
      log(`${countRecords(store)} of ${jobs} results: kill -9 of ${victim}`);
      if (victim === "worker") {
        const at = random.between(0, count - 1);
        await (await workers[at]!).kill();
        workers[at] = openWorker();
      } else if (victim === "command") {
        await command.kill();
        command = new CliProcess(folder, call);
      } else {
        await redis.kill();
        if (fsync === "everysec") redis.cutLog(random.between(1, Math.min(LOST_MOST, redis.logBytes)));
        await redis.start();
      }
    }
    const status = await command.ended;
    if (status !== 0) throw new Error(`the command ended with ${status}:\n${command.err}`);
    const connection = await connect(readAddress(redis.url));
    const counters = await readCounters(connection);
    await connection.close();
    const threads = new CliProcess(folder, [
      ...sweep,
      "--store",
      join(folder, "store-threads"),
      "--out",
      "threads.json",
    ]);
    if ((await threads.ended) !== 0) throw new Error(threads.err);
    const read = (name: string) => readFileSync(join(folder, name), "utf8");
    return { killed, counters, stored: countRecords(store), isEqual: read(`${fsync}.json`) === read("threads.json") };
  } finally {
    await command.kill();
    for (const worker of workers) await (await worker.catch(() => undefined))?.kill();
    await redis.close();
  }
}

function countRecords(store: string): number {
  if (!existsSync(store)) return 0;
  return readdirSync(store, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".run")).length;
}
