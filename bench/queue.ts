/**
 * What a queue costs: jobs without work from a command to a worker and back, over a Redis of its own. Both are in this
 * process, so its CPU is that of both. A result has 3 kB, as the record of a run.
 *
 *     npm run bench -- queue            node bench/queue.ts [--small] [--json] [--record]
 *
 * One at a time shows the cost of a job; 16 at once show how many a second pass through one command and one worker.
 * Every result is compared with what its job must give.
 */
import { connect } from "../src/product/cluster/queue/connection.ts";
import { Coordinator } from "../src/product/cluster/queue/coordinator.ts";
import { deliver, Hints } from "../src/product/cluster/queue/deliver.ts";
import type { Line } from "../src/product/cluster/queue/line.ts";
import type { Task } from "../src/product/cluster/queue/task.ts";
import { startWorker } from "../src/product/cluster/queue/worker.ts";
import { NO_REDIS, TestRedis } from "../test/helpers/cluster/redis.ts";
import { median, report, timeTask } from "./lib/measure.ts";

const small = process.argv.includes("--small");
const line: Line = { perplab: "bench", code: "b".repeat(64), node: 0 };
const FILLING = "0.0123 ".repeat(430);
const resultOf = (id: string) => `${id} ${FILLING}`;

/** Delivers jobs without work. */
async function deliverAll(redis: TestRedis, name: string, count: number, concurrency: number) {
  const address = { url: redis.url, prefix: "bench" };
  const [forWorker, forCommand] = [await connect(address), await connect(address)];
  const events = { onDone: () => undefined, onFailed: () => undefined, onTrouble: console.error };
  const worker = await startWorker(forWorker, {
    name,
    line,
    concurrency,
    takeoverMs: 30_000,
    events,
    handler: async ({ id }) => resultOf(id),
  });
  const hints = new Hints();
  const coordinator = new Coordinator(forCommand, line, (id) => hints.add(id));
  const tasks = Array.from(
    { length: count },
    (_, at): Task => ({ id: `${name}-${at}`, kind: "run", line, body: FILLING }),
  );
  const timed = await timeTask(async () => {
    let next = 0;
    for await (const outcome of deliver(coordinator, hints, tasks, {})) {
      const expected = resultOf(`${name}-${next++}`);
      if (outcome.kind !== "done" || outcome.text !== expected) throw new Error(`job ${next} has another result`);
    }
  });
  await coordinator.close();
  await worker.drain();
  await forWorker.close();
  await forCommand.close();
  return timed;
}

/** CPU of Redis so far, s. */
async function cpuOf(redis: TestRedis): Promise<number> {
  const info = await redis.command("INFO cpu");
  const read = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, "m").exec(info)?.[1]);
  return read("used_cpu_sys") + read("used_cpu_user");
}

async function main(): Promise<void> {
  if (NO_REDIS !== undefined) {
    console.error(`queue: nothing is measured: ${NO_REDIS}`);
    report("queue", []);
    return;
  }
  const redis = await TestRedis.start([], "everysec");
  try {
    const [costs, rates, cpus, ofRedis]: [number[], number[], number[], number[]] = [[], [], [], []];
    const [few, many] = small ? [20, 100] : [500, 5_000];
    for (let round = 0; round < (small ? 1 : 3); round++) {
      const one = await deliverAll(redis, `one${round}`, few, 1);
      const before = await cpuOf(redis);
      const several = await deliverAll(redis, `several${round}`, many, 16);
      costs.push((one.wall * 1_000) / few);
      rates.push(many / several.wall);
      ofRedis.push((((await cpuOf(redis)) - before) * 1_000) / many);
      cpus.push((several.cpu * 1_000) / many);
    }
    const target = small ? {} : { target: "<= 5" };
    report("queue", [
      { name: "one job after the other, wall time of a job", value: median(costs), unit: "ms", ...target },
      { name: "16 at once, jobs through one command and one worker", value: median(rates), unit: "/s" },
      { name: "16 at once, CPU of a job, command and worker", value: median(cpus), unit: "ms", ...target },
      { name: "16 at once, CPU of a job, Redis", value: median(ofRedis), unit: "ms" },
    ]);
  } finally {
    await redis.close();
  }
}

await main();
