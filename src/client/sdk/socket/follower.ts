import { ClientError } from "../errors.ts";
import type { ChannelName, Delta, DeltaOf, Snapshot, SnapshotOf, StreamKey } from "./messages.ts";
import { StreamCursor, type StreamPosition, type Verdict } from "./streamCursor.ts";

/** Receives the messages of a stream, without a gap: after a lost delta the stream is completed first. */
export interface StreamListener<C extends ChannelName = ChannelName> {
  /** The present state of the stream; drop the former. */
  onSnapshot(message: Snapshot<SnapshotOf<C>>): void;
  /** The next change. */
  onDelta(message: Delta<DeltaOf<C>>): void;
  /** The received state is no longer valid; a snapshot follows. */
  onResync?(reason: string): void;
  /** The venue does not serve the stream; no message follows. */
  onError?(error: ClientError<"SOCKET_FAILED">): void;
}

/** One followed stream, its listeners, and its last handled message. */
export class Follower {
  readonly key: StreamKey;
  /** The venue sends each stream once per connection, for all listeners. */
  readonly listeners = new Set<StreamListener>();
  /** Name of the stream, once the venue has assigned it. */
  stream: string | undefined;
  /** Id of the pending subscribe request. */
  asking: number | undefined;
  /** Gaps since the last delta that was applied. */
  gapsInRow = 0;
  readonly #cursor = new StreamCursor();

  constructor(key: StreamKey) {
    this.key = key;
  }

  /** The last message that was handled; undefined while a snapshot is waited for. */
  get position(): StreamPosition | undefined {
    return this.#cursor.position;
  }

  isOf(key: StreamKey): boolean {
    return nameOf(this.key) === nameOf(key);
  }

  hasMissed(seq: number): boolean {
    return this.#cursor.hasMissed(seq);
  }

  /** The received state is no longer valid. */
  restart(reason: string): void {
    if (this.position === undefined) return;
    this.#cursor.reset();
    for (const listener of this.listeners) listener.onResync?.(reason);
  }

  takeSnapshot(message: Snapshot): void {
    this.#cursor.takeSnapshot(message);
    for (const listener of this.listeners) listener.onSnapshot(message as Snapshot<never>);
  }

  /** Passes on a message if it is the next one. */
  takeDelta(message: Delta): Verdict {
    const verdict = this.#cursor.takeDelta(message);
    if (verdict === "apply") {
      this.gapsInRow = 0;
      for (const listener of this.listeners) listener.onDelta(message as Delta<never>);
    }
    return verdict;
  }

  fail(message: string, code: string): void {
    const error = new ClientError("SOCKET_FAILED", message, { code });
    for (const listener of this.listeners) listener.onError?.(error);
  }
}

/** A book without a depth has the venue's default, 50. */
function nameOf({ channel, market, address, depth }: StreamKey): string {
  return [channel, market, address?.toLowerCase(), channel === "book" ? (depth ?? 50) : undefined].join("/");
}
