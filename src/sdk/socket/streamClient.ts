import type { ApiSocket } from "../../api/endpoint.ts";
import { type ClientClock, computeBackoffMs, type RetryPolicy } from "../clock.ts";
import { ClientError } from "../errors.ts";
import type { Transport } from "../transport/transport.ts";
import type {
  ChannelName,
  ClientMessage,
  Delta,
  DeltaOf,
  ServerMessage,
  Snapshot,
  SnapshotOf,
  StreamKey,
  Told,
} from "./messages.ts";
import { StreamCursor } from "./streamCursor.ts";

/** What a follower of a stream is told. It never misses a delta: where one is lost, the stream is made whole again. */
export interface StreamListener<C extends ChannelName = ChannelName> {
  /** The stream as it is; forget what was there. */
  onSnapshot(message: Snapshot<SnapshotOf<C>>): void;
  /** The next change. */
  onDelta(message: Delta<DeltaOf<C>>): void;
  /** What was told holds no more; a snapshot follows. */
  onResync?(reason: string): void;
  /** The venue does not serve the stream; nothing more comes. */
  onError?(error: ClientError<"SOCKET_FAILED">): void;
}

/** A followed stream. */
export interface Subscription {
  /** Asks for a snapshot, for whoever finds that what was told does not add up. */
  resync(): void;
  close(): void;
}

export interface StreamParts {
  readonly transport: Transport;
  readonly clock: ClientClock;
  readonly retry: RetryPolicy;
  /** Token of the wallet session, where there is one. */
  readonly token: () => string | undefined;
}

/** How many heartbeats may be missing before a connection counts as dead. */
const SILENCE = 2.5;
/** Until the venue says how often its heart beats, ms. */
const HEARTBEAT_MS = 5_000;

/** One subscription and how far it has come. */
interface Follower {
  readonly key: StreamKey;
  /** The venue tells a connection each stream once, however many listen here. */
  readonly listeners: Set<StreamListener>;
  readonly cursor: StreamCursor;
  /** Name of the stream, once the venue has told it. */
  stream: string | undefined;
  /** Id of the question that is not answered yet. */
  asking: number | undefined;
  /** Gaps since the last message that fitted. */
  gapsInRow: number;
}

/** Gaps in a row after which a stream is taken afresh, and after which it is asked for with pauses. */
const GAPS = { fresh: 2, pause: 4 } as const;

/**
 * All streams of a client over one connection, which is open while anything is followed. A lost connection is made anew
 * and every stream goes on where it stood; gaps are found by numbers and by heartbeats, and filled.
 */
export class StreamClient {
  readonly #parts: StreamParts;
  readonly #followers = new Set<Follower>();
  readonly #byStream = new Map<string, Follower>();
  readonly #asked = new Map<number, Follower>();
  #socket: ApiSocket | undefined;
  #isWelcome = false;
  #epoch = 0;
  #nextId = 1;
  #attempts = 0;
  #reconnectMs = 0;
  #heardMs = 0;
  #heartbeatMs = HEARTBEAT_MS;
  /** Gaps that were found and filled. */
  gaps = 0;

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  /** Follows a stream until it is closed. */
  follow<C extends ChannelName>(key: StreamKey<C>, listener: StreamListener<C>): Subscription {
    const shared = [...this.#followers].find((follower) => isSameStream(follower.key, key));
    const follower = shared ?? {
      key,
      listeners: new Set<StreamListener>(),
      cursor: new StreamCursor(),
      stream: undefined,
      asking: undefined,
      gapsInRow: 0,
    };
    const own = listener as unknown as StreamListener;
    follower.listeners.add(own);
    if (shared === undefined) {
      this.#followers.add(follower);
      if (this.#socket === undefined) this.#open();
      else if (this.#isWelcome) this.#ask(follower);
    } else if (follower.cursor.position !== undefined) {
      // Who comes later needs a snapshot, and it is told to all.
      this.#takeAfresh(follower, "JOINED");
    }
    return {
      resync: () => {
        if (this.#followers.has(follower)) this.#takeAfresh(follower, "CHECKSUM");
      },
      close: () => {
        follower.listeners.delete(own);
        if (follower.listeners.size === 0) this.#leave(follower);
      },
    };
  }

  /** Proves the session, where there is one, on the connection that is open; a later one begins with that. */
  authenticate(): void {
    const token = this.#parts.token();
    if (this.#isWelcome && token !== undefined) this.#send({ op: "auth", id: this.#nextId++, token });
  }

  #takeAfresh(follower: Follower, reason: string): void {
    this.#restart(follower, reason);
    this.#askAgain(follower);
  }

  #open(): void {
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
    this.#asked.clear();
    this.#byStream.clear();
    for (const follower of this.#followers) follower.asking = undefined;
    if (this.#followers.size > 0) void this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    const { clock, retry } = this.#parts;
    const waitMs = computeBackoffMs(retry, ++this.#attempts, clock.random(), this.#reconnectMs);
    this.#reconnectMs = 0;
    await clock.sleep(waitMs);
    if (this.#socket === undefined && this.#followers.size > 0) this.#open();
  }

  #leave(follower: Follower): void {
    if (!this.#followers.delete(follower)) return;
    if (follower.asking !== undefined) this.#asked.delete(follower.asking);
    if (follower.stream !== undefined && this.#byStream.get(follower.stream) === follower) {
      this.#byStream.delete(follower.stream);
      if (this.#isWelcome) this.#send({ op: "unsubscribe", id: this.#nextId++, stream: follower.stream });
    }
    if (this.#followers.size > 0) return;
    const socket = this.#socket;
    this.#socket = undefined;
    this.#isWelcome = false;
    socket?.close(1000, "done");
  }

  #send(message: ClientMessage): void {
    this.#socket?.send(JSON.stringify(message));
  }

  /** Subscribes; goes on where the stream stood if it stands in the same epoch. */
  #ask(follower: Follower): void {
    const { key, cursor } = follower;
    if (cursor.position !== undefined && cursor.position.epoch !== this.#epoch)
      this.#restart(follower, "EPOCH_CHANGED");
    const id = this.#nextId++;
    follower.asking = id;
    this.#asked.set(id, follower);
    const resume = cursor.position === undefined ? {} : { resume: cursor.position };
    this.#send({ op: "subscribe", id, ...key, ...resume } as ClientMessage);
  }

  /** Leaves the stream and asks for it again, from where it stands. */
  #askAgain(follower: Follower): void {
    if (follower.asking !== undefined || !this.#isWelcome) return;
    if (follower.stream !== undefined) {
      this.#send({ op: "unsubscribe", id: this.#nextId++, stream: follower.stream });
      this.#byStream.delete(follower.stream);
      follower.stream = undefined;
    }
    this.#ask(follower);
  }

  #restart(follower: Follower, reason: string): void {
    if (follower.cursor.position === undefined) return;
    follower.cursor.reset();
    for (const listener of follower.listeners) listener.onResync?.(reason);
  }

  #hear(text: string): void {
    this.#heardMs = this.#parts.clock.nowMs();
    const message = JSON.parse(text) as ServerMessage;
    switch (message.type) {
      case "welcome":
        this.#greet(message);
        break;
      case "subscribed":
        this.#begin(message);
        break;
      case "snapshot":
        this.#takeSnapshot(message);
        break;
      case "delta":
        this.#takeDelta(message);
        break;
      case "heartbeat":
        this.#compare(message);
        break;
      case "resync":
        this.#forget(message);
        break;
      case "error":
        this.#refused(message);
        break;
      case "goodbye":
        this.#reconnectMs = message.reconnectAfterMs;
        break;
    }
  }

  #greet({ epoch, heartbeatMs }: Told["welcome"]): void {
    this.#isWelcome = true;
    this.#attempts = 0;
    this.#epoch = epoch;
    this.#heartbeatMs = heartbeatMs;
    this.authenticate();
    for (const follower of this.#followers) this.#ask(follower);
  }

  #begin({ id, stream, resumed }: Told["subscribed"]): void {
    const follower = this.#asked.get(id as number);
    if (follower === undefined) return;
    this.#asked.delete(id as number);
    follower.asking = undefined;
    follower.stream = stream;
    this.#byStream.set(stream, follower);
    if (!resumed) this.#restart(follower, "RESUME_UNAVAILABLE");
  }

  #takeSnapshot(message: Snapshot): void {
    const follower = this.#byStream.get(message.stream);
    if (follower === undefined) return;
    follower.cursor.takeSnapshot(message);
    for (const listener of follower.listeners) listener.onSnapshot(message as Snapshot<never>);
  }

  #takeDelta(message: Delta): void {
    const follower = this.#byStream.get(message.stream);
    if (follower === undefined) return;
    const verdict = follower.cursor.takeDelta(message);
    if (verdict === "apply") {
      follower.gapsInRow = 0;
      for (const listener of follower.listeners) listener.onDelta(message as Delta<never>);
    } else if (verdict === "gap") {
      this.#fill(follower);
    }
  }

  #compare({ streams }: Told["heartbeat"]): void {
    for (const [stream, seq] of Object.entries(streams)) {
      const follower = this.#byStream.get(stream);
      if (follower?.cursor.isBehind(seq) === true) this.#fill(follower);
    }
  }

  #fill(follower: Follower): void {
    if (follower.asking !== undefined) return;
    this.gaps++;
    follower.gapsInRow++;
    if (follower.gapsInRow > GAPS.fresh) this.#restart(follower, "GAPS");
    if (follower.gapsInRow <= GAPS.pause) this.#askAgain(follower);
    else void this.#askLater(follower, undefined);
  }

  /** The venue sends a snapshot of each stream concerned. */
  #forget({ stream, epoch, reason }: Told["resync"]): void {
    this.#epoch = epoch;
    for (const [name, follower] of this.#byStream) {
      if (stream === undefined || stream === name) this.#restart(follower, reason);
    }
  }

  #refused({ id, code, message, retryAfterMs }: Told["error"]): void {
    const follower = this.#asked.get(id as number);
    if (follower === undefined) return;
    this.#asked.delete(id as number);
    follower.asking = undefined;
    follower.stream = undefined;
    if (code === "RESUME_UNAVAILABLE") {
      this.#restart(follower, code);
      this.#ask(follower);
    } else if (code === "RATE_LIMITED" || code === "SERVICE_UNAVAILABLE") {
      void this.#askLater(follower, retryAfterMs);
    } else {
      this.#leave(follower);
      const error = new ClientError("SOCKET_FAILED", message, { code });
      for (const listener of follower.listeners) listener.onError?.(error);
    }
  }

  async #askLater(follower: Follower, askedMs: number | undefined): Promise<void> {
    const { clock, retry } = this.#parts;
    await clock.sleep(computeBackoffMs(retry, 1, clock.random(), askedMs));
    if (this.#followers.has(follower)) this.#askAgain(follower);
  }
}

/** A book without a depth has the venue's default, 50. */
function isSameStream(one: StreamKey, other: StreamKey): boolean {
  const nameOf = ({ channel, market, address, depth }: StreamKey) =>
    [channel, market, address?.toLowerCase(), channel === "book" ? (depth ?? 50) : undefined].join("/");
  return nameOf(one) === nameOf(other);
}
