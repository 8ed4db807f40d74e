import type { Problem } from "../api/problem.ts";

/** The venue answered a request with an error. Match on `code` and `reason`. */
export class VenueError extends Error {
  override readonly name = "VenueError";
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`${problem.code}${problem.reason === undefined ? "" : ` (${problem.reason})`}: ${problem.detail}`);
    this.problem = problem;
  }

  get code(): Problem["code"] {
    return this.problem.code;
  }

  get reason(): string | undefined {
    return this.problem.reason;
  }
}
