import type { JobFailure } from "../../product/cluster/queue/failure.ts";

/** Code of a case that exceeded its limit. The search reports it as a failure of the venue or of a check. */
const CODE = "CASE_TIMEOUT";

/** @param height height of the last block that the case started */
export function createTimeout(height: number, caseMs: number): JobFailure {
  return { code: CODE, message: `the case did not end within ${caseMs} ms`, place: `block ${height}` };
}

/** The height of the last block that the case started; undefined for any other failure. */
export function readTimeout({ code, place }: JobFailure): number | undefined {
  const height = /^block (\d+)$/.exec(place ?? "")?.[1];
  return code === CODE && height !== undefined ? Number(height) : undefined;
}
