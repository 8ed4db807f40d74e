import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import type { ThreadSetup } from "../../research/runs/threads/messages.ts";
import type { Connection } from "../queue/connection.ts";
import { getContent } from "../queue/contents.ts";
import { ClusterError } from "../queue/errors.ts";
import type { Task } from "../queue/task.ts";
import { checkKind, checkProbe, createTaskHandler } from "../queue/taskHandler.ts";
import type { TaskHandler } from "../queue/worker.ts";
import { RunSlots } from "./runSlots.ts";
import type { RunTask } from "./runTask.ts";
import { hideHomes, homeOf, unpackStrategy } from "./strategyCode.ts";
import type { TapeFinder } from "./tapes/tapeFinder.ts";

export interface RunHandlerSettings {
  readonly connection: Connection;
  readonly tapes: TapeFinder;
  /** Folder for the code of strategies. It lies below the folder whose packages they may import. */
  readonly folder: string;
  readonly concurrency: number;
  /** State root of the probe on this machine, see `makeProbe`. */
  readonly probe: string;
  readonly examples: (name: string) => string | undefined;
  /** Creates a thread that calls `serveRuns`. */
  readonly create: (setup: ThreadSetup) => Worker;
}

/** Name of the folder of unpacked code. */
const STRATEGIES = "strategies";

/** Failures that another attempt, here or on another worker, may not have. */
const RETRIED: ReadonlySet<string> = new Set([
  "CODE_MISSING",
  "CODE_BROKEN",
  "TAPE_CORRUPT",
  "TAPE_MISSING",
  "TAPE_UNREACHABLE",
  "TAPE_WRONG",
  "WORKER_DIFFERS",
  "WORKER_LOST",
]);

/** Makes runs on a worker, and returns their records as JSON. */
export function createRunHandler(settings: RunHandlerSettings): { handler: TaskHandler; close(): Promise<void> } {
  const slots = new RunSlots(settings.concurrency, settings.create);
  const strategies = new Map<string, Promise<string>>();
  const locate = (sha256: string) => {
    const known = strategies.get(sha256) ?? unpack(settings, sha256);
    strategies.set(sha256, known);
    // A failure is not kept: the command may have stored the code again.
    known.catch(() => strategies.delete(sha256));
    return known;
  };
  const handler = createTaskHandler((task, signal) => makeRun(settings, slots, locate, task, signal), RETRIED);
  return { handler, close: () => slots.close() };
}

async function makeRun(
  { probe, tapes, folder }: RunHandlerSettings,
  slots: RunSlots,
  locate: (sha256: string) => Promise<string>,
  task: Task,
  signal: AbortSignal,
): Promise<string> {
  checkKind(task, ["run"]);
  const { job, codes, tape, limitMs, probe: expected } = task.body as RunTask;
  checkProbe(probe, expected);
  const strategies: Record<string, string> = {};
  for (const [hash, sha256] of Object.entries(codes)) strategies[hash] = await locate(sha256);
  const tapePath = await tapes.find(job.data, tape);
  const { record } = await slots.run(job, { strategies, tapePath, limitMs }, signal);
  // A timeout or a lost thread is not a result of the run.
  if (record.error?.isFinal === false) throw new ClusterErrorOf(record.error);
  const homes = Object.values(codes).map((sha256) => [sha256, homeOf(join(folder, STRATEGIES), sha256)] as const);
  return hideHomes(JSON.stringify(record), new Map(homes));
}

/** A failure of a run, with the code that its record has. */
class ClusterErrorOf extends Error {
  readonly code: string;
  readonly hint: string | undefined;

  constructor({ code, message, hint }: { readonly code: string; readonly message: string; readonly hint?: string }) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

async function unpack({ connection, folder, examples }: RunHandlerSettings, sha256: string): Promise<string> {
  const text = await getContent(connection, sha256);
  if (text !== undefined) return unpackStrategy({ sha256, text }, join(folder, STRATEGIES), examples);
  throw new ClusterError("CODE_MISSING", `Redis does not have the code ${sha256} of the strategy`, {
    hint: "the command that sent the job stores it again while it runs",
  });
}
