import type { ApiSocket } from "../../api/endpoint.ts";
import { type ClientClock, computeBackoffMs, type RetryPolicy } from "../clock.ts";
import type { Transport } from "../transport/transport.ts";
import type { ClientMessage, ServerMessage } from "./messages.ts";

export interface ConnectionParts {
  readonly transport: Transport;
  readonly clock: ClientClock;
  readonly retry: RetryPolicy;
}

export interface ConnectionListener {
  /** Whether a connection that is lost is to be made anew. */
  isWanted(): boolean;
  /** The first is `welcome`, once for each time that the connection is made. */
  onMessage(message: ServerMessage): void;
  /** What was asked is not answered any more. */
  onLost(): void;
}

/** How many heartbeats may be missing before a connection counts as dead. */
const SILENCE = 2.5;
/** Until the venue says how often its heart beats, ms. */
const HEARTBEAT_MS = 5_000;

/** The connection to the venue's streams: given up when nothing is heard on it, and made anew while it is wanted. */
export class StreamConnection {
  readonly #parts: ConnectionParts;
  readonly #listener: ConnectionListener;
  #socket: ApiSocket | undefined;
  #isWelcome = false;
  #attempts = 0;
  #reconnectMs = 0;
  #heardMs = 0;
  #heartbeatMs = HEARTBEAT_MS;

  constructor(parts: ConnectionParts, listener: ConnectionListener) {
    this.#parts = parts;
    this.#listener = listener;
  }

  get isOpen(): boolean {
    return this.#socket !== undefined;
  }

  /** Whether the venue has said what it is, so that it can be asked. */
  get isWelcome(): boolean {
    return this.#isWelcome;
  }

  send(message: ClientMessage): void {
    this.#socket?.send(JSON.stringify(message));
  }

  open(): void {
    const { transport, clock } = this.#parts;
    this.#isWelcome = false;
    this.#heardMs = clock.nowMs();
    // A venue of this process may speak before there is anything to answer with.
    const early: string[] = [];
    let mine: ApiSocket | undefined;
    const socket = transport.connect({
      onMessage: (text) => {
        if (mine === undefined) early.push(text);
        // What a connection says that was given up is nobody's.
        else if (this.#socket === mine) this.#hear(text);
      },
      onClose: () => {
        if (mine === undefined) queueMicrotask(() => this.#socket === socket && this.#lose());
        else if (this.#socket === mine) this.#lose();
      },
    });
    mine = socket;
    this.#socket = socket;
    for (const text of early) this.#hear(text);
    void this.#watch(socket);
  }

  close(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#isWelcome = false;
    socket?.close(1000, "done");
  }

  #hear(text: string): void {
    this.#heardMs = this.#parts.clock.nowMs();
    const message = JSON.parse(text) as ServerMessage;
    if (message.type === "welcome") {
      this.#isWelcome = true;
      this.#attempts = 0;
      this.#heartbeatMs = message.heartbeatMs;
    } else if (message.type === "goodbye") {
      this.#reconnectMs = message.reconnectAfterMs;
    }
    this.#listener.onMessage(message);
  }

  /** Gives up a connection on which nothing is heard. */
  async #watch(socket: ApiSocket): Promise<void> {
    const { clock } = this.#parts;
    for (;;) {
      await clock.sleep(this.#heartbeatMs);
      if (this.#socket !== socket) return;
      if (clock.nowMs() - this.#heardMs < this.#heartbeatMs * SILENCE) continue;
      socket.close(1000, "silent");
      this.#lose();
      return;
    }
  }

  #lose(): void {
    this.#socket = undefined;
    this.#isWelcome = false;
    this.#listener.onLost();
    if (this.#listener.isWanted()) void this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    const { clock, retry } = this.#parts;
    const waitMs = computeBackoffMs(retry, ++this.#attempts, clock.random(), this.#reconnectMs);
    this.#reconnectMs = 0;
    await clock.sleep(waitMs);
    if (this.#socket === undefined && this.#listener.isWanted()) this.open();
  }
}
