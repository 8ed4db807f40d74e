import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import type { ApiResponse } from "../../../client/api/endpoint.ts";
import type { Answering } from "../dispatch/answering.ts";
import { BODY_MOST } from "../dispatch/requestReader.ts";
import { ProblemError } from "../problems/problems.ts";
import { ConnectionCount, clientOf, clientOfRequest, countHosts, isLoopbackAddress, isLoopbackHost } from "./client.ts";
import { type CorsOrigins, corsHeaders, preflightHeaders } from "./cors.ts";
import type { OperatorRequest } from "./operator.ts";
import { writeRefusal } from "./refusal.ts";
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
  const timeouts = { ...HTTP_TIMEOUTS, ...options.timeouts };
  const checksHost = isLoopbackAddress(address);
  const app = Fastify({
    logger: false,
    bodyLimit: BODY_MOST,
    requestTimeout: timeouts.requestMs,
    connectionTimeout: timeouts.idleMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    maxRequestsPerSocket: requestsOfConnection,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    exposeHeadRoutes: false,
    rewriteUrl: readTarget,
    http: {
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: 500,
      maxHeaderSize: 16_384,
      // A request without a host is refused below, with a problem.
      requireHostHeader: false,
      // HTTP lets a server ignore any other upgrade: `curl --http2` and Java's client offer one in each request.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === "websocket",
    },
    clientErrorHandler: (error, socket) => writeRefusal(socket as Socket, dispatcher, error),
    // A path that is not percent-encoded text is answered as it is in process.
    frameworkErrors: (_error, request, reply) => handle(request as FastifyRequest, reply as FastifyReply),
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));

  let isClosing = false;
  const write = (reply: FastifyReply, origin: string | undefined, { status, headers, body }: ApiResponse): void => {
    reply.hijack();
    const all: Record<string, string | number> = { ...headers, ...corsHeaders(cors, origin) };
    if (status !== 204 && status !== 304) all["content-length"] ??= Buffer.byteLength(body);
    if (isClosing) all["connection"] = "close";
    reply.raw.writeHead(status, all);
    reply.raw.end(body);
  };

  /** Reason to refuse a request before any of it is carried out, upgrades included. */
  const refusalOf = (request: IncomingMessage): ProblemError | undefined => {
    const named = countHosts(request);
    if (named > 1 || (named === 0 && request.httpVersion === "1.1")) return notOneHost();
    return checksHost && !isLoopbackHost(request.headers.host, hosts) ? wrongHost() : undefined;
  };

  const handle = (request: FastifyRequest, reply: FastifyReply): void => {
    const { method, url = "/", headers } = request.raw;
    const { origin } = headers;
    const client = clientOfRequest(request.raw, behindProxy);
    const refusal = refusalOf(request.raw);
    if (refusal !== undefined) {
      const refused = dispatcher.refuse(refusal);
      const closes = refusal.fields.reason === "HOSTS" ? { connection: "close" } : {};
      write(reply, origin, { ...refused, headers: { ...refused.headers, ...closes } });
      return;
    }
    if (method === "OPTIONS" && headers["access-control-request-method"] !== undefined) {
      write(reply, undefined, { status: 204, headers: preflightHeaders(cors, origin), body: "" });
      return;
    }
    const page = method === "GET" || method === "HEAD" ? pages[url] : undefined;
    if (page !== undefined) {
      // A page that throws, now or later, is answered as any fault of the service.
      const made = async () => page({ client, headers });
      made()
        .catch(() => dispatcher.refuse(problemOf({})))
        .then((answer) => write(reply, origin, method === "HEAD" ? { ...answer, body: "" } : answer));
      return;
    }
    const { body } = request;
    const answer = dispatcher.handle(
      {
        method: method as "GET",
        path: url,
        headers: headers as Record<string, string>,
        ...(typeof body === "string" ? { body } : {}),
      },
      client,
    );
    if (answer instanceof Promise) {
      answer.then(
        (late) => write(reply, origin, late),
        () => cut(reply),
      );
    } else write(reply, origin, answer);
  };
  app.all("/*", handle);
  for (const [path, bodyLimit] of Object.entries(dispatcher.longBodies ?? {})) app.post(path, { bodyLimit }, handle);
  app.setNotFoundHandler(handle);
  app.setErrorHandler((error: { readonly statusCode?: number; readonly code?: string }, request, reply) => {
    // A method that needs a typed body, and that no path accepts.
    if (error.code === "FST_ERR_ROUTE_MISSING_CONTENT_TYPE") return handle(request, reply);
    write(reply, request.headers.origin, dispatcher.refuse(problemOf(error)));
  });

  const { server } = app;
  server.maxConnections = connectionsMost;
  // All connections of a proxy are its own.
  const ofClient = behindProxy ? undefined : options.connectionsOfClient;
  const count = new ConnectionCount(ofClient ?? Number.POSITIVE_INFINITY);
  server.on("connection", (socket: Socket) => {
    const client = clientOf(socket.remoteAddress);
    if (count.enter(client)) socket.once("close", () => count.leave(client));
    else writeRefusal(socket, dispatcher, tooManyConnections());
  });
  // An expectation other than `100-continue` may be ignored (RFC 9110, 10.1.1); Node would answer 417 without a problem.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  const { onUpgrade } = options;
  if (onUpgrade !== undefined) {
    server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
      request.url = readTarget(request);
      const refusal = refusalOf(request);
      if (refusal === undefined) onUpgrade(request, socket, head);
      else writeRefusal(socket, dispatcher, refusal);
    });
  }

  await app.listen({ host: address, port });
  const bound = server.address() as AddressInfo;
  const name = bound.family === "IPv6" ? `[${bound.address}]` : bound.address;
  return {
    url: `http://${name}:${bound.port}`,
    port: bound.port,
    server,
    async close(graceMs = 5_000) {
      isClosing = true;
      const cut = setTimeout(() => server.closeAllConnections(), graceMs);
      try {
        await app.close();
      } finally {
        clearTimeout(cut);
      }
    },
  };
}

/** Sends no answer: the client sees its connection reset. */
function cut(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.socket?.resetAndDestroy();
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
  const detail = "Your address has as many connections open as it may; close some, or use those that are open.";
  return new ProblemError("RATE_LIMITED", detail, { reason: "CONNECTIONS", retryAfterMs: 1_000 });
}

/** Errors that Fastify raises itself. */
function problemOf({ statusCode }: { readonly statusCode?: number }): ProblemError {
  if (statusCode === 413) {
    const detail = `The body is longer than ${BODY_MOST} bytes.`;
    return new ProblemError("MALFORMED_REQUEST", detail, { status: 413, reason: "TOO_LARGE" });
  }
  if (statusCode === 415) {
    const detail = "The body is JSON; send `Content-Type: application/json`.";
    return new ProblemError("MALFORMED_REQUEST", detail, { status: 415, reason: "CONTENT_TYPE" });
  }
  if (statusCode !== undefined && statusCode < 500) {
    return new ProblemError("MALFORMED_REQUEST", "The request cannot be read.", { reason: "HTTP" });
  }
  return new ProblemError("INTERNAL_ERROR", "The service failed; see its log.");
}
