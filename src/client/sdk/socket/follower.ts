import { ClientError } from "../errors.ts";
import type { ChannelName, Delta, DeltaOf, Snapshot, SnapshotOf, StreamKey } from "./messages.ts";
import { StreamCursor, type StreamPosition, type Verdict } from "./streamCursor.ts";

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

/** One stream that is followed, by however many listeners, and how far it has come. */
export class Follower {
  readonly key: StreamKey;
  /** The venue tells a connection each stream once, however many listen here. */
  readonly listeners = new Set<StreamListener>();
  /** Name of the stream, once the venue has told it. */
  stream: string | undefined;
  /** Id of the question that is not answered yet. */
  asking: number | undefined;
  /** Gaps since the last message that fitted. */
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

  isBehind(seq: number): boolean {
    return this.#cursor.isBehind(seq);
  }

  /** What was told holds no more. */
  restart(reason: string): void {
    if (this.position === undefined) return;
    this.#cursor.reset();
    for (const listener of this.listeners) listener.onResync?.(reason);
  }

  takeSnapshot(message: Snapshot): void {
    this.#cursor.takeSnapshot(message);
    for (const listener of this.listeners) listener.onSnapshot(message as Snapshot<never>);
  }

  /** Tells a message that is the next one. */
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
