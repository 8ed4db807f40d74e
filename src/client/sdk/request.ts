import { API_PREFIX, type ApiRequest, type ApiResponse } from "../api/endpoint.ts";
import type { Problem } from "../api/problem.ts";
import { type ClientClock, computeBackoffMs, type RetryPolicy } from "./clock.ts";
import { ClientError, isUnanswered, isVenueError, VenueError } from "./errors.ts";
import type { Transport } from "./transport/transport.ts";

/** Parts of a client that a request needs. */
export interface Requester {
  readonly transport: Transport;
  readonly clock: ClientClock;
  readonly retry: RetryPolicy;
  /** Headers of every request: the session, where there is one. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Called with the height of each answer. */
  readonly onHeight?: (height: number) => void;
}

export interface Call {
  readonly method: ApiRequest["method"];
  /** Appended to the prefix. */
  readonly path: string;
  /** Default: that of the API. */
  readonly prefix?: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON value, or the text of one. */
  readonly body?: unknown;
}

/**
 * Sends one request and returns the body of a successful answer.
 *
 * @throws {VenueError} the venue's error answer
 * @throws {ClientError} CONNECTION_FAILED, TIMEOUT, RESPONSE_INVALID
 */
export async function requestOnce({ transport, headers, onHeight }: Requester, call: Call): Promise<unknown> {
  const { method, body } = call;
  const path = `${call.prefix ?? API_PREFIX}${call.path}${writeQuery(call.query)}`;
  const sent = { ...headers(), ...(body === undefined ? {} : { "content-type": "application/json" }), ...call.headers };
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const response = await transport.request({
    method,
    path,
    headers: sent,
    ...(text === undefined ? {} : { body: text }),
  });
  const answer = readResponse(response, { method, path });
  const height = (answer as { asOf?: { height?: unknown } } | undefined)?.asOf?.height;
  if (typeof height === "number") onHeight?.(height);
  return answer;
}

/**
 * Reads with retries: waits longer each time, while no answer comes or the venue asks to come back later.
 *
 * @throws what the last attempt threw
 */
export async function requestRead(requester: Requester, call: Omit<Call, "method" | "body">): Promise<unknown> {
  const { clock, retry } = requester;
  for (let attempt = 1; ; attempt++) {
    try {
      return await requestOnce(requester, { ...call, method: "GET" });
    } catch (error) {
      if (attempt > retry.readsMost || !isWorthRepeating(error)) throw error;
      const askedMs = isVenueError(error) ? error.problem.retryAfterMs : undefined;
      await clock.sleep(computeBackoffMs(retry, attempt, clock.random(), askedMs));
    }
  }
}

function isWorthRepeating(error: unknown): boolean {
  if (isUnanswered(error)) return true;
  return isVenueError(error) && error.problem.retryable;
}

function readResponse({ status, headers, body }: ApiResponse, asked: { method: string; path: string }): unknown {
  const isGood = status >= 200 && status < 300;
  if (isGood && (status === 204 || body === "")) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (cause) {
    throw invalid(status, asked, cause);
  }
  if (isGood) return value;
  if (!isProblem(value)) throw invalid(status, asked, undefined);
  const retryAfter = Number(headers["retry-after"]);
  // A proxy's `Retry-After` counts if the body has none.
  const retryAfterMs = value.retryAfterMs ?? (Number.isFinite(retryAfter) ? retryAfter * 1_000 : undefined);
  throw new VenueError(retryAfterMs === undefined ? value : { ...value, retryAfterMs });
}

function isProblem(value: unknown): value is Problem {
  return typeof value === "object" && value !== null && "code" in value && typeof value.code === "string";
}

function invalid(status: number, { method, path }: { method: string; path: string }, cause: unknown) {
  const details = { method, path, status };
  const text = `${method} ${path} got an answer (${status}) that is not the venue's; check the address`;
  return new ClientError("RESPONSE_INVALID", text, details, cause === undefined ? {} : { cause });
}

function writeQuery(query: Call["query"] = {}): string {
  const members = Object.entries(query).filter(([, value]) => value !== undefined);
  if (members.length === 0) return "";
  return `?${members.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join("&")}`;
}
