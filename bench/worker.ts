/**
 * Does jobs of a bench that another machine has put into a queue in Redis. Jobs run in a changed copy of the sources,
 * which the worker makes from its own clone. It takes jobs of the same copy and Node line only.
 *
 *     node bench/worker.ts perpbench --redis redis://HOST:6379
 *     node bench/worker.ts perpbench --redis redis://HOST:6379 --concurrency 2 --takeover 60
 *
 * `--redis-prefix` and PERPLAB_REDIS_PASSWORD are those of `perplab worker`. SIGTERM or Ctrl-C ends it after the jobs
 * under way, a second one at once.
 */
import { availableParallelism, hostname } from "node:os";
import { parseArgs } from "node:util";
import { readQueueAddress } from "../src/cli/runs/queueAddress.ts";
import { type Connection, connect } from "../src/product/cluster/queue/connection.ts";
import { describeLine } from "../src/product/cluster/queue/line.ts";
import { startWorker, type TaskWorker, type WorkerEvents } from "../src/product/cluster/queue/worker.ts";
import { BENCHES } from "./lib/benches.ts";
import { createBenchHandler } from "./lib/benchHandler.ts";
import { lineOfCopy } from "./lib/benchTask.ts";
import { endWithFault } from "./lib/fault.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    redis: { type: "string" },
    "redis-prefix": { type: "string" },
    concurrency: { type: "string", default: String(availableParallelism()) },
    takeover: { type: "string", default: "30" },
  },
});
const [name = "", ...words] = positionals;
const { redis } = values;
const open = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
if (open === undefined) refuse(`name a bench: ${Object.keys(BENCHES).join(", ")}`);
if (redis === undefined) refuse("--redis is missing: the address of the queue, redis://HOST:PORT");
const concurrency = readCount(values.concurrency, "concurrency");
const takeoverMs = readCount(values.takeover, "takeover") * 1000;

const say = (text: string) => console.error(text);
const { bench, version, worker, prepare } = await open(words).catch((error: Error) => refuse(error.message));
const line = lineOfCopy({ bench, version });
const own = `${hostname()}:${process.pid}/${bench}`;
let done = 0;
const { connection, taker, close } = await start(redis, values["redis-prefix"]).catch(endWithFault);
say(`${own}: ${describeLine(line)}, ${concurrency} jobs at once, jobs from ${connection.place}`);

let isEnding = false;
for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, async () => {
    const isSecond = isEnding;
    isEnding = true;
    say(isSecond ? "ends at once" : "ends the jobs under way, and takes no others");
    // At a second signal it does not wait for Redis, which may be away. Other workers take over its jobs.
    if (!isSecond) await taker.drain();
    close();
    if (!isSecond) await connection.close();
    say(`ended, ${done} jobs done`);
    process.exit();
  });
}

async function start(
  address: string,
  prefix: string | undefined,
): Promise<{ connection: Connection; taker: TaskWorker; close(): void }> {
  const place = await readQueueAddress({ redis: address, ...(prefix === undefined ? {} : { redisPrefix: prefix }) });
  const opened = await connect(place, (isAway) => say(isAway ? "Redis is away" : "Redis is back"));
  const { handler, close } = createBenchHandler({
    bench,
    worker,
    ...(prepare && { prepare: (job: unknown) => prepare(opened, job) }),
  });
  const events: WorkerEvents = {
    onDone: () => done++,
    onFailed: (id, { code, message }, isFinal) => say(`${id}: ${code} ${message}${isFinal ? "" : "; tried again"}`),
    onTrouble: say,
  };
  return {
    connection: opened,
    close,
    taker: await startWorker(opened, { name: own, line, concurrency, takeoverMs, handler, events }),
  };
}

function readCount(text: string, option: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  return refuse(`--${option} must be a whole number above 0, not ${text}`);
}

function refuse(reason: string): never {
  console.error(reason);
  process.exit(2);
}
