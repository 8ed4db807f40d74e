import { API_PREFIX, type ApiResponse, SOCKET_PATH } from "../../client/api/endpoint.ts";
import type { VenueHost } from "../host/host.ts";
import type { Answering } from "./dispatch/answering.ts";
import { type HttpListener, type ListenOptions, listen } from "./http/listen.ts";
import { hasAdminToken, isDirectLoopback, type OperatorRequest } from "./http/operator.ts";
import { carryWebSockets } from "./http/webSocket.ts";
import { logAnswer, type ServiceLog } from "./monitoring/log.ts";
import { isReady, Metrics } from "./monitoring/metrics.ts";
import { ProblemError } from "./problems/problems.ts";
import { createService, type VenueService, type VenueServiceOptions } from "./service.ts";
import type { ServicesOptions } from "./services/services.ts";
import type { StreamHub } from "./socket/hub.ts";

export interface ServerOptions extends ServicesOptions, Pick<VenueServiceOptions, "streams"> {
  readonly listen?: Omit<ListenOptions, "connectionsOfClient" | "requestsOfClient" | "requestsOfConnection" | "hosts">;
  readonly log?: ServiceLog;
  /** A request with this bearer token may read metrics from anywhere. */
  readonly adminToken?: string | undefined;
  /** Wraps the service before it reaches the network: control and faults of a development venue. */
  readonly extend?: (service: VenueService) => { readonly answering: Answering; readonly streams: StreamHub };
  /** Last task when clients can no longer reach the venue and the host can still be read: writing it to a file. */
  readonly atEnd?: () => Promise<void>;
}

/** A venue that other processes reach. */
export interface VenueServer extends VenueService {
  readonly listener: HttpListener;
  /** Address of the REST interface, with its prefix. */
  readonly restUrl: string;
  readonly socketUrl: string;
  /** Accepts no new requests, finishes pending answers, and closes the host. A second call has no effect. */
  close(graceMs?: number): Promise<void>;
}

/** Time for pending answers when the service ends. */
export const GRACE_MS = 5_000;

/** Serves a host by HTTP. */
export async function startServer(host: VenueHost, options: ServerOptions = {}): Promise<VenueServer> {
  const { listen: listenOptions, log, extend, atEnd, adminToken, ...rest } = options;
  let metrics: Metrics | undefined;
  const service = createService(host, {
    streams: { onError: (error) => log?.error({ err: error }, "a stream failed") },
    onVerifierFailure: (error) => log?.warn({ err: error }, "no thread verifies signatures: submissions take longer"),
    ...rest,
    onAnswer(record) {
      metrics?.observe(record);
      if (log !== undefined) logAnswer(log, record);
    },
  });
  const { services, dispatcher, hub } = service;
  const { answering, streams } = extend?.(service) ?? { answering: dispatcher, streams: hub };
  const { lifecycle, config } = services;
  const { limits } = services.limiter;
  const { urls } = config;
  metrics = new Metrics(services, hub);
  host.onFailure((reason) => log?.fatal({ reason }, "the host stopped: the venue accepts no transactions"));
  const mayReadMetrics = (request: OperatorRequest) => hasAdminToken(request, adminToken) || isDirectLoopback(request);
  // Pages of the same origins may read streams as may call the API.
  const carrier = carryWebSockets(streams, {
    origins: listenOptions?.cors ?? [],
    behindProxy: listenOptions?.behindProxy ?? false,
  });
  const listener = await listen(answering, {
    onUpgrade: carrier.onUpgrade,
    ...listenOptions,
    connectionsOfClient: limits.connections,
    requestsOfClient: limits.requestsInFlight,
    requestsOfConnection: limits.requestsOfConnection,
    ...(urls === undefined ? {} : { hosts: [new URL(urls.rest).host] }),
    pages: { ...pagesOf(service, metrics, mayReadMetrics), ...listenOptions?.pages },
  });
  if (urls === undefined) lifecycle.origin = listener.url;
  // Most of the history is read before a client requests it.
  services.history.prepare().catch((error: unknown) => log?.error({ err: error }, "the past could not be read"));

  let closing: Promise<void> | undefined;
  const close = async (graceMs: number): Promise<void> => {
    lifecycle.isDraining = true;
    log?.info("closing");
    carrier.close();
    try {
      await listener.close(graceMs);
      await atEnd?.();
    } finally {
      await host.close();
      await services.signatures?.close();
    }
  };
  return {
    ...service,
    listener,
    restUrl: `${listener.url}${API_PREFIX}`,
    socketUrl: `${listener.url.replace(/^http/, "ws")}${SOCKET_PATH}`,
    close(graceMs = GRACE_MS) {
      closing ??= close(graceMs);
      return closing;
    },
  };
}

/** Pages for the operator's monitoring and for visitors of the root path; not part of the API. */
function pagesOf(
  { services, dispatcher }: VenueService,
  metrics: Metrics,
  mayReadMetrics: (request: OperatorRequest) => boolean,
): NonNullable<ListenOptions["pages"]> {
  const { host, lifecycle } = services;
  return {
    "/": () => ({
      status: 302,
      headers: { location: `${API_PREFIX}/reference`, "cache-control": "no-store" },
      body: "",
    }),
    "/health/live": () => json(200, { status: "live" }),
    "/health/ready": () => {
      if (isReady(host, lifecycle)) return json(200, { status: "ready", height: host.state.height });
      return json(503, { status: "notReady", reason: lifecycle.isDraining ? "DRAINING" : "STOPPED" });
    },
    async "/metrics"(request) {
      // They are costly to compute, and describe all accounts.
      if (!mayReadMetrics(request)) return dispatcher.refuse(hidden());
      const headers = { "content-type": metrics.registry.contentType, "cache-control": "no-store" };
      return { status: 200, headers, body: await metrics.text() };
    },
  };
}

function hidden(): ProblemError {
  const detail = "Metrics are for this machine, without a proxy, or for the administrator's token.";
  return new ProblemError("UNAUTHORIZED", detail, { status: 403, reason: "NOT_LOCAL" });
}

function json(status: number, body: object): ApiResponse {
  const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" };
  return { status, headers, body: JSON.stringify(body) };
}
