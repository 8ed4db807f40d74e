import type { Connection } from "./connection.ts";
import { keysOf } from "./keys.ts";
import type { Line } from "./line.ts";

/** What a worker reports about itself. */
export interface WorkerNote extends Line {
  /** Name of the machine and id of the process. */
  readonly name: string;
  readonly concurrency: number;
  /** Jobs that it has finished. */
  readonly done: number;
  readonly startedMs: number;
  readonly seenMs: number;
}

/** Time between two reports of a worker, ms. */
export const REPORT_MS = 5_000;
/** Time without a report after which a worker counts as gone, ms. */
const GONE_MS = 4 * REPORT_MS;

export async function reportWorker({ redis, prefix }: Connection, note: WorkerNote): Promise<void> {
  await redis.hset(keysOf(prefix).workers, note.name, JSON.stringify(note));
}

export async function removeWorker({ redis, prefix }: Connection, name: string): Promise<void> {
  await redis.hdel(keysOf(prefix).workers, name);
}

/** Lists the workers that reported lately, by name, and removes the notes of the others. */
export async function listWorkers({ redis, prefix }: Connection): Promise<WorkerNote[]> {
  const { workers } = keysOf(prefix);
  const all = Object.values(await redis.hgetall(workers)).map((text) => JSON.parse(text) as WorkerNote);
  const isGone = ({ seenMs }: WorkerNote) => Date.now() - seenMs > GONE_MS;
  const gone = all.filter(isGone).map(({ name }) => name);
  if (gone.length > 0) await redis.hdel(workers, ...gone);
  return all.filter((note) => !isGone(note)).sort((a, b) => (a.name < b.name ? -1 : 1));
}
