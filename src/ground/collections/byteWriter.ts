/** Grows a byte string: little-endian numbers, length-prefixed text. For canonical forms and logs. */
export class ByteWriter {
  private bytes: Uint8Array<ArrayBuffer>;
  private view: DataView;
  length = 0;

  /** @param capacity bytes to make room for at once; a close estimate saves copying while it grows */
  constructor(capacity = 1024) {
    this.bytes = new Uint8Array(capacity);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Makes room and returns its place. Call it before touching `bytes` or `view`: it may replace both. */
  private room(size: number): number {
    const at = this.length;
    const end = at + size;
    if (end > this.bytes.length) {
      const grown = new Uint8Array(Math.max(end, this.bytes.length * 2));
      grown.set(this.bytes.subarray(0, at));
      this.bytes = grown;
      this.view = new DataView(grown.buffer);
    }
    this.length = end;
    return at;
  }

  u8(value: number): void {
    const at = this.room(1);
    this.bytes[at] = value;
  }

  u32(value: number): void {
    const at = this.room(4);
    this.view.setUint32(at, value, true);
  }

  /** A number as its double; minus zero is written as zero. */
  f64(value: number): void {
    const at = this.room(8);
    this.view.setFloat64(at, value + 0, true);
  }

  /** Byte length, then the bytes. */
  blob(value: Uint8Array): void {
    this.u32(value.length);
    this.raw(value);
  }

  raw(value: Uint8Array): void {
    const at = this.room(value.length);
    this.bytes.set(value, at);
  }

  /** UTF-8 with its byte length in front. */
  text(value: string): void {
    // Most texts are short and plain, ids and amounts, and a call of the encoder costs more than their bytes.
    if (value.length > SHORT || !this.plainText(value)) this.blob(encoder.encode(value));
  }

  /** Writes a text of ASCII alone, a byte for each character. Returns false and writes nothing for any other text. */
  private plainText(value: string): boolean {
    const { length } = value;
    const at = this.room(4 + length);
    const { bytes } = this;
    for (let place = 0; place < length; place++) {
      const code = value.charCodeAt(place);
      if (code > 0x7f) {
        this.length = at;
        return false;
      }
      bytes[at + 4 + place] = code;
    }
    this.view.setUint32(at, length, true);
    return true;
  }

  /** A signed integer of any size, as decimal text. */
  big(value: bigint): void {
    this.text(value.toString());
  }

  /** The written bytes; they share memory with the writer until the next write. */
  view8(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.length);
  }

  reset(): void {
    this.length = 0;
  }
}

const encoder = new TextEncoder();

/** Longest text that is written character by character; beyond it the encoder is faster. */
const SHORT = 64;
