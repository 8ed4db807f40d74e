import type { Connection } from "./connection.ts";
import { keysOf } from "./keys.ts";
import type { Line } from "./line.ts";

/** A worker as it reports itself. */
export interface WorkerNote extends Line {
  /** Name of the machine and number of the process. */
  readonly name: string;
  readonly concurrency: number;
  /** Jobs that it has finished. */
  readonly done: number;
  readonly startedMs: number;
  readonly seenMs: number;
}

/** Time between two reports of a worker. */
export const REPORT_MS = 5_000;
/** A worker that has not reported for longer is gone. */
const GONE_MS = 4 * REPORT_MS;

export async function reportWorker({ redis, prefix }: Connection, note: WorkerNote): Promise<void> {
  await redis.hset(keysOf(prefix).workers, note.name, JSON.stringify(note));
}

export async function removeWorker({ redis, prefix }: Connection, name: string): Promise<void> {
  await redis.hdel(keysOf(prefix).workers, name);
}

/** Workers that reported lately, by name. The notes of others are removed. */
export async function listWorkers({ redis, prefix }: Connection): Promise<WorkerNote[]> {
  const { workers } = keysOf(prefix);
  const all = Object.values(await redis.hgetall(workers)).map((text) => JSON.parse(text) as WorkerNote);
  const isGone = ({ seenMs }: WorkerNote) => Date.now() - seenMs > GONE_MS;
  const gone = all.filter(isGone).map(({ name }) => name);
  if (gone.length > 0) await redis.hdel(workers, ...gone);
  return all.filter((note) => !isGone(note)).sort((a, b) => (a.name < b.name ? -1 : 1));
}
