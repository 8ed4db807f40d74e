import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { type RawData, type WebSocket, WebSocketServer } from "ws";
import { SOCKET_PATH } from "../../../client/api/endpoint.ts";
import { CLIENT_MESSAGE_MOST, CLOSE_CODES } from "../../../client/api/socket/messages.ts";
import type { StreamHub } from "../socket/hub.ts";
import { clientOfRequest, countHosts } from "./client.ts";
import { type CorsOrigins, isAllowedOrigin } from "./cors.ts";
import { RequestTurns } from "./requestTurns.ts";

export interface WebSocketOptions {
  /** Origins whose pages may connect; programs send no origin and may connect. */
  readonly origins?: CorsOrigins;
  /** Interval of pings; a peer that misses three is cut. Default: 20,000. */
  readonly pingMs?: number;
  /** As for requests: the venue runs behind a proxy, which names the client. Default: no. */
  readonly behindProxy?: boolean;
}

/** Carries a hub's streams by WebSocket, on an HTTP server's upgrades. */
export interface WebSocketCarrier {
  onUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void;
  close(): void;
}

const MISSED_MOST = 3;
/** Time for a peer that sends on after the close to read why; then it is cut. */
const CLOSE_MS = 2_000;

export function carryWebSockets(
  hub: StreamHub,
  { origins = [], pingMs = 20_000, behindProxy = false }: WebSocketOptions = {},
): WebSocketCarrier {
  const server = new WebSocketServer({ noServer: true, maxPayload: CLIENT_MESSAGE_MOST, perMessageDeflate: false });
  const missed = new Map<WebSocket, number>();
  const beat = setInterval(() => hub.beat(), hub.heartbeatMs).unref();
  const ping = setInterval(() => {
    for (const [socket, count] of missed) {
      if (count >= MISSED_MOST) socket.terminate();
      else {
        missed.set(socket, count + 1);
        socket.ping();
      }
    }
  }, pingMs).unref();

  const turns = new RequestTurns();
  const together = new Together();
  const open = (socket: WebSocket, client: string, under: Socket): void => {
    const connection = hub.connect({
      client,
      get buffered() {
        return socket.bufferedAmount;
      },
      send(text) {
        together.hold(under);
        socket.send(together.bytesOf(text), { binary: false });
      },
      close: (code, reason) => socket.close(code, reason),
    });
    // A frame that breaks the protocol or is too long: the library closes with the right code, and the hub drops the
    // connection. A refused peer may send one as well.
    socket.on("error", () => connection?.closed());
    if (connection === undefined) {
      socket.close(CLOSE_CODES.limited, "too many connections");
      return;
    }
    missed.set(socket, 0);
    socket.on("pong", () => missed.set(socket, 0));
    // Once closed, a peer that sends more is not read any further: its flood would keep others waiting.
    let isEnding = false;
    const isOver = (): boolean => {
      if (socket.readyState === socket.OPEN) return false;
      if (!isEnding) setTimeout(() => socket.terminate(), CLOSE_MS).unref();
      isEnding = true;
      socket.pause();
      return true;
    };
    const receive = (data: RawData, isBinary: boolean): void => {
      if (isOver()) return;
      if (isBinary) connection.close(CLOSE_CODES.invalid, "messages are text");
      else connection.receive(String(data));
    };
    // Messages that wait for the client's turn. No more are read until they are carried out.
    let waiting = 0;
    socket.on("ping", isOver);
    socket.on("message", (data, isBinary) => {
      if (isOver()) return;
      waiting++;
      turns.add(client, () => {
        waiting--;
        receive(data, isBinary);
        if (waiting === 0 && socket.isPaused && !isEnding) socket.resume();
      });
      if (waiting > 0) socket.pause();
    });
    socket.on("close", () => {
      missed.delete(socket);
      connection.closed();
    });
  };

  return {
    onUpgrade(request, socket, head) {
      const path = (request.url ?? "").split("?")[0];
      const { origin } = request.headers;
      if (countHosts(request) > 1) refuse(socket, 400, "Bad Request");
      else if (path !== SOCKET_PATH) refuse(socket, 404, "Not Found");
      else if (origin !== undefined && !isAllowedOrigin(origins, origin)) refuse(socket, 403, "Forbidden");
      else
        server.handleUpgrade(request, socket, head, (opened) =>
          open(opened, clientOfRequest(request, behindProxy), socket),
        );
    },
    close() {
      clearInterval(beat);
      clearInterval(ping);
      hub.close();
      for (const socket of missed.keys()) setTimeout(() => socket.terminate(), 1_000).unref();
      server.close();
    },
  };
}

/** On an upgrade the server releases the socket, so an error of a refused peer must be handled here. */
function refuse(socket: Socket, status: number, words: string): void {
  socket.on("error", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${words}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/**
 * Combines the texts of one event-loop turn to a peer into one write. A block is one message per stream, and the system
 * call of a write costs more than the rest of the delivery.
 */
class Together {
  #held = new Set<Socket>();
  #text = "";
  #bytes: Buffer = Buffer.alloc(0);

  /** Buffers writes until the turn ends. */
  hold(socket: Socket): void {
    if (this.#held.has(socket)) return;
    if (this.#held.size === 0) process.nextTick(() => this.#release());
    this.#held.add(socket);
    socket.cork();
  }

  /** The bytes of a text; it usually equals that of the peer before. */
  bytesOf(text: string): Buffer {
    if (text !== this.#text) [this.#text, this.#bytes] = [text, Buffer.from(text)];
    return this.#bytes;
  }

  #release(): void {
    const held = this.#held;
    this.#held = new Set();
    for (const socket of held) socket.uncork();
  }
}
