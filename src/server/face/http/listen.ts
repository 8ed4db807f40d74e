import { isUtf8 } from "node:buffer";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { ApiRequest, ApiResponse } from "../../../client/api/endpoint.ts";
import type { Answering } from "../dispatch/answering.ts";
import { BODY_MOST } from "../dispatch/requestReader.ts";
import { ProblemError } from "../problems/problems.ts";
import { addressesOf, bind } from "./bind.ts";
import {
  ClientCount,
  clientOf,
  clientOfRequest,
  countHosts,
  isLoopbackAddress,
  isLoopbackHost,
  markProxy,
} from "./client.ts";
import { type CorsOrigins, corsHeaders, preflightHeaders } from "./cors.ts";
import type { OperatorRequest } from "./operator.ts";
import { Pipelines } from "./pipelines.ts";
import { readBody } from "./readBody.ts";
import { ReadHolds } from "./readHolds.ts";
import { writeRefusal } from "./refusal.ts";
import { RequestTurns } from "./requestTurns.ts";
import { readTarget } from "./target.ts";

/** Time limits, in milliseconds. */
export interface HttpTimeouts {
  /** For all headers of a request. */
  readonly headersMs: number;
  /** For a whole request. */
  readonly requestMs: number;
  /** For a connection without traffic: longer than the longest wait for an answer. */
  readonly idleMs: number;
  /** For a connection between two requests. */
  readonly keepAliveMs: number;
}

export const HTTP_TIMEOUTS: HttpTimeouts = {
  headersMs: 5_000,
  requestMs: 10_000,
  idleMs: 45_000,
  keepAliveMs: 30_000,
};

export interface ListenOptions {
  /** Default: loopback, which other machines cannot reach. */
  readonly address?: string;
  /** Default: 0, any free port. */
  readonly port?: number;
  readonly cors?: CorsOrigins;
  readonly timeouts?: Partial<HttpTimeouts>;
  /** Most connections at a time: of one client, and of all. */
  readonly connectionsOfClient?: number;
  readonly connectionsMost?: number;
  /**
   * Most requests of one client without an answer. A further one is refused before its body is read. Default: any
   * number.
   */
  readonly requestsOfClient?: number;
  /** Requests that one connection may make; 0 for any number. Default: 0. */
  readonly requestsOfConnection?: number;
  /** Hosts that it answers to in addition to those of this machine, if it listens on loopback. */
  readonly hosts?: readonly string[];
  /** The venue runs behind a proxy, which names the client in `X-Forwarded-For`. Default: no. */
  readonly behindProxy?: boolean;
  /** Pages and probes next to the API, by path: `GET` only. */
  readonly pages?: Readonly<Record<string, (request: OperatorRequest) => ApiResponse | Promise<ApiResponse>>>;
  /** Takes over requests to upgrade a connection to WebSocket, after the same checks as any request. */
  readonly onUpgrade?: (request: IncomingMessage, socket: Socket, head: Buffer) => void;
}

/** A listening venue. */
export interface HttpListener {
  /** `http://127.0.0.1:8645` */
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /** Accepts no more connections, finishes pending answers, and cuts the remaining connections after `graceMs`. */
  close(graceMs?: number): Promise<void>;
}

/** Serves a dispatcher by HTTP/1.1. */
export async function listen(dispatcher: Answering, options: ListenOptions = {}): Promise<HttpListener> {
  const { address = "127.0.0.1", port = 0, cors = [], pages = {}, connectionsMost = 10_000 } = options;
  const { hosts = [], behindProxy = false, requestsOfConnection = 0 } = options;
  const inFlight = new ClientCount(options.requestsOfClient ?? Number.POSITIVE_INFINITY);
  const timeouts = { ...HTTP_TIMEOUTS, ...options.timeouts };
  const checksHost = isLoopbackAddress(address);

  /** Reason to refuse a request before any of it is carried out, upgrades included. */
  const refusalOf = (request: IncomingMessage): ProblemError | undefined => {
    const named = countHosts(request);
    if (named > 1 || (named === 0 && request.httpVersion === "1.1")) return notOneHost();
    return checksHost && !isLoopbackHost(request.headers.host, hosts) ? wrongHost() : undefined;
  };

  /** The answer to a request, at once where it can be; with `undefined` the connection is cut. */
  const answer = (request: IncomingMessage, client: string): ApiResponse | Promise<ApiResponse | undefined> => {
    const { method, url = "/", headers } = request;
    const refusal = refusalOf(request);
    if (refusal !== undefined) {
      const refused = dispatcher.refuse(refusal);
      const closes = refusal.fields.reason === "HOSTS" ? { connection: "close" } : {};
      return { ...refused, headers: { ...refused.headers, ...closes } };
    }
    if (method === "OPTIONS" && headers["access-control-request-method"] !== undefined) {
      return { status: 204, headers: preflightHeaders(cors, headers.origin), body: "" };
    }
    const page = method === "GET" || method === "HEAD" ? pages[url] : undefined;
    if (page !== undefined) {
      const shown = async () => page({ client, headers });
      return method === "GET" ? shown() : shown().then((whole) => ({ ...whole, body: "" }));
    }
    const dispatch = (body: { readonly body?: string }) =>
      new Promise<ApiResponse | undefined>((resolve) => {
        turns.add(client, () => {
          try {
            const answered = dispatcher.handle({ method, path: url, headers, ...body } as ApiRequest, client);
            if (answered instanceof Promise) answered.then(resolve, () => resolve(undefined));
            else resolve(answered);
          } catch {
            resolve(dispatcher.refuse(failed()));
          }
        });
      });
    // Only POST has a body. The dispatcher refuses one that another method announces, so it is not read.
    if (method !== "POST" || !announcesBody(headers)) return dispatch({});
    const most = dispatcher.longBodies?.[url.split("?", 1)[0]!] ?? BODY_MOST;
    return readBody(request, most).then((bytes) => {
      if (bytes === undefined) return dispatcher.refuse(tooLong(most));
      return isUtf8(bytes) ? dispatch({ body: bytes.toString("utf8") }) : dispatcher.refuse(notUtf8());
    });
  };

  let isClosing = false;
  const write = (
    response: ServerResponse,
    origin: string | undefined,
    isLast: boolean,
    { status, headers, body }: ApiResponse,
  ): void => {
    const all: Record<string, string | number> = { ...headers, ...corsHeaders(cors, origin) };
    if (status !== 204 && status !== 304) all["content-length"] ??= Buffer.byteLength(body);
    if (isClosing || isLast) all["connection"] = "close";
    response.writeHead(status, all);
    response.end(body);
  };

  const holds = new ReadHolds();
  // The connections of a proxy carry other clients, so they are read.
  const turns = new RequestTurns(
    behindProxy ? undefined : { onMany: (client) => holds.hold(client), onFew: (client) => holds.release(client) },
  );
  const pipelines = new Pipelines((socket) => holds.end(socket));
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const place = pipelines.enter(request.socket, response);
    if (place === "beyond") return;
    holds.arrive(request.socket);
    request.url = readTarget(request);
    markProxy(request);
    const { origin } = request.headers;
    const client = clientOfRequest(request, behindProxy);
    if (!inFlight.enter(client)) {
      // Its body, and what it has sent ahead, are not read. The connection of a proxy carries other clients.
      const isLast = place === "last" || !behindProxy;
      if (!behindProxy) holds.end(request.socket);
      write(response, origin, isLast, dispatcher.refuse(tooManyRequests()));
      return;
    }
    response.once("close", () => inFlight.leave(client));
    const finish = (answered: ApiResponse | undefined): void => {
      try {
        if (answered !== undefined) {
          write(response, origin, place === "last", answered);
          return;
        }
      } catch {
        // An answer that cannot be written must not end the process.
      }
      request.socket.resetAndDestroy();
    };
    // A page or a handler that throws is answered as any fault of the service.
    const fail = (): void => finish(dispatcher.refuse(failed()));
    try {
      const answered = answer(request, client);
      if (answered instanceof Promise) answered.then(finish, fail);
      else finish(answered);
    } catch {
      fail();
    }
  };

  const server = createServer(
    {
      headersTimeout: timeouts.headersMs,
      keepAliveTimeout: timeouts.keepAliveMs,
      connectionsCheckingInterval: 500,
      maxHeaderSize: 16_384,
      // A request without a host is refused above, with a problem.
      requireHostHeader: false,
      // HTTP lets a server ignore any other upgrade: `curl --http2` and Java's client offer one in each request.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === "websocket",
    },
    serve,
  );
  server.requestTimeout = timeouts.requestMs;
  server.setTimeout(timeouts.idleMs);
  server.maxRequestsPerSocket = requestsOfConnection;
  server.maxConnections = connectionsMost;
  // All connections of a proxy are its own.
  const ofClient = behindProxy ? undefined : options.connectionsOfClient;
  const count = new ClientCount(ofClient ?? Number.POSITIVE_INFINITY);
  server.on("connection", (socket: Socket) => {
    const client = clientOf(socket.remoteAddress);
    if (!count.enter(client)) {
      writeRefusal(socket, dispatcher, tooManyConnections());
      return;
    }
    socket.once("close", () => count.leave(client));
    holds.add(client, socket);
  });
  server.on("clientError", (error: Error, socket) => writeRefusal(socket as Socket, dispatcher, error));
  // An expectation other than `100-continue` may be ignored (RFC 9110, 10.1.1); Node would answer 417 without a
  // problem.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  const { onUpgrade } = options;
  if (onUpgrade !== undefined) {
    server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
      request.url = readTarget(request);
      const refusal = refusalOf(request);
      holds.leave(socket);
      if (refusal === undefined) onUpgrade(request, socket, head);
      else writeRefusal(socket, dispatcher, refusal);
    });
  }

  const further = await bind(server, await addressesOf(address), port);
  const bound = server.address() as AddressInfo;
  const name = bound.family === "IPv6" ? `[${bound.address}]` : bound.address;
  return {
    url: `http://${name}:${bound.port}`,
    port: bound.port,
    server,
    async close(graceMs = 5_000) {
      isClosing = true;
      const cut = setTimeout(() => server.closeAllConnections(), graceMs);
      // The only error of `close` is that the server is closed already.
      const closed = [server, ...further].map((each) => new Promise<void>((resolve) => each.close(() => resolve())));
      await Promise.all(closed);
      clearTimeout(cut);
    },
  };
}

function announcesBody(headers: IncomingMessage["headers"]): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}

function notOneHost(): ProblemError {
  const detail = "The request has no `Host` header or several; send one.";
  return new ProblemError("MALFORMED_REQUEST", detail, { reason: "HOSTS" });
}

function wrongHost(): ProblemError {
  const detail = "A venue on loopback answers to `localhost` and loopback addresses only.";
  return new ProblemError("MALFORMED_REQUEST", detail, { status: 421, reason: "HOST" });
}

function tooManyConnections(): ProblemError {
  const detail = "Your address has reached its limit of open connections; close some, or use those that are open.";
  return new ProblemError("RATE_LIMITED", detail, { reason: "CONNECTIONS", retryAfterMs: 1_000 });
}

function tooManyRequests(): ProblemError {
  const detail = "Your address has reached its limit of unanswered requests; wait for answers, then send again.";
  return new ProblemError("RATE_LIMITED", detail, { reason: "IN_FLIGHT", retryAfterMs: 1_000 });
}

function tooLong(most: number): ProblemError {
  const detail = `The body is longer than ${most} bytes.`;
  return new ProblemError("MALFORMED_REQUEST", detail, { status: 413, reason: "TOO_LARGE" });
}

function notUtf8(): ProblemError {
  return new ProblemError("MALFORMED_REQUEST", "The body is not UTF-8.", { reason: "JSON" });
}

function failed(): ProblemError {
  return new ProblemError("INTERNAL_ERROR", "The service failed; see its log.");
}
