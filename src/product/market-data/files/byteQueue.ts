/** Exact numbers of bytes from a stream of chunks. */
export class ByteQueue {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array(0);
  #at = 0;
  #offset = 0;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Bytes taken so far. */
  get offset(): number {
    return this.#offset;
  }

  /** The next bytes, fewer where the stream ends. Valid for reading only: they may share the chunk's memory. */
  async take(count: number): Promise<Uint8Array> {
    await this.#fill();
    if (this.#chunk.length - this.#at >= count) return this.#cut(count);
    const parts: Uint8Array[] = [];
    let left = count;
    while (left > 0 && (await this.#fill())) {
      const part = this.#cut(Math.min(left, this.#chunk.length - this.#at));
      parts.push(part);
      left -= part.length;
    }
    return new Uint8Array(Buffer.concat(parts));
  }

  #cut(count: number): Uint8Array {
    const part = this.#chunk.subarray(this.#at, this.#at + count);
    this.#at += count;
    this.#offset += count;
    return part;
  }

  /** Whether there is a byte left. */
  async #fill(): Promise<boolean> {
    while (this.#at === this.#chunk.length) {
      const next = await this.#chunks.next();
      if (next.done === true) return false;
      this.#chunk = next.value;
      this.#at = 0;
    }
    return true;
  }
}
