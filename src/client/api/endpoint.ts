/**
 * A venue as its clients reach it: over HTTP and WebSocket, or in the same process (`createDevnet().endpoint`). Both
 * carry the same texts, so that code that works in process also works over the wire.
 */
export interface VenueEndpoint {
  request(request: ApiRequest): Promise<ApiResponse>;
  /** Opens a stream of messages (`/ws/v1`). */
  connect(listener: SocketListener): ApiSocket;
}

export interface ApiRequest {
  readonly method: "GET" | "HEAD" | "POST" | "DELETE";
  /** Path with prefix and query: `/api/v1/markets/BTC-PERP/book?depth=10`. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface ApiResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface SocketListener {
  onOpen?(): void;
  onMessage(text: string): void;
  onClose(code: number, reason: string): void;
}

export interface ApiSocket {
  send(text: string): void;
  close(code?: number, reason?: string): void;
}

export const API_PREFIX = "/api/v1";
export const SOCKET_PATH = "/ws/v1";
