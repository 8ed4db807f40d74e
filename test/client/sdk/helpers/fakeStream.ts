import { computeBookChecksum } from "../../../../src/client/api/bookChecksum.ts";
import type { ApiSocket, SocketListener } from "../../../../src/client/api/endpoint.ts";
import type { BookLevel } from "../../../../src/client/api/schemas/markets.ts";
import type { ClientClock } from "../../../../src/client/sdk/clock.ts";
import { LiveBook } from "../../../../src/client/sdk/socket/liveBook.ts";
import type { ClientMessage } from "../../../../src/client/sdk/socket/messages.ts";
import type { Transport } from "../../../../src/client/sdk/transport/transport.ts";

/** Time that passes only when a test lets it. */
export class ManualClock implements ClientClock {
  now = 0;
  #sleepers: { atMs: number; wake: () => void }[] = [];
  nowMs = () => this.now;
  random = () => 0.5;
  sleep(ms: number): Promise<void> {
    return new Promise((wake) => this.#sleepers.push({ atMs: this.now + ms, wake }));
  }

  /** Advances time, and wakes all due sleepers in order. */
  async pass(ms: number): Promise<void> {
    const endMs = this.now + ms;
    for (;;) {
      await settle();
      this.#sleepers.sort((a, b) => a.atMs - b.atMs);
      const next = this.#sleepers[0];
      if (next === undefined || next.atMs > endMs) break;
      this.#sleepers.shift();
      this.now = Math.max(this.now, next.atMs);
      next.wake();
    }
    this.now = endMs;
    await settle();
  }
}

export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** What a venue's stream does to its messages. */
export type StreamFault = "drop" | "duplicate" | "close" | "mute" | "corrupt";

interface Connection {
  readonly listener: SocketListener;
  readonly streams: Map<string, ClientMessage & { op: "subscribe" }>;
  isOpen: boolean;
  isMute: boolean;
}

/** A venue with the book of one market as its stream: one block after the other, each message by the contract. */
export class FakeStreamVenue {
  epoch = 1;
  height = 0;
  /** Book, and its changes by height. */
  book = new LiveBook();
  changes: { seq: number; prevSeq: number; bids: BookLevel[]; asks: BookLevel[]; checksum: number }[] = [];
  /** Messages before this height are not kept. */
  keptFrom = 0;
  readonly connections = new Set<Connection>();
  readonly heard: ClientMessage[] = [];
  readonly faults: StreamFault[] = [];
  refusal: { code: string; retryAfterMs?: number } | undefined;
  accepts = true;
  /** What is asked waits for `answer`. */
  answersLater = false;
  readonly #waiting: (() => void)[] = [];

  readonly transport: Transport = {
    kind: "inProcess",
    timeoutMs: 1_000,
    hasSocket: true,
    request: () => Promise.reject(new Error("not here")),
    connect: (listener) => this.#connect(listener),
  };

  #connect(listener: SocketListener): ApiSocket {
    const connection: Connection = { listener, streams: new Map(), isOpen: true, isMute: false };
    if (!this.accepts) {
      queueMicrotask(() => listener.onClose(1006, "refused"));
      return { send() {}, close() {} };
    }
    this.connections.add(connection);
    this.#send(connection, {
      type: "welcome",
      connection: "c",
      network: "n",
      epoch: this.epoch,
      head: { height: this.height, timeMs: this.height },
      heartbeatMs: 5_000,
      limits: { subscriptions: null, messagesPerSecond: null, messageBytes: 65_536 },
    });
    return {
      send: (text) => {
        const hear = () => {
          if (connection.isOpen) this.#hear(connection, JSON.parse(text) as ClientMessage);
        };
        if (this.answersLater) this.#waiting.push(hear);
        else hear();
      },
      close: () => this.drop(connection, 1000),
    };
  }

  answer(): void {
    this.answersLater = false;
    for (const hear of this.#waiting.splice(0)) hear();
  }

  drop(connection: Connection, code = 1006): void {
    if (!connection.isOpen) return;
    connection.isOpen = false;
    this.connections.delete(connection);
    connection.listener.onClose(code, "");
  }

  #send(connection: Connection, message: object): void {
    if (connection.isOpen && !connection.isMute) connection.listener.onMessage(JSON.stringify(message));
  }

  #hear(connection: Connection, message: ClientMessage): void {
    this.heard.push(message);
    if (message.op === "unsubscribe") connection.streams.delete(message.stream);
    if (message.op !== "subscribe") return;
    const { id, resume, channel, market } = message;
    if (this.refusal !== undefined) {
      const refusal = this.refusal;
      this.refusal = undefined;
      this.#send(connection, { type: "error", id, message: "no", fatal: false, ...refusal });
      return;
    }
    const stream = `${channel}/${market}`;
    const isKept = resume === undefined || (resume.epoch === this.epoch && resume.seq >= this.keptFrom);
    if (!isKept) {
      this.#send(connection, { type: "error", id, code: "RESUME_UNAVAILABLE", message: "gone", fatal: false });
      return;
    }
    connection.streams.set(stream, message);
    const resumed = resume !== undefined;
    this.#send(connection, { type: "subscribed", id, stream, epoch: this.epoch, seq: this.seq, resumed });
    if (!resumed) this.#sendSnapshot(connection, stream);
    else for (const change of this.changes) if (change.seq > resume.seq) this.#sendChange(connection, stream, change);
  }

  get seq(): number {
    return this.changes.at(-1)?.seq ?? 0;
  }

  #sendSnapshot(connection: Connection, stream: string): void {
    const { bids, asks } = this.book;
    const checksum = this.book.checksum();
    const data = { bids, asks };
    this.#send(connection, {
      type: "snapshot",
      stream,
      channel: "book",
      epoch: this.epoch,
      seq: this.seq,
      timeMs: 0,
      data,
      checksum,
    });
  }

  #sendChange(connection: Connection, stream: string, change: (typeof this.changes)[number]): void {
    const { seq, prevSeq, bids, asks, checksum } = change;
    const data = { bids, asks };
    const message = {
      type: "delta",
      stream,
      channel: "book",
      epoch: this.epoch,
      seq,
      prevSeq,
      timeMs: 0,
      data,
      checksum,
    };
    const fault = this.faults.shift();
    if (fault === "drop") return;
    const sent = fault === "corrupt" ? { ...message, checksum: checksum ^ 1 } : message;
    this.#send(connection, sent);
    if (fault === "duplicate") this.#send(connection, message);
    if (fault === "close") this.drop(connection);
    if (fault === "mute") connection.isMute = true;
  }

  /** Makes a block that changes these levels; without any, one that changes nothing. */
  block(bids: BookLevel[] = [], asks: BookLevel[] = []): void {
    this.height++;
    if (bids.length + asks.length === 0) return;
    const prevSeq = this.seq;
    this.book.apply({ bids, asks });
    const checksum = computeBookChecksum(this.book.bids, this.book.asks);
    const change = { seq: this.height, prevSeq, bids, asks, checksum };
    this.changes.push(change);
    for (const connection of [...this.connections]) {
      for (const stream of connection.streams.keys()) this.#sendChange(connection, stream, change);
    }
  }

  heartbeat(): void {
    for (const connection of [...this.connections]) {
      const streams = Object.fromEntries([...connection.streams.keys()].map((stream) => [stream, this.seq]));
      this.#send(connection, {
        type: "heartbeat",
        epoch: this.epoch,
        head: { height: this.height, timeMs: 0 },
        streams,
      });
    }
  }

  /** Replaces the chain: the book is empty, and numbers start again. */
  revert(): void {
    this.epoch++;
    this.height = 0;
    this.changes = [];
    this.book = new LiveBook();
    for (const connection of [...this.connections]) {
      this.#send(connection, { type: "resync", epoch: this.epoch, reason: "EPOCH_CHANGED" });
      for (const stream of connection.streams.keys()) this.#sendSnapshot(connection, stream);
    }
  }
}
