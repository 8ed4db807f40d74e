/** XXH32 with seed 0, the checksum of LZ4 frames (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md). */

const [P1, P2, P3, P4, P5] = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1] as const;
/** Bytes that a round takes. */
const STRIPE = 16;

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));
const round = (lane: number, input: number): number => Math.imul(rotate((lane + Math.imul(input, P2)) | 0, 13), P1);
const read32 = (bytes: Uint8Array, at: number): number =>
  bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);

export class XxHash32 {
  #a = (P1 + P2) | 0;
  #b: number = P2 | 0;
  #c = 0;
  #d = -P1 | 0;
  readonly #rest = new Uint8Array(STRIPE);
  #restLength = 0;
  #length = 0;

  update(bytes: Uint8Array): this {
    this.#length += bytes.length;
    let at = 0;
    if (this.#restLength > 0) {
      at = Math.min(STRIPE - this.#restLength, bytes.length);
      this.#rest.set(bytes.subarray(0, at), this.#restLength);
      this.#restLength += at;
      if (this.#restLength < STRIPE) return this;
      this.#mix(this.#rest, 0, STRIPE);
      this.#restLength = 0;
    }
    const end = at + Math.floor((bytes.length - at) / STRIPE) * STRIPE;
    this.#mix(bytes, at, end);
    this.#rest.set(bytes.subarray(end));
    this.#restLength = bytes.length - end;
    return this;
  }

  #mix(bytes: Uint8Array, from: number, end: number): void {
    let [a, b, c, d] = [this.#a, this.#b, this.#c, this.#d];
    for (let at = from; at < end; at += STRIPE) {
      a = round(a, read32(bytes, at));
      b = round(b, read32(bytes, at + 4));
      c = round(c, read32(bytes, at + 8));
      d = round(d, read32(bytes, at + 12));
    }
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#d = d;
  }

  /** The hash of everything so far, as an unsigned number. */
  digest(): number {
    let hash =
      this.#length < STRIPE ? P5 : rotate(this.#a, 1) + rotate(this.#b, 7) + rotate(this.#c, 12) + rotate(this.#d, 18);
    hash = (hash + this.#length) | 0;
    let at = 0;
    for (; at + 4 <= this.#restLength; at += 4) {
      hash = Math.imul(rotate((hash + Math.imul(read32(this.#rest, at), P3)) | 0, 17), P4);
    }
    for (; at < this.#restLength; at++) {
      hash = Math.imul(rotate((hash + Math.imul(this.#rest[at]!, P5)) | 0, 11), P1);
    }
    hash = Math.imul(hash ^ (hash >>> 15), P2);
    hash = Math.imul(hash ^ (hash >>> 13), P3);
    return (hash ^ (hash >>> 16)) >>> 0;
  }
}

export const xxHash32 = (bytes: Uint8Array): number => new XxHash32().update(bytes).digest();
