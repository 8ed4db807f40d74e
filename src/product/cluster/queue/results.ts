import { gunzipSync, gzipSync } from "node:zlib";
import type { Connection } from "./connection.ts";
import { KEPT_S, keysOf } from "./keys.ts";

/** Most results in Redis. Beyond that, the oldest are dropped, and a dropped job is made again if it is asked for. */
export const RESULTS_MOST = 10_000;

/** Counters of all workers since the first job. */
export interface Counters {
  /** Results that were stored. */
  readonly made: number;
  /**
   * Results that were stored already: another worker had taken over the job of a worker that lived, or the answer of
   * Redis to the first attempt was lost.
   */
  readonly twice: number;
  /** Jobs that were delivered again after their end, and were not made again. */
  readonly spared: number;
}

/** Stores a result and counts it in one step: a kill of Redis leaves both or neither. Returns the number of results. */
const STORE = `
local isFirst = redis.call("SET", KEYS[1], ARGV[1], "EX", ARGV[2], "NX")
redis.call("HINCRBY", KEYS[2], isFirst and "made" or "twice", 1)
redis.call("ZADD", KEYS[3], "NX", ARGV[3], ARGV[4])
return redis.call("ZCARD", KEYS[3])`;

/** Stores the result of a job unless it is stored already. A worker calls this before the job ends in the queue. */
export async function putResult(connection: Connection, id: string, text: string, most = RESULTS_MOST): Promise<void> {
  const { redis, prefix } = connection;
  const { result, finished, counters } = keysOf(prefix);
  const keys = [result(id), counters, finished];
  const kept = await redis.eval(STORE, keys.length, ...keys, gzipSync(text), KEPT_S, Date.now(), id);
  const beyond = Number(kept) - most;
  if (beyond <= 0) return;
  const oldest = (await redis.zpopmin(finished, beyond)).filter((_, at) => at % 2 === 0);
  if (oldest.length > 0) await redis.unlink(oldest.map(result));
}

/** Reads results in the order of the names; undefined for a job without a result. */
export async function getResults(
  { redis, prefix }: Connection,
  ids: readonly string[],
): Promise<readonly (string | undefined)[]> {
  if (ids.length === 0) return [];
  const { result } = keysOf(prefix);
  const found = await redis.mgetBuffer(ids.map(result));
  return found.map((bytes) => (bytes === null ? undefined : gunzipSync(bytes).toString("utf8")));
}

export async function hasResult({ redis, prefix }: Connection, id: string): Promise<boolean> {
  return (await redis.exists(keysOf(prefix).result(id))) === 1;
}

/** Counts a job that was delivered again after its end. */
export async function countSpared({ redis, prefix }: Connection): Promise<void> {
  await redis.hincrby(keysOf(prefix).counters, "spared", 1);
}

export async function readCounters({ redis, prefix }: Connection): Promise<Counters> {
  const { made, twice, spared } = await redis.hgetall(keysOf(prefix).counters);
  return { made: Number(made ?? 0), twice: Number(twice ?? 0), spared: Number(spared ?? 0) };
}

/** Jobs that ended in the last minute. */
export async function countLastMinute({ redis, prefix }: Connection): Promise<number> {
  return redis.zcount(keysOf(prefix).finished, Date.now() - 60_000, "+inf");
}
