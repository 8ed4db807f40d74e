/** Why a job failed for good, as the queue stores it: JSON in the text that BullMQ keeps of an error. */
export interface JobFailure {
  readonly code: string;
  readonly message: string;
  readonly place?: string;
  readonly hint?: string;
}

/** BullMQ's own words for a job whose workers ended too often. */
const STALLED = /stalled more than/;

export function writeFailure({ code, message, place, hint }: JobFailure): string {
  return JSON.stringify({ code, message, place, hint });
}

/** Reads any thrown value as a failure of a job. */
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

/** Reads the text that BullMQ kept. A text of BullMQ itself gets a code, too. */
export function readFailure(text: string | undefined): JobFailure {
  if (text?.startsWith("{") === true) {
    try {
      return JSON.parse(text) as JobFailure;
    } catch {
      // It was cut, or is of another program.
    }
  }
  if (STALLED.test(text ?? "")) {
    return {
      code: "WORKER_LOST",
      message: "several workers ended while they had the job",
      hint: "see the logs of the workers; with a smaller --concurrency each run has more memory",
    };
  }
  return { code: "RUN_FAILED", message: text ?? "the queue keeps no reason" };
}
