import type { JobFailure } from "../../product/cluster/queue/failure.ts";
import type { FuzzErrorCode } from "../fuzz/errors.ts";

/** The search reports a case with this code as a failure of the venue or of a check. */
const CODE: FuzzErrorCode = "CASE_TIMEOUT";

/**
 * The failure of a case that took more CPU time than its limit.
 *
 * @param height height of the last block that the case started
 */
export function createTimeout(height: number, caseMs: number): JobFailure {
  return { code: CODE, message: `the case did not end within ${caseMs} ms`, place: `block ${height}` };
}

/** The height of the last block that the case started; undefined for any other failure. */
export function readTimeout({ code, place }: JobFailure): number | undefined {
  const height = /^block (\d+)$/.exec(place ?? "")?.[1];
  return code === CODE && height !== undefined ? Number(height) : undefined;
}
