import { createHash } from "node:crypto";
import type { Content } from "../queue/contents.ts";
import { ClusterError } from "../queue/errors.ts";
import type { Line } from "../queue/line.ts";
import type { Task } from "../queue/task.ts";

/** Data of a job for a worker. */
export interface JobTask {
  /** SHA-256 of the shared text, which is in Redis; null if the batch has none. */
  readonly shared: string | null;
  readonly part: unknown;
  /** State root of the probe on the machine of the command, see `makeProbe`. */
  readonly probe: string;
}

/** Data that all jobs of a command share. */
export interface JobShared {
  readonly line: Line;
  readonly probe: string;
}

/** Creates a task. Its name is a hash of the code, the Node line, the kind, the shared text and the part. */
export function createJobTask(
  kind: string,
  content: Content | undefined,
  part: unknown,
  { line, probe }: JobShared,
): Task {
  const shared = content?.sha256 ?? null;
  const name = JSON.stringify([line.code, line.node, kind, shared, part]);
  const body: JobTask = { shared, part, probe };
  return { id: `${kind}-${createHash("sha256").update(name).digest("hex")}`, kind, line, body };
}

/** Writes a result as the queue stores it: the name of its task in the first line, then the text. */
export function writeJobResult(id: string, text: string): string {
  return `${id}\n${text}`;
}

/**
 * Reads what `writeJobResult` wrote.
 *
 * @throws {ClusterError} JOB_MALFORMED if it is the result of another task
 */
export function readJobResult(id: string, stored: string): string {
  if (stored.startsWith(`${id}\n`)) return stored.slice(id.length + 1);
  throw new ClusterError("JOB_MALFORMED", `the queue has the result of another job under the name of ${id}`, {
    hint: "use a Redis of your own: a program that may write to it decides the results",
  });
}
