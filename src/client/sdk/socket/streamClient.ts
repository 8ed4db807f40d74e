import type { Bytes32 } from "../../../protocol/fields.ts";
import { computeBackoffMs } from "../clock.ts";
import type { StreamedIdentity } from "../network/expectation.ts";
import { Follower, type StreamListener } from "./follower.ts";
import type { ChannelName, ClientMessage, Delta, ServerMessage, ServerMessages, StreamKey } from "./messages.ts";
import { type ConnectionParts, StreamConnection } from "./streamConnection.ts";

export type { StreamListener } from "./follower.ts";

/** A followed stream. */
export interface Subscription {
  /** Requests a snapshot; for a caller whose received state is inconsistent. */
  resync(): void;
  close(): void;
}

export interface StreamParts extends ConnectionParts {
  /** Token of the wallet session, where there is one. */
  readonly token: () => string | undefined;
  /** Called with the network of each connection and each epoch, after the streams of another one were dropped. */
  readonly onIdentity?: (identity: StreamedIdentity) => void;
  /** Called if the chain lacks the block at which a stream was to be resumed, with a block that it has. */
  readonly onOtherBlock?: (before: string, now: string) => void;
}

/** Consecutive gaps after which a stream restarts with a snapshot, and after which requests are delayed. */
const GAPS = { fresh: 2, pause: 4 } as const;

/**
 * All streams of a client over one connection, which is open while a stream is followed. After a lost connection it
 * reconnects and resumes every stream. It finds gaps by sequence numbers and heartbeats, and fills them.
 */
export class StreamClient {
  readonly #parts: StreamParts;
  readonly #connection: StreamConnection;
  readonly #followers = new Set<Follower>();
  readonly #byStream = new Map<string, Follower>();
  readonly #asked = new Map<number, Follower>();
  #identity: StreamedIdentity = { name: "", genesisHash: "0x", epoch: 0 };
  /** Head of the chain when the connection was made. */
  #head = "";
  #nextId = 1;
  /** Number of gaps that were found and filled. */
  gaps = 0;

  constructor(parts: StreamParts) {
    this.#parts = parts;
    this.#connection = new StreamConnection(parts, {
      isWanted: () => this.#followers.size > 0,
      onMessage: (message) => this.#receive(message),
      onLost: () => {
        this.#asked.clear();
        this.#byStream.clear();
        for (const follower of this.#followers) follower.asking = undefined;
      },
    });
  }

  /** Follows a stream until the subscription is closed. */
  follow<C extends ChannelName>(key: StreamKey<C>, listener: StreamListener<C>): Subscription {
    const shared = [...this.#followers].find((follower) => follower.isOf(key));
    const follower = shared ?? new Follower(key);
    const own = listener as unknown as StreamListener;
    follower.listeners.add(own);
    if (shared === undefined) {
      this.#followers.add(follower);
      if (!this.#connection.isOpen) this.#connection.open();
      else if (this.#connection.isWelcome) this.#ask(follower);
    } else if (follower.position !== undefined) {
      // A listener that joins later needs a snapshot, which goes to all listeners.
      this.#restartWithSnapshot(follower, "JOINED");
    }
    return {
      resync: () => {
        if (this.#followers.has(follower)) this.#restartWithSnapshot(follower, "CHECKSUM");
      },
      close: () => {
        follower.listeners.delete(own);
        if (follower.listeners.size === 0) this.#leave(follower);
      },
    };
  }

  /** Proves the wallet session on the open connection; a later connection starts with that. */
  authenticate(): void {
    const token = this.#parts.token();
    if (this.#connection.isWelcome && token !== undefined) this.#send({ op: "auth", id: this.#nextId++, token });
  }

  #restartWithSnapshot(follower: Follower, reason: string): void {
    follower.restart(reason);
    this.#askAgain(follower);
  }

  #leave(follower: Follower): void {
    if (!this.#followers.delete(follower)) return;
    if (follower.asking !== undefined) this.#asked.delete(follower.asking);
    if (follower.stream !== undefined && this.#byStream.get(follower.stream) === follower) {
      this.#byStream.delete(follower.stream);
      if (this.#connection.isWelcome) {
        this.#send({ op: "unsubscribe", id: this.#nextId++, stream: follower.stream });
      }
    }
    if (this.#followers.size === 0) this.#connection.close();
  }

  #send(message: ClientMessage): void {
    this.#connection.send(message);
  }

  /** Subscribes; resumes after the last handled message, if the chain has its block. */
  #ask(follower: Follower): void {
    const { key, position } = follower;
    const id = this.#nextId++;
    follower.asking = id;
    this.#asked.set(id, follower);
    const resume = position === undefined ? {} : { resume: position };
    this.#send({ op: "subscribe", id, ...key, ...resume } as ClientMessage);
  }

  /** Unsubscribes and subscribes again, after the last handled message. */
  #askAgain(follower: Follower): void {
    if (follower.asking !== undefined || !this.#connection.isWelcome) return;
    if (follower.stream !== undefined) {
      this.#send({ op: "unsubscribe", id: this.#nextId++, stream: follower.stream });
      this.#byStream.delete(follower.stream);
      follower.stream = undefined;
    }
    this.#ask(follower);
  }

  async #askLater(follower: Follower, askedMs: number | undefined): Promise<void> {
    const { clock, retry } = this.#parts;
    await clock.sleep(computeBackoffMs(retry, 1, clock.random(), askedMs));
    if (this.#followers.has(follower)) this.#askAgain(follower);
  }

  #receive(message: ServerMessage): void {
    switch (message.type) {
      case "welcome":
        this.#meet(message);
        this.authenticate();
        for (const follower of this.#followers) this.#ask(follower);
        break;
      case "subscribed":
        this.#begin(message);
        break;
      case "unsubscribed":
        if (message.id === undefined) this.#askAfterEnd(message.stream);
        break;
      case "snapshot":
        this.#byStream.get(message.stream)?.takeSnapshot(message);
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
    }
  }

  /** State of another network or another epoch is no longer valid. */
  #meet({ network: name, genesisHash, epoch, head }: ServerMessages["welcome"]): void {
    const isOther = this.#identity.genesisHash !== "0x" && this.#identity.genesisHash !== genesisHash;
    this.#identity = { name, genesisHash: genesisHash as Bytes32, epoch };
    this.#head = head.hash;
    for (const follower of this.#followers) {
      if (isOther) follower.restart("NETWORK_CHANGED");
      else if (follower.position !== undefined && follower.position.epoch !== epoch) follower.restart("EPOCH_CHANGED");
    }
    this.#parts.onIdentity?.(this.#identity);
  }

  #begin({ id, stream, resumed }: ServerMessages["subscribed"]): void {
    const follower = this.#asked.get(id as number);
    if (follower === undefined) return;
    this.#asked.delete(id as number);
    follower.asking = undefined;
    follower.stream = stream;
    this.#byStream.set(stream, follower);
    if (!resumed) follower.restart("RESUME_UNAVAILABLE");
    // A listener that joined since the request needs a snapshot, and a resumed stream sends none.
    else if (follower.position === undefined) this.#askAgain(follower);
  }

  /** The venue ended a subscription, for example with its session. The session that is now proved opens it again. */
  #askAfterEnd(stream: string): void {
    const follower = this.#byStream.get(stream);
    if (follower === undefined || follower.asking !== undefined) return;
    this.#byStream.delete(stream);
    follower.stream = undefined;
    // A public stream may also show different events to different sessions.
    if (follower.key.address === undefined) follower.restart("SUBSCRIPTION_ENDED");
    this.#ask(follower);
  }

  #takeDelta(message: Delta): void {
    const follower = this.#byStream.get(message.stream);
    if (follower?.takeDelta(message) === "gap") this.#fill(follower);
  }

  #compare({ streams }: ServerMessages["heartbeat"]): void {
    for (const [stream, seq] of Object.entries(streams)) {
      const follower = this.#byStream.get(stream);
      if (follower?.hasMissed(seq) === true) this.#fill(follower);
    }
  }

  #fill(follower: Follower): void {
    if (follower.asking !== undefined) return;
    this.gaps++;
    follower.gapsInRow++;
    if (follower.gapsInRow > GAPS.fresh) follower.restart("GAPS");
    if (follower.gapsInRow <= GAPS.pause) this.#askAgain(follower);
    else void this.#askLater(follower, undefined);
  }

  /** The venue sends a snapshot of each stream concerned. */
  #forget({ stream, epoch, reason }: ServerMessages["resync"]): void {
    for (const [name, follower] of this.#byStream) {
      if (stream === undefined || stream === name) follower.restart(reason);
    }
    if (epoch === this.#identity.epoch) return;
    this.#identity = { ...this.#identity, epoch };
    this.#parts.onIdentity?.(this.#identity);
  }

  #refused({ id, code, message, retryAfterMs }: ServerMessages["error"]): void {
    const follower = this.#asked.get(id as number);
    if (follower === undefined) return;
    this.#asked.delete(id as number);
    follower.asking = undefined;
    follower.stream = undefined;
    if (code === "RESUME_UNAVAILABLE") {
      follower.restart(code);
      this.#ask(follower);
    } else if (code === "CHAIN_CHANGED") {
      const before = follower.position?.hash;
      // Other followers may be at a block that both chains have; they restart as well.
      for (const other of this.#followers) other.restart(code);
      if (before !== undefined) this.#parts.onOtherBlock?.(before, this.#head);
      if (this.#followers.has(follower)) this.#ask(follower);
    } else if (code === "RATE_LIMITED" || code === "SERVICE_UNAVAILABLE") {
      void this.#askLater(follower, retryAfterMs);
    } else {
      this.#leave(follower);
      follower.fail(message, code);
    }
  }
}
