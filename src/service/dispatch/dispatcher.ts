import { API_PREFIX, type ApiRequest, type ApiResponse } from "../../api/endpoint.ts";
import { PROBLEM_TYPE } from "../../api/problem.ts";
import type { Route } from "../../api/route.ts";
import type { Allowance, RateBuckets } from "../limits/bucket.ts";
import { rateHeaders } from "../limits/bucket.ts";
import { bodyOfProblem, headersOfProblem, ProblemError } from "../problems.ts";
import { AnswerCache } from "./answerCache.ts";
import { RequestReader } from "./requestReader.ts";
import { RouteTable } from "./routeTable.ts";

/** Longest path with query, in characters. */
export const PATH_MOST = 4_096;

/** What a handler is told of a request. */
export interface RequestContext {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Who asks, for limits: an address of the network. */
  readonly client: string;
  /** The bearer token, where one was sent. */
  readonly token: string | undefined;
  readonly requestId: string;
}

export interface RawAnswer {
  readonly status: number;
  /** Undefined for none. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type RawHandler = (context: RequestContext) => RawAnswer | Promise<RawAnswer>;

/** What is told of every request that was answered. */
export interface AnswerRecord {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** Undefined where the request met no route. */
  readonly operation: string | undefined;
  readonly client: string;
  readonly status: number;
  readonly durationMs: number;
  /** What was thrown, where it was no error of the request's. */
  readonly error: unknown;
}

export interface DispatcherOptions {
  readonly routes: Readonly<Record<string, Route>>;
  readonly handlers: Readonly<Record<string, RawHandler>>;
  /** Operations whose handlers read the text of the body by themselves. */
  readonly ownBodies?: ReadonlySet<string>;
  /** Operations whose answers hold until `version` changes. */
  readonly cached?: ReadonlySet<string>;
  /** Names the height that reads belong to: changes with every block. */
  readonly version: () => string;
  /** Runs before the handler of an operation, to refuse. */
  readonly guard?: (operation: string, context: RequestContext) => void;
  readonly reads?: RateBuckets | undefined;
  /** Paths outside the prefix that are served as if inside. */
  readonly aliases?: readonly string[];
  readonly clock?: () => number;
  readonly newRequestId: () => string;
  readonly onAnswer?: (record: AnswerRecord) => void;
}

const JSON_TYPE = "application/json; charset=utf-8";
const NO_HEADERS: Readonly<Record<string, string>> = {};

/**
 * Answers requests, whatever carries them: finds the route, checks the request against it, asks the handler, and writes
 * the answer or the error. Nothing is thrown at the carrier.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #table: RouteTable<string>;
  readonly #readers: ReadonlyMap<string, RequestReader>;
  readonly #cache = new AnswerCache();
  readonly #clock: () => number;
  #version = "";
  #etag = "";

  constructor(options: DispatcherOptions) {
    const { routes, ownBodies } = options;
    this.#options = options;
    this.#clock = options.clock ?? Date.now;
    this.#table = new RouteTable(routes);
    this.#readers = new Map(
      Object.entries(routes).map(([id, route]) => [id, new RequestReader(route, ownBodies?.has(id) ?? false)]),
    );
  }

  /** @param client who asks, for limits */
  handle(request: ApiRequest, client: string): ApiResponse | Promise<ApiResponse> {
    const startedMs = performance.now();
    const given = request.headers?.["x-request-id"];
    const requestId = given !== undefined && REQUEST_ID.test(given) ? given : this.#options.newRequestId();
    const exchange = new Exchange(request, client, requestId, startedMs);
    this.#refresh();
    try {
      const answer = this.#answer(exchange);
      if (!(answer instanceof Promise)) return this.#finish(exchange, answer);
      return answer.then(
        (response) => this.#finish(exchange, response),
        (error: unknown) => this.#finish(exchange, this.#problem(exchange, error)),
      );
    } catch (error) {
      return this.#finish(exchange, this.#problem(exchange, error));
    }
  }

  /** An error of the carrier's own (a body too long, a request that is no HTTP) in the form of all errors. */
  refuse(error: ProblemError): ApiResponse {
    const request = { method: "GET", path: "" } as const;
    const exchange = new Exchange(request, "", this.#options.newRequestId(), performance.now());
    return this.#finish(exchange, this.#problem(exchange, error));
  }

  #refresh(): void {
    const version = this.#options.version();
    if (version === this.#version) return;
    this.#version = version;
    this.#etag = `W/"${version}"`;
    this.#cache.clear();
  }

  #answer(exchange: Exchange): ApiResponse | Promise<ApiResponse> {
    const { request, client } = exchange;
    const isRead = request.method === "GET" || request.method === "HEAD";
    const known = isRead ? this.#cache.get(request.path) : undefined;
    if (known !== undefined && !hasBody(request)) {
      exchange.operation = known.operation;
      this.#charge(exchange, known.weight);
      if (isUnchanged(request, this.#etag)) return { status: 304, headers: { etag: this.#etag }, body: "" };
      return { status: 200, headers: known.headers, body: known.body };
    }

    const { path, query } = this.#locate(request.path);
    const match = this.#table.match(request.method, path);
    if (match.kind === "malformed") {
      throw new ProblemError("MALFORMED_REQUEST", "The path is not percent-encoded text.", { reason: "ENCODING" });
    }
    if (match.kind === "unknown") throw unknownRoute(request.path);
    if (match.kind === "method") return refuseMethod(request.method, match.allow);

    const operation = match.operation;
    exchange.operation = operation;
    const reader = this.#readers.get(operation)!;
    const { route } = reader;
    this.#charge(exchange, route.weight);
    const headers = request.headers ?? NO_HEADERS;
    if (route.method === "POST") checkContentType(headers, route.body !== undefined, request.body);
    else if (hasBody(request)) {
      throw new ProblemError("MALFORMED_REQUEST", `A ${request.method} has no body; send none.`, { reason: "BODY" });
    }
    const read = reader.read(match.params, query, headers, request.body);
    const token = readToken(headers["authorization"]);
    const context: RequestContext = { ...read, client, token, requestId: exchange.requestId };
    this.#options.guard?.(operation, context);

    const isCached = isRead && this.#options.cached?.has(operation) === true;
    if (isCached && isUnchanged(request, this.#etag)) return { status: 304, headers: { etag: this.#etag }, body: "" };
    const version = this.#version;
    const handler = this.#options.handlers[operation];
    if (handler === undefined) throw new Error(`no handler answers ${operation}`);
    const answer = handler(context);
    const write = (answered: RawAnswer) =>
      this.#write(request.path, operation, route.weight, isCached, version, answered);
    return answer instanceof Promise ? answer.then(write) : write(answer);
  }

  #write(
    path: string,
    operation: string,
    weight: number,
    isCached: boolean,
    version: string,
    answer: RawAnswer,
  ): ApiResponse {
    const { status, body } = answer;
    if (body === undefined) return { status, headers: answer.headers ?? {}, body: "" };
    const text = typeof body === "string" ? body : JSON.stringify(body);
    if (!isCached || status !== 200) {
      return {
        status,
        headers: { "content-type": JSON_TYPE, "cache-control": "no-store", ...answer.headers },
        body: text,
      };
    }
    const headers = {
      "content-type": JSON_TYPE,
      "cache-control": "no-cache",
      etag: `W/"${version}"`,
      ...answer.headers,
    };
    if (version === this.#version) this.#cache.add(path, { operation, weight, body: text, headers });
    return { status, headers, body: text };
  }

  /** Path behind the prefix, and query. */
  #locate(whole: string): { path: string; query: string } {
    if (whole.length > PATH_MOST) {
      const detail = `The path has ${whole.length} characters; ${PATH_MOST} are the most.`;
      throw new ProblemError("MALFORMED_REQUEST", detail, { status: 414, reason: "URI_TOO_LONG" });
    }
    const at = whole.indexOf("?");
    const path = at < 0 ? whole : whole.slice(0, at);
    const query = at < 0 ? "" : whole.slice(at + 1);
    if (path.startsWith(`${API_PREFIX}/`)) return { path: path.slice(API_PREFIX.length), query };
    for (const alias of this.#options.aliases ?? []) {
      if (path === alias || path.startsWith(`${alias}/`)) return { path, query };
    }
    throw unknownRoute(path);
  }

  #charge(exchange: Exchange, weight: number): void {
    const { reads } = this.#options;
    if (reads === undefined) return;
    const allowance = reads.take(exchange.client, weight, this.#clock());
    exchange.allowance = allowance;
    if (allowance.allowed) return;
    throw new ProblemError("RATE_LIMITED", `More than ${reads.policy.quota} units were asked for; wait, then go on.`, {
      reason: reads.policy.name.toUpperCase(),
      retryAfterMs: allowance.retryAfterMs,
    });
  }

  #problem(exchange: Exchange, error: unknown): ApiResponse {
    const isOwn = error instanceof ProblemError;
    if (!isOwn) exchange.error = error;
    const problem = isOwn ? error : new ProblemError("INTERNAL_ERROR", "The service failed; its log tells more.");
    const headers = { ...headersOfProblem(problem), "content-type": PROBLEM_TYPE, "cache-control": "no-store" };
    return { status: problem.status, headers, body: JSON.stringify(bodyOfProblem(problem, exchange.requestId)) };
  }

  #finish(exchange: Exchange, { status, headers, body }: ApiResponse): ApiResponse {
    const { request, requestId, operation, client, allowance } = exchange;
    const all: Record<string, string> = { ...headers, "x-request-id": requestId, "x-content-type-options": "nosniff" };
    const { reads, onAnswer } = this.#options;
    if (allowance !== undefined) Object.assign(all, rateHeaders(reads!.policy, allowance));
    onAnswer?.({
      requestId,
      method: request.method,
      path: request.path,
      operation,
      client,
      status,
      durationMs: performance.now() - exchange.startedMs,
      error: exchange.error,
    });
    if (request.method !== "HEAD") return { status, headers: all, body };
    return { status, headers: { ...all, "content-length": String(Buffer.byteLength(body)) }, body: "" };
  }
}

const REQUEST_ID = /^[\w.:-]{1,64}$/;

/** A request on its way to an answer. */
class Exchange {
  operation: string | undefined;
  allowance: Allowance | undefined;
  error: unknown;
  readonly request: ApiRequest;
  readonly client: string;
  readonly requestId: string;
  readonly startedMs: number;

  constructor(request: ApiRequest, client: string, requestId: string, startedMs: number) {
    this.request = request;
    this.client = client;
    this.requestId = requestId;
    this.startedMs = startedMs;
  }
}

function hasBody({ body, headers = NO_HEADERS }: ApiRequest): boolean {
  if (body !== undefined && body !== "") return true;
  return (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined;
}

function checkContentType(
  headers: Readonly<Record<string, string>>,
  isWanted: boolean,
  body: string | undefined,
): void {
  const type = headers["content-type"];
  if (!isWanted && (body === undefined || body === "")) return;
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

function unknownRoute(path: string): ProblemError {
  const shown = path.length > 128 ? `${path.slice(0, 125)}...` : path;
  return new ProblemError("NOT_FOUND", `There is nothing at ${shown}.`, { reason: "UNKNOWN_ROUTE" });
}

function refuseMethod(method: string, allow: readonly string[]): ApiResponse {
  const headers = { allow: allow.join(", ") };
  if (method === "OPTIONS") return { status: 204, headers, body: "" };
  throw new ProblemError("MALFORMED_REQUEST", `This path takes ${allow.join(", ")}.`, {
    status: 405,
    reason: "METHOD",
    headers,
  });
}

/** Whether the client has what it would get (a weak comparison). */
function isUnchanged({ headers }: ApiRequest, etag: string): boolean {
  const given = headers?.["if-none-match"];
  if (given === undefined) return false;
  return given.split(",").some((tag) => tag.trim() === etag || `W/${tag.trim()}` === etag);
}

function readToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^Bearer ([\w~+/.=-]{1,256})$/i.exec(header)?.[1];
}
