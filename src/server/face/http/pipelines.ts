import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests that a connection may have without an answer: far more than any client sends ahead. */
export const PIPELINED_MOST = 64;

/** The place of a request on its connection: the `last` one is answered, and none `beyond` it. */
export type PipelinePlace = "open" | "last" | "beyond";

/**
 * Bounds the requests that a client sends ahead on a connection. HTTP lets it send any number, and all that have
 * arrived are carried out before the next client is read. After the last one allowed, the connection ends with its
 * answer; the client sends the others again on another connection (RFC 9112, 9.3.2).
 */
export class Pipelines {
  /** Requests without an answer; infinite once the last one has come. */
  readonly #waiting = new WeakMap<Socket, number>();
  readonly #stop: (socket: Socket) => void;

  /** @param stop never reads a connection again */
  constructor(stop: (socket: Socket) => void) {
    this.#stop = stop;
  }

  enter(socket: Socket, response: ServerResponse): PipelinePlace {
    const waiting = (this.#waiting.get(socket) ?? 0) + 1;
    if (waiting > PIPELINED_MOST) return "beyond";
    if (waiting === PIPELINED_MOST) {
      this.#waiting.set(socket, Number.POSITIVE_INFINITY);
      this.#stop(socket); // what has not been read yet stays unread
      return "last";
    }
    this.#waiting.set(socket, waiting);
    response.once("close", () => this.#waiting.set(socket, this.#waiting.get(socket)! - 1));
    return "open";
  }
}
