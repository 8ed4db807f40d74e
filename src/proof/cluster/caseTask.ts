import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Line } from "../../product/cluster/queue/line.ts";
import type { Task } from "../../product/cluster/queue/task.ts";
import type { Setup } from "../fuzz/campaign/execute.ts";
import type { Job } from "../fuzz/campaign/job.ts";
import { readCase, writeCase } from "../fuzz/case/writeCase.ts";

/** Data that all cases of a search share. */
export interface CaseShared {
  readonly line: Line;
  readonly setup: Setup;
  /** Limit of a case in CPU time, ms. It does not decide a result, so the name of a task does not contain it. */
  readonly caseMs: number;
  /** State root of the probe on the machine of the command, see `makeProbe`. */
  readonly probe: string;
}

/**
 * Data of a case for a worker. It contains the case itself: a round has few cases, and each leaves Redis with its job.
 */
export interface CaseTask extends Omit<CaseShared, "line"> {
  readonly job: Omit<Job, "given">;
  /** Bytes of the case, compressed, in base64. */
  readonly given: string;
}

/** Kind of these tasks. */
export const CASE_KIND = "case";

/** Creates a task. Its name is a hash of the code, the settings, the case and its iteration. */
export function createCaseTask({ given, ...job }: Job, { line, ...shared }: CaseShared): Task {
  const bytes = writeCase(given);
  const name = [line.code, line.node, sortFields(shared.setup), sortFields(job)];
  const hash = createHash("sha256").update(JSON.stringify(name)).update(bytes).digest("hex");
  const body: CaseTask = { job, given: gzipSync(bytes).toString("base64"), ...shared };
  return { id: `case-${hash}`, kind: CASE_KIND, line, body };
}

/** @throws {CaseError} CASE_MALFORMED or CASE_VERSION */
export function readJob({ job, given }: CaseTask): Job {
  return { ...job, given: readCase(gunzipSync(Buffer.from(given, "base64"))) };
}

/** The fields sorted by name, so that equal settings give an equal text. */
function sortFields(fields: object): readonly (readonly [string, unknown])[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
