import type { JobEngine } from "../../jobs/engine.ts";
import type { Connection } from "../queue/connection.ts";
import { getContent } from "../queue/contents.ts";
import { ClusterError } from "../queue/errors.ts";
import { checkKind, checkProbe, createTaskHandler } from "../queue/taskHandler.ts";
import type { TaskHandler } from "../queue/worker.ts";
import { type JobTask, writeJobResult } from "./jobTask.ts";

export interface JobHandlerSettings {
  readonly connection: Connection;
  /** State root of the probe on this machine, see `makeProbe`. */
  readonly probe: string;
  /** Makes the jobs; at most as many at once as the worker takes. */
  readonly engine: JobEngine;
  /** Names of the kinds that the engine knows. */
  readonly kinds: readonly string[];
}

/** Failures that another attempt, here or on another worker, may not have. */
const RETRIED: ReadonlySet<string> = new Set(["WORKER_DIFFERS", "WORKER_LOST", "SHARED_MISSING"]);

/** Makes jobs of any kind on a worker, and returns their results as text. */
export function createJobHandler({ connection, probe, engine, kinds }: JobHandlerSettings): TaskHandler {
  const readShared = keepLast((sha256) => getShared(connection, sha256));
  return createTaskHandler(async (task, signal) => {
    checkKind(task, kinds);
    const { shared: sha256, part, probe: expected } = task.body as JobTask;
    checkProbe(probe, expected);
    const shared = sha256 === null ? "" : await readShared(sha256);
    const [text] = await engine.run({ kind: task.kind, shared, parts: [part] }, { signal });
    return writeJobResult(task.id, text!);
  }, RETRIED);
}

/** Keeps the last text, since consecutive jobs usually share it. */
function keepLast(read: (sha256: string) => Promise<string>): (sha256: string) => Promise<string> {
  let last: { readonly sha256: string; readonly text: string } | undefined;
  return async (sha256) => {
    if (last?.sha256 === sha256) return last.text;
    const text = await read(sha256);
    last = { sha256, text };
    return text;
  };
}

async function getShared(connection: Connection, sha256: string): Promise<string> {
  const text = await getContent(connection, sha256);
  if (text !== undefined) return text;
  throw new ClusterError("SHARED_MISSING", `Redis does not have the text ${sha256} that jobs share`, {
    hint: "the command that sent the job stores it again while it runs",
  });
}
