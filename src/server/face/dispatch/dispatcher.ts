import { API_PREFIX, type ApiRequest, type ApiResponse } from "../../../client/api/endpoint.ts";
import { PROBLEM_TYPE } from "../../../client/api/problem.ts";
import type { Route } from "../../../client/api/route.ts";
import type { Allowance, RateBuckets } from "../limits/bucket.ts";
import { rateHeaders } from "../limits/bucket.ts";
import { limited } from "../limits/limiter.ts";
import { bodyOfProblem, headersOfProblem, ProblemError } from "../problems/problems.ts";
import { AnswerCache } from "./answerCache.ts";
import type { Answering } from "./answering.ts";
import { checkContentType, hasBody, isUnchanged, refuseMethod, unknownRoute } from "./exchangeRules.ts";
import { RequestReader } from "./requestReader.ts";
import { RouteTable } from "./routeTable.ts";

/** Longest path with query, in characters. */
export const PATH_MOST = 4_096;

/** A request as a handler receives it. */
export interface RequestContext {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** All of them, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The requested path, with prefix and query. */
  readonly path: string;
  /** Client that the limits count: a network address. */
  readonly client: string;
  readonly requestId: string;
}

export interface RawAnswer {
  readonly status: number;
  /** Undefined for none. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** It may change between blocks, so it gets no ETag and is not cached. */
  readonly volatile?: boolean;
  /** It is for an authenticated reader, so no cache may give it to another client. */
  readonly guarded?: boolean;
  /** Separates answers of one path that differ by reader; part of the ETag. */
  readonly variant?: string;
}

export type RawHandler = (context: RequestContext) => RawAnswer | Promise<RawAnswer>;

/** Report on an answered request. */
export interface AnswerRecord {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** Undefined if no route matched. */
  readonly operation: string | undefined;
  readonly client: string;
  readonly status: number;
  readonly durationMs: number;
  /** The thrown error, unless the request caused it. */
  readonly error: unknown;
}

export interface DispatcherOptions {
  readonly routes: Readonly<Record<string, Route>>;
  readonly handlers: Readonly<Record<string, RawHandler>>;
  /** Operations whose handlers check the body themselves; they accept any JSON. */
  readonly ownBodies?: ReadonlySet<string>;
  /** Identifies the height that reads belong to: changes with every block. */
  readonly version: () => string;
  /** Allowances that an operation counts against; without an operation, those of a request without a route. */
  readonly allowancesOf?: (operation: string | undefined) => RateBuckets | undefined;
  /** Paths outside the prefix that are served as if inside. */
  readonly aliases?: readonly string[];
  /** Milliseconds, for allowances. Default: the monotonic clock of the process. */
  readonly clock?: () => number;
  readonly newRequestId: () => string;
  readonly onAnswer?: (record: AnswerRecord) => void;
}

const JSON_TYPE = "application/json; charset=utf-8";

/**
 * Answers requests from any carrier: finds the route, validates the request, calls the handler, and writes the answer
 * or the error. It never throws.
 */
export class Dispatcher implements Answering {
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
    this.#clock = options.clock ?? (() => performance.now());
    this.#table = new RouteTable(routes);
    this.#readers = new Map(
      Object.entries(routes).map(([id, route]) => [id, new RequestReader(route, ownBodies?.has(id) ?? false)]),
    );
  }

  /** @param client client that the limits count */
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

    const { path, query } = this.#locate(exchange);
    const match = this.#table.match(request.method, path);
    if (match.kind === "malformed") {
      throw new ProblemError("MALFORMED_REQUEST", "The path is not percent-encoded text.", { reason: "ENCODING" });
    }
    if (match.kind === "unknown") throw this.#unknown(exchange);
    if (match.kind === "method") return refuseMethod(request.method, match.allow);

    const operation = match.operation;
    exchange.operation = operation;
    const reader = this.#readers.get(operation)!;
    const { route } = reader;
    this.#charge(exchange, route.weight);
    const headers = request.headers ?? {};
    if (route.method === "POST") checkContentType(headers, request.body);
    else if (hasBody(request)) {
      throw new ProblemError("MALFORMED_REQUEST", `A ${request.method} has no body; send none.`, { reason: "BODY" });
    }
    const read = reader.read(match.params, query, headers, request.body);
    const context: RequestContext = { ...read, headers, path: request.path, client, requestId: exchange.requestId };
    const version = this.#version;
    const handler = this.#options.handlers[operation];
    if (handler === undefined) throw new Error(`no handler answers ${operation}`);
    const answer = handler(context);
    const write = (answered: RawAnswer) => this.#write(exchange, route, version, answered);
    return answer instanceof Promise ? answer.then(write) : write(answer);
  }

  /** @param version height that the answer belongs to; later blocks may have been applied while it was computed */
  #write({ request, operation }: Exchange, { weight }: Route, version: string, answer: RawAnswer): ApiResponse {
    const { status, body } = answer;
    if (body === undefined || body === null) return { status, headers: answer.headers ?? {}, body: "" };
    const holds = request.method !== "POST" && status === 200 && answer.volatile !== true;
    const etag = answer.variant === undefined ? `W/"${version}"` : `W/"${version}.${answer.variant}"`;
    if (holds && isUnchanged(request, etag)) return { status: 304, headers: { etag }, body: "" };
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const kind = { "content-type": JSON_TYPE };
    if (!holds) return { status, headers: { ...kind, "cache-control": "no-store", ...answer.headers }, body: text };
    const isGuarded = answer.guarded === true;
    const control = isGuarded ? "private, no-cache" : "no-cache";
    const vary = isGuarded ? { vary: "Authorization" } : {};
    const headers = { ...kind, "cache-control": control, etag, ...vary, ...answer.headers };
    if (!isGuarded && version === this.#version) {
      this.#cache.add(request.path, { operation: operation!, weight, body: text, headers });
    }
    return { status, headers, body: text };
  }

  /** Path without the prefix, and query. */
  #locate(exchange: Exchange): { path: string; query: string } {
    const whole = exchange.request.path;
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
    throw this.#unknown(exchange);
  }

  /** An unknown route costs allowance, too. */
  #unknown(exchange: Exchange): ProblemError {
    this.#charge(exchange, 1);
    return unknownRoute(exchange.request.path);
  }

  #charge(exchange: Exchange, weight: number): void {
    const allowances = this.#options.allowancesOf?.(exchange.operation);
    if (allowances === undefined) return;
    const allowance = allowances.take(exchange.client, weight, this.#clock());
    exchange.charged = { allowances, allowance };
    if (!allowance.allowed) throw limited(allowances.policy, allowance.retryAfterMs);
  }

  #problem(exchange: Exchange, error: unknown): ApiResponse {
    const isOwn = error instanceof ProblemError;
    if (!isOwn) exchange.error = error;
    const problem = isOwn ? error : new ProblemError("INTERNAL_ERROR", "The service failed; see its log.");
    const headers = { ...headersOfProblem(problem), "content-type": PROBLEM_TYPE, "cache-control": "no-store" };
    return { status: problem.status, headers, body: JSON.stringify(bodyOfProblem(problem, exchange.requestId)) };
  }

  #finish(exchange: Exchange, { status, headers, body }: ApiResponse): ApiResponse {
    const { request, requestId, operation, client, charged } = exchange;
    const all: Record<string, string> = { ...headers, "x-request-id": requestId, "x-content-type-options": "nosniff" };
    if (charged !== undefined) Object.assign(all, rateHeaders(charged.allowances.policy, charged.allowance));
    this.#options.onAnswer?.({
      requestId,
      method: request.method,
      path: request.path,
      operation,
      client,
      status,
      durationMs: performance.now() - exchange.startedMs,
      error: exchange.error,
    });
    if (request.method !== "HEAD" || status === 304) return { status, headers: all, body };
    return { status, headers: { ...all, "content-length": String(Buffer.byteLength(body)) }, body: "" };
  }
}

const REQUEST_ID = /^[\w.:-]{1,64}$/;

/** A request that is being answered. */
class Exchange {
  operation: string | undefined;
  charged: { readonly allowances: RateBuckets; readonly allowance: Allowance } | undefined;
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
