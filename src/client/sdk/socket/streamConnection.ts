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
  /** Whether to reconnect after a lost connection. */
  isWanted(): boolean;
  /** The first message is `welcome`, once per connection. */
  onMessage(message: ServerMessage): void;
  /** Pending requests will not be answered. */
  onLost(): void;
}

/** Number of missed heartbeats after which a connection counts as dead. */
const SILENCE = 2.5;
/** Assumed interval of heartbeats until the venue reports it, ms. */
const HEARTBEAT_MS = 5_000;

/** The connection to the venue's streams: closed if it is silent for too long, and reopened while it is wanted. */
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

  /** Whether the venue has sent its welcome, so that requests may follow. */
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
    // A venue in this process may send before the socket is assigned.
    const early: string[] = [];
    let mine: ApiSocket | undefined;
    const socket = transport.connect({
      onMessage: (text) => {
        if (mine === undefined) early.push(text);
        // Messages of an abandoned connection are ignored.
        else if (this.#socket === mine) this.#receive(text);
      },
      onClose: () => {
        if (mine === undefined) queueMicrotask(() => this.#socket === socket && this.#lose());
        else if (this.#socket === mine) this.#lose();
      },
    });
    mine = socket;
    this.#socket = socket;
    for (const text of early) this.#receive(text);
    void this.#watch(socket);
  }

  close(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    this.#isWelcome = false;
    socket?.close(1000, "done");
  }

  #receive(text: string): void {
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

  /** Abandons a connection that is silent for too long. */
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
