/** Reads what a `ByteWriter` wrote. Every read past the end throws `RangeError`. */
export class ByteReader {
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  at = 0;

  constructor(bytes: Uint8Array) {
    // A subclass may share memory where this class copies: `slice` of the arrays of Node's decompression does.
    const isPlain = bytes.constructor === Uint8Array;
    this.bytes = isPlain ? bytes : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  private take(size: number): number {
    const at = this.at;
    if (at + size > this.bytes.length) throw new RangeError(`byte ${at}: ${size} bytes wanted, ${this.left()} left`);
    this.at = at + size;
    return at;
  }

  left(): number {
    return this.bytes.length - this.at;
  }

  u8(): number {
    return this.bytes[this.take(1)]!;
  }

  u32(): number {
    return this.view.getUint32(this.take(4), true);
  }

  f64(): number {
    return this.view.getFloat64(this.take(8), true);
  }

  blob(): Uint8Array {
    return this.raw(this.u32());
  }

  raw(size: number): Uint8Array {
    const at = this.take(size);
    return this.bytes.subarray(at, at + size);
  }

  text(): string {
    const bytes = this.blob();
    return bytes.length === 0 ? "" : decoder.decode(bytes);
  }

  big(): bigint {
    return BigInt(this.text());
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true });
