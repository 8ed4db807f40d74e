/**
 * Finds where the values of a JSON file begin and end, chunk by chunk: one on each line, or the elements of an array.
 */
import { DataError } from "../errors.ts";
import { formatPath, type Step } from "./path.ts";

/** A value that is longer is refused, so that memory is bounded. */
export const VALUE_BYTES_MAX = 1 << 24;

/** The bytes of one value. */
export interface ValueSlice {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
  /** Line of the file from 1, or, in an array, number of the element from 1. */
  readonly line: number;
}

/** Splits bytes as they come. The slices of one call are valid until the next. */
export interface ValueSplitter {
  /** @throws {DataError} DATA_MALFORMED */
  feed(chunk: Uint8Array): ValueSlice[];
  /** The last value. @throws {DataError} DATA_MALFORMED where the file ends in the middle */
  finish(): ValueSlice[];
}

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

const isSpace = (byte: number): boolean => byte === SPACE || byte === LF || byte === CR || byte === TAB;

/** A value on each line; blank lines do not count. */
export class LineSplitter implements ValueSplitter {
  #rest: Buffer = Buffer.alloc(0);
  #line = 1;

  feed(chunk: Uint8Array): ValueSlice[] {
    const bytes = join(this.#rest, chunk);
    const slices: ValueSlice[] = [];
    let from = 0;
    // What is left of the chunk before has no line end.
    for (let end = bytes.indexOf(LF, this.#rest.length); end >= 0; end = bytes.indexOf(LF, from)) {
      this.#add(slices, bytes, from, end);
      from = end + 1;
    }
    this.#rest = bytes.subarray(from);
    if (this.#rest.length > VALUE_BYTES_MAX) throw valueTooLong(this.#line);
    return slices;
  }

  finish(): ValueSlice[] {
    const slices: ValueSlice[] = [];
    this.#add(slices, this.#rest, 0, this.#rest.length);
    this.#rest = Buffer.alloc(0);
    return slices;
  }

  #add(slices: ValueSlice[], bytes: Buffer, from: number, to: number): void {
    const line = this.#line++;
    if (to - from > VALUE_BYTES_MAX) throw valueTooLong(line);
    let at = from;
    while (at < to && isSpace(bytes[at]!)) at++;
    if (at < to) slices.push({ bytes, from, to, line });
  }
}

/** Where the splitter is in the document. */
const BEFORE = 0;
const INSIDE = 1;
const AFTER = 2;

/** The elements of one array of a document. */
export class ArraySplitter implements ValueSplitter {
  readonly #path: readonly Step[];
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #place = BEFORE;
  /** Open objects and arrays. */
  #depth = 0;
  /** Steps of the path whose objects are open, the document itself not counted. */
  #matched = 0;
  /** The value that comes next is that of the next step of the path. */
  #isNext: boolean;
  /** The last string, which is a key if a colon follows. */
  #key: string | undefined;
  /** Depth of the array's elements. */
  #level = 0;
  /** Where the element begins; -1 between elements. */
  #start = -1;
  #count = 0;

  /** @param path keys to the array; none where the document is the array */
  constructor(path: readonly Step[]) {
    this.#path = path;
    this.#isNext = path.length === 0;
  }

  feed(chunk: Uint8Array): ValueSlice[] {
    const keep = this.#start >= 0 ? this.#start : this.#at;
    const rest = this.#bytes.subarray(keep);
    if (rest.length > VALUE_BYTES_MAX) throw valueTooLong(this.#count + 1);
    this.#bytes = join(rest, chunk);
    this.#at -= keep;
    if (this.#start >= 0) this.#start = 0;
    return this.#scan();
  }

  finish(): ValueSlice[] {
    if (this.#depth > 0 || this.#at < this.#bytes.length) {
      throw new DataError("DATA_MALFORMED", "the document ends before its objects and arrays do", {
        line: Math.max(1, this.#count),
        hint: "fetch the file again: it may be cut off",
      });
    }
    if (this.#place === BEFORE) throw this.#noArray();
    return [];
  }

  #scan(): ValueSlice[] {
    const bytes = this.#bytes;
    const slices: ValueSlice[] = [];
    let at = this.#at;
    while (at < bytes.length) {
      const byte = bytes[at]!;
      if (isSpace(byte)) {
        at++;
        continue;
      }
      const isElement = this.#place === INSIDE && this.#depth === this.#level;
      if (isElement && this.#start < 0 && byte !== CLOSE_ARRAY && byte !== COMMA) this.#start = at;
      if (byte === QUOTE) {
        const end = findStringEnd(bytes, at + 1);
        if (end < 0) break; // the rest of the string is in the next chunk
        if (this.#place === BEFORE) this.#key = readKey(bytes.toString("utf8", at, end + 1));
        at = end;
      } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        this.#open(byte);
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
        if (isElement) this.#endElement(slices, at, byte);
        this.#close();
      } else if (byte === COMMA) {
        if (isElement) this.#endElement(slices, at, byte);
        this.#isNext = false;
      } else if (byte === COLON) {
        if (this.#depth === this.#matched + 1) this.#isNext = this.#key === this.#path[this.#matched];
      } else if (this.#depth === 0) {
        throw this.#noArray();
      }
      at++;
    }
    this.#at = at;
    return slices;
  }

  #open(byte: number): void {
    if (this.#place === AFTER && this.#depth === 0) throw this.#noArray();
    this.#depth++;
    if (this.#place !== BEFORE) return;
    const isLast = this.#matched >= this.#path.length - 1;
    const isNext = this.#isNext;
    this.#isNext = false;
    if (isNext && isLast && byte === OPEN_ARRAY) {
      this.#place = INSIDE;
      this.#level = this.#depth;
    } else if (isNext && !isLast && byte === OPEN_OBJECT) {
      this.#matched++;
    } else if (this.#depth === 1 && (byte === OPEN_ARRAY || this.#path.length === 0)) {
      throw this.#noArray();
    }
  }

  #close(): void {
    if (this.#depth === 0) throw this.#noArray();
    if (this.#place === INSIDE && this.#depth === this.#level) this.#place = AFTER;
    if (this.#place === BEFORE && this.#matched > 0 && this.#depth === this.#matched + 1) this.#matched--;
    this.#depth--;
  }

  /** Ends an element at a comma or at the end of the array. */
  #endElement(slices: ValueSlice[], at: number, byte: number): void {
    if (this.#start < 0 && byte === CLOSE_ARRAY && this.#count === 0) return;
    this.#count++;
    if (this.#start < 0 || byte === CLOSE_OBJECT) {
      throw new DataError("DATA_MALFORMED", "an element is missing here, or the array ends with another bracket", {
        line: this.#count,
        hint: "fetch the file again",
      });
    }
    if (at - this.#start > VALUE_BYTES_MAX) throw valueTooLong(this.#count);
    slices.push({ bytes: this.#bytes, from: this.#start, to: at, line: this.#count });
    this.#start = -1;
  }

  #noArray(): DataError {
    if (this.#place === AFTER) {
      return new DataError("DATA_MALFORMED", "there is more after the end of the document", {
        line: this.#count,
        hint: "a file with a value on each line is json: { in: lines }",
      });
    }
    const path = formatPath(this.#path);
    const what = path === "" ? "the document is no array" : `the document has no array ${path}`;
    return new DataError("DATA_LAYOUT", what, {
      line: 1,
      hint: "set json: { in: array, array: … } to the path of the array of rows, or json: { in: lines }",
    });
  }
}

/** Place of the quote that ends a string; -1 if it is not there. */
function findStringEnd(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at;
  }
  return -1;
}

function readKey(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}

function join(rest: Buffer, chunk: Uint8Array): Buffer {
  const next = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return rest.length === 0 ? next : Buffer.concat([rest, next]);
}

function valueTooLong(line: number): DataError {
  return new DataError("DATA_MALFORMED", `the value is longer than ${VALUE_BYTES_MAX} bytes`, {
    line,
    hint: "write each row as a value of its own",
  });
}
