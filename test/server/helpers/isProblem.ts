import type { ProblemCode } from "../../../src/client/api/problem.ts";
import { ProblemError } from "../../../src/server/face/problems/problems.ts";

/** Whether something that was thrown is an error of this code. */
export function isProblem(error: unknown, code: ProblemCode): error is ProblemError {
  return error instanceof ProblemError && error.code === code;
}
