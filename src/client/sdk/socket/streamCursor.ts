/** The last message of a stream that was handled: its epoch and number, and the hash of the block that it belongs to. */
export interface StreamPosition {
  readonly epoch: number;
  readonly seq: number;
  readonly hash: string;
}

/** What is to be done with a message of a stream. */
export type Verdict =
  /** It is the next one. */
  | "apply"
  /** It was handled before, or comes before the snapshot that is waited for. */
  | "skip"
  /** Something between the last message and this one is missing. */
  | "gap";

/**
 * Finds gaps in one stream. Numbers are heights, so they leap where a block changed nothing: what tells is each
 * message's `prevSeq`, the number of the one before. It may lie before a snapshot that was taken since.
 */
export class StreamCursor {
  #position: StreamPosition | undefined;

  /** The last message that was handled; undefined while a snapshot is waited for. */
  get position(): StreamPosition | undefined {
    return this.#position;
  }

  /** What was received holds no more: nothing but a snapshot is taken. */
  reset(): void {
    this.#position = undefined;
  }

  takeSnapshot({ epoch, seq, hash }: StreamPosition): void {
    this.#position = { epoch, seq, hash };
  }

  /** @returns `apply` once for each message, in order and without a hole */
  takeDelta({ epoch, seq, prevSeq, hash }: StreamPosition & { readonly prevSeq: number }): Verdict {
    const last = this.#position;
    if (last === undefined) return "skip";
    if (epoch !== last.epoch) return epoch < last.epoch ? "skip" : "gap";
    if (seq <= last.seq) return "skip";
    if (prevSeq > last.seq) return "gap";
    this.#position = { epoch, seq, hash };
    return "apply";
  }

  /** Whether the venue has told more than was received, as a heartbeat shows. */
  isBehind(seq: number): boolean {
    return this.#position !== undefined && seq > this.#position.seq;
  }
}
