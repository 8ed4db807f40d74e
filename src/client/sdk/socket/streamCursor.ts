/**
 * The last message of a stream that was handled: its epoch and number, and the hash of the block that it belongs to.
 */
export interface StreamPosition {
  readonly epoch: number;
  readonly seq: number;
  readonly hash: string;
}

/** How to handle a message of a stream. */
export type Verdict =
  /** It is the next one. */
  | "apply"
  /** It was handled before, or precedes the expected snapshot. */
  | "skip"
  /** A message between the last one and this one is missing. */
  | "gap";

/**
 * Finds gaps in one stream. Sequence numbers are heights, and skip blocks without a change. A gap therefore shows in a
 * message's `prevSeq`, the number of the message before. That may precede a snapshot that was taken since.
 */
export class StreamCursor {
  #position: StreamPosition | undefined;

  /** The last handled message; undefined while a snapshot is expected. */
  get position(): StreamPosition | undefined {
    return this.#position;
  }

  /** The received state is no longer valid: only a snapshot is accepted. */
  reset(): void {
    this.#position = undefined;
  }

  takeSnapshot({ epoch, seq, hash }: StreamPosition): void {
    this.#position = { epoch, seq, hash };
  }

  /** @returns `apply` once for each message, in order and without a gap */
  takeDelta({ epoch, seq, prevSeq, hash }: StreamPosition & { readonly prevSeq: number }): Verdict {
    const last = this.#position;
    if (last === undefined) return "skip";
    if (epoch !== last.epoch) return epoch < last.epoch ? "skip" : "gap";
    if (seq <= last.seq) return "skip";
    if (prevSeq > last.seq) return "gap";
    this.#position = { epoch, seq, hash };
    return "apply";
  }

  /** Whether the venue has sent more than was received, according to a heartbeat. */
  hasMissed(seq: number): boolean {
    return this.#position !== undefined && seq > this.#position.seq;
  }
}
