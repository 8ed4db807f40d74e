/** Why a job failed. BullMQ keeps one text of an error, so this is stored as JSON. */
export interface JobFailure {
  readonly code: string;
  readonly message: string;
  readonly place?: string;
  readonly hint?: string;
}

/** BullMQ's own message for a job whose workers ended too often. */
const STALLED = /stalled more than/;

export function writeFailure({ code, message, place, hint }: JobFailure): string {
  return JSON.stringify({ code, message, place, hint });
}

/** Describes any thrown value as the failure of a job. */
export function describeError(error: unknown): JobFailure {
  const own = (error instanceof Error ? error : new Error(String(error))) as Error & Partial<JobFailure>;
  const code = typeof own.code === "string" ? own.code : "RUN_FAILED";
  return {
    code,
    message: own.message,
    ...(typeof own.place === "string" ? { place: own.place } : {}),
    ...(typeof own.hint === "string" ? { hint: own.hint } : {}),
  };
}

/** Reads the text that BullMQ kept. A message of BullMQ itself gets a code. */
export function readFailure(text: string | undefined): JobFailure {
  if (text?.startsWith("{") === true) {
    try {
      return JSON.parse(text) as JobFailure;
    } catch {
      // The text is cut, or another program wrote it.
    }
  }
  if (STALLED.test(text ?? "")) {
    return {
      code: "WORKER_LOST",
      message: "several workers ended while they made the job",
      hint: "read the logs of the workers; with a smaller --concurrency each job has more memory",
    };
  }
  return { code: "RUN_FAILED", message: text ?? "the queue has no reason" };
}
