/** Rules of HTTP that hold for every operation, whatever carries it. */
import type { ApiRequest, ApiResponse } from "../../../client/api/endpoint.ts";
import { ProblemError } from "../problems.ts";

const NO_HEADERS: Readonly<Record<string, string>> = {};

/** Whether a request brings a body, or says that it will. */
export function hasBody({ body, headers = NO_HEADERS }: ApiRequest): boolean {
  if (body !== undefined && body !== "") return true;
  return (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined;
}

/**
 * Bodies are JSON in UTF-8, as they are.
 *
 * @throws {ProblemError} 415
 */
export function checkContentType(headers: Readonly<Record<string, string>>, body: string | undefined): void {
  const type = headers["content-type"];
  // Without a body there is nothing whose type could be wrong; one that is wanted is named as missing by the reader.
  if (body === undefined || body === "") return;
  if (headers["content-encoding"] !== undefined && headers["content-encoding"] !== "identity") {
    throw unsupported("Send the body as it is, not compressed.");
  }
  if (type === undefined || !/^application\/json(\s*;\s*charset="?utf-8"?)?$/i.test(type.trim())) {
    throw unsupported("The body is JSON; send `Content-Type: application/json`.");
  }
}

function unsupported(detail: string): ProblemError {
  return new ProblemError("MALFORMED_REQUEST", detail, { status: 415, reason: "CONTENT_TYPE" });
}

/** Nothing is at this path. */
export function unknownRoute(path: string): ProblemError {
  const shown = path.length > 128 ? `${path.slice(0, 125)}...` : path;
  return new ProblemError("NOT_FOUND", `There is nothing at ${shown}.`, { reason: "UNKNOWN_ROUTE" });
}

/**
 * The answer to OPTIONS, which tells the methods of a path.
 *
 * @throws {ProblemError} 405 for any other method, with the same
 */
export function refuseMethod(method: string, allow: readonly string[]): ApiResponse {
  const headers = { allow: allow.join(", ") };
  if (method === "OPTIONS") return { status: 204, headers, body: "" };
  throw new ProblemError("MALFORMED_REQUEST", `This path takes ${allow.join(", ")}.`, {
    status: 405,
    reason: "METHOD",
    headers,
  });
}

/** Whether the client has what it would get (a weak comparison). */
export function isUnchanged({ headers }: ApiRequest, etag: string): boolean {
  const given = headers?.["if-none-match"];
  if (given === undefined) return false;
  return given.split(",").some((tag) => tag.trim() === etag || `W/${tag.trim()}` === etag);
}
