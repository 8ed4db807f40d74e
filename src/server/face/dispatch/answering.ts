import type { ApiRequest, ApiResponse } from "../../../client/api/endpoint.ts";
import type { ProblemError } from "../problems/problems.ts";

/**
 * Answers requests from any carrier. If the promise rejects, there is no answer: the carrier ends the connection, as if
 * the network had failed.
 */
export interface Answering {
  /** Longest bodies, in bytes, of paths that accept longer ones than others. */
  readonly longBodies?: Readonly<Record<string, number>>;
  /** @param client client that the limits count */
  handle(request: ApiRequest, client: string): ApiResponse | Promise<ApiResponse>;
  /** An error of the carrier's own (a body too long, a request that is no HTTP) in the form of all errors. */
  refuse(error: ProblemError): ApiResponse;
}
