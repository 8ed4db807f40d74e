/** Rules of HTTP that apply to every operation and every carrier. */
import { API_PREFIX, type ApiRequest, type ApiResponse, SOCKET_PATH } from "../../../client/api/endpoint.ts";
import { ProblemError } from "../problems/problems.ts";

const NO_HEADERS: Readonly<Record<string, string>> = {};

/** Whether a request has a body, or announces one. */
export function hasBody({ body, headers = NO_HEADERS }: ApiRequest): boolean {
  if (body !== undefined && body !== "") return true;
  return (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined;
}

/**
 * Bodies must be JSON in UTF-8, uncompressed.
 *
 * @throws {ProblemError} 415
 */
export function checkContentType(headers: Readonly<Record<string, string>>, body: string | undefined): void {
  const type = headers["content-type"];
  // Without a body no type can be wrong; the reader reports a missing body.
  if (body === undefined || body === "") return;
  const isCompressed = (headers["content-encoding"] ?? "identity") !== "identity";
  if (isCompressed || (headers["transfer-encoding"] ?? "chunked").toLowerCase() !== "chunked") {
    throw unsupported("Send the body uncompressed.");
  }
  if (type === undefined || !/^application\/json(\s*;\s*charset="?utf-8"?)?$/i.test(type.trim())) {
    throw unsupported("The body is JSON; send `Content-Type: application/json`.");
  }
}

function unsupported(detail: string): ProblemError {
  return new ProblemError("MALFORMED_REQUEST", detail, { status: 415, reason: "CONTENT_TYPE" });
}

/** The error for a path without a route. */
export function unknownRoute(path: string): ProblemError {
  const shown = path.length > 128 ? `${path.slice(0, 125)}...` : path;
  const hint =
    path === SOCKET_PATH
      ? "It is a WebSocket: open it with `Upgrade: websocket`"
      : `\`${API_PREFIX}/openapi.json\` lists every path`;
  return new ProblemError("NOT_FOUND", `There is nothing at ${shown}. ${hint}.`, { reason: "UNKNOWN_ROUTE" });
}

/**
 * The answer to OPTIONS, which lists the methods of a path.
 *
 * @throws {ProblemError} 405 for any other method, with the same list
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

/** Whether the client already has the answer (a weak comparison). */
export function isUnchanged({ headers }: ApiRequest, etag: string): boolean {
  const given = headers?.["if-none-match"];
  if (given === undefined) return false;
  return given.split(",").some((tag) => tag.trim() === etag || `W/${tag.trim()}` === etag);
}
