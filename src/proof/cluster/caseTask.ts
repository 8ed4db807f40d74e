import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Line } from "../../product/cluster/queue/line.ts";
import type { Task } from "../../product/cluster/queue/task.ts";
import type { Setup } from "../fuzz/campaign/execute.ts";
import type { Job } from "../fuzz/campaign/job.ts";
import { readCase, writeCase } from "../fuzz/case/writeCase.ts";

/** What all cases of a search share. */
export interface CaseShared {
  readonly line: Line;
  readonly setup: Setup;
  /** Limit of a case in CPU time, ms. Not part of the name: it decides no result. */
  readonly caseMs: number;
  /** State root of a run that every worker makes first, see `makeProbe`. */
  readonly probe: string;
}

/**
 * What a worker has to know of a case. The case itself is in it, not referred to: a round has few of them, and each
 * leaves Redis with its job.
 */
export interface CaseTask extends Omit<CaseShared, "line"> {
  readonly job: Omit<Job, "given">;
  /** Bytes of the case, compressed, in base64. */
  readonly given: string;
}

/** What a worker does with a case. */
export const CASE_KIND = "case";

/** A task with a name that is a function of the code, the settings, the case and its iteration. */
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

/** The fields by name, so that equal settings have equal text. */
function sortFields(fields: object): readonly (readonly [string, unknown])[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
