import { API_PREFIX, type ApiRequest, type ApiResponse } from "../../api/endpoint.ts";
import { ClientError } from "../errors.ts";
import { openSocket } from "./socket.ts";
import { DEFAULT_TIMEOUT_MS, type Transport } from "./transport.ts";

/** Settings of an HTTP transport. */
export interface HttpOptions {
  /** How long an answer may take, ms. Default: 10,000. */
  readonly timeoutMs?: number;
  /** Address of the stream, `ws://…/ws/v1`. Default: none, without streams. */
  readonly socketUrl?: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the platform's. */
  readonly fetch?: typeof fetch;
}

/**
 * Reaches a venue over HTTP.
 *
 * @param baseUrl scheme, host and port of the venue, or the address of its REST interface, which ends in `/api/v1`
 */
export function http(baseUrl: string, options: HttpOptions = {}): Transport {
  const base = originOf(baseUrl);
  const { timeoutMs = DEFAULT_TIMEOUT_MS, socketUrl, headers: always, fetch: send = fetch } = options;
  return {
    kind: "http",
    timeoutMs,
    hasSocket: socketUrl !== undefined,
    request: (request) => requestOverHttp(base, request, { timeoutMs, send, always }),
    connect(listener) {
      if (socketUrl !== undefined) return openSocket(socketUrl, listener);
      throw new ClientError("SOCKET_UNAVAILABLE", "the transport knows no stream; give http() a `socketUrl`", {
        transport: "http",
      });
    },
  };
}

/**
 * Reaches a venue's stream, and its REST interface for all other requests.
 *
 * @param socketUrl address of the stream, `ws://…/ws/v1`
 * @param baseUrl   of the REST interface, as `http` takes it
 */
export function webSocket(
  socketUrl: string,
  { baseUrl, ...options }: Omit<HttpOptions, "socketUrl"> & { readonly baseUrl: string },
): Transport {
  return { ...http(baseUrl, { ...options, socketUrl }), kind: "webSocket" };
}

/** The address without the prefix of the REST interface: requests add it, and control of a devnet has another. */
function originOf(baseUrl: string): string {
  const base = new URL(baseUrl).href.replace(/\/+$/, "");
  return base.endsWith(API_PREFIX) ? base.slice(0, -API_PREFIX.length) : base;
}

interface Sending {
  readonly timeoutMs: number;
  readonly send: typeof fetch;
  readonly always: Readonly<Record<string, string>> | undefined;
}

async function requestOverHttp(
  base: string,
  { method, path, headers, body }: ApiRequest,
  { timeoutMs, send, always }: Sending,
): Promise<ApiResponse> {
  // A long poll may take its requested wait in addition.
  const budgetMs = timeoutMs + Number(/[?&]waitMs=(\d+)/.exec(path)?.[1] ?? 0);
  const signal = AbortSignal.timeout(budgetMs);
  try {
    const response = await send(base + path, {
      method,
      headers: { ...always, ...headers },
      ...(body === undefined ? {} : { body }),
      signal,
      redirect: "error",
    });
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
  } catch (cause) {
    if (signal.aborted) {
      const details = { method, path, timeoutMs: budgetMs };
      throw new ClientError("TIMEOUT", `no answer to ${method} ${path} in ${budgetMs} ms`, details, { cause });
    }
    throw new ClientError("CONNECTION_FAILED", `${method} ${path} got no answer`, { method, path }, { cause });
  }
}
