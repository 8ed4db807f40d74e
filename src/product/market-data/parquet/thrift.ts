/**
 * A check of Thrift's compact protocol, in which Parquet writes its index and its page headers. hyparquet parses them
 * with memory and time of what they state; this check bounds both by the bytes that are there.
 */
import { PageFault } from "./pageFault.ts";

/** Structures within structures. Parquet's own nest at most seven deep. */
const DEPTH_MAX = 32;
/** A 64-bit number takes at most ten bytes. */
const VARINT_BYTES_MAX = 10;

const [STOP, TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, STRUCT] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12];

/**
 * The byte after a structure.
 *
 * @throws {PageFault} for a structure that does not end within the bytes, or states more than they hold
 */
export function checkStruct(bytes: Uint8Array, start: number): number {
  let at = start;

  const next = (): number => {
    if (at >= bytes.length) throw new PageFault("a header ends too early");
    return bytes[at++]!;
  };

  /** The number of an unsigned varint; above 2^53 it is not exact. */
  const varint = (): number => {
    let value = 0;
    for (let index = 0; index < VARINT_BYTES_MAX; index++) {
      const byte = next();
      value += (byte & 0x7f) * 2 ** (7 * index);
      if (byte < 0x80) return value;
    }
    throw new PageFault("a header has a number of more than 64 bits");
  };

  const skip = (count: number): void => {
    if (count > bytes.length - at) throw new PageFault(`a header states ${count} bytes and has ${bytes.length - at}`);
    at += count;
  };

  const element = (type: number, depth: number): void => {
    switch (type) {
      case BYTE:
        skip(1);
        break;
      case I16:
      case I32:
      case I64:
        varint();
        break;
      case DOUBLE:
        skip(8);
        break;
      case BINARY:
        skip(varint());
        break;
      case LIST:
        list(depth);
        break;
      case STRUCT:
        struct(depth + 1);
        break;
      default:
        throw new PageFault(`a header has a field of unknown type ${type}`);
    }
  };

  const list = (depth: number): void => {
    if (depth > DEPTH_MAX) throw new PageFault("a header nests too deep");
    const head = next();
    const type = head & 0x0f;
    const count = head >> 4 === 15 ? varint() : head >> 4;
    // An element takes a byte at least, so that a count above the bytes left is refused before anything is made of it.
    if (count > bytes.length - at) throw new PageFault(`a header states a list of ${count} elements`);
    const isBoolean = type === TRUE || type === FALSE;
    for (let index = 0; index < count; index++) element(isBoolean ? BYTE : type, depth + 1);
  };

  const struct = (depth: number): void => {
    if (depth > DEPTH_MAX) throw new PageFault("a header nests too deep");
    for (let head = next(); (head & 0x0f) !== STOP; head = next()) {
      const type = head & 0x0f;
      if (head >> 4 === 0) varint();
      if (type !== TRUE && type !== FALSE) element(type, depth);
    }
  };

  struct(0);
  return at;
}
