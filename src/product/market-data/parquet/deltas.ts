/** Checks of the delta encodings, whose headers state block sizes and lengths that hyparquet takes as they are. */
import { deltaBinaryUnpack } from "hyparquet/src/delta.js";
import { PAGE_BYTES_MAX } from "./codecs.ts";
import { PageFault } from "./pageFault.ts";
import { readVarint } from "./runs.ts";

const BLOCK_VALUES_MAX = 1 << 20;

/** @throws {PageFault} for blocks of a size with which decoding would not advance */
export function checkDeltas(page: Uint8Array, start: number): void {
  const [block, afterBlock] = readVarint(page, start);
  const [parts] = readVarint(page, afterBlock);
  const size = block / parts;
  if (!(block >= 8 && block <= BLOCK_VALUES_MAX && parts >= 1 && Number.isInteger(size) && size % 8 === 0)) {
    throw new PageFault(`a page has blocks of ${block} values in ${parts} parts`);
  }
}

/** Texts as lengths, then bytes. */
export function checkLengths(page: Uint8Array, start: number, count: number): void {
  const [lengths, at] = readLengths(page, start, count);
  const sum = lengths.reduce((total, length) => total + length, 0);
  if (sum > page.length - at) throw new PageFault(`a page states ${sum} bytes of text, and has ${page.length - at}`);
}

/** Texts as what each shares with the one before it, and the rest. */
export function checkPrefixes(page: Uint8Array, start: number, count: number): void {
  const [prefixes, at] = readLengths(page, start, count);
  const [suffixes, end] = readLengths(page, at, count);
  let before = 0;
  let shared = 0;
  let rest = 0;
  for (let index = 0; index < count; index++) {
    const prefix = prefixes[index]!;
    if (prefix > before) throw new PageFault(`a text shares ${prefix} bytes with one of ${before}`);
    shared += prefix;
    rest += suffixes[index]!;
    before = prefix + suffixes[index]!;
  }
  if (rest > page.length - end)
    throw new PageFault(`a page states ${rest} bytes of text, and has ${page.length - end}`);
  // A text may share all of a long one, so that the sum is not bounded by the page.
  if (shared > PAGE_BYTES_MAX) throw new PageFault(`a page has ${shared} bytes of text`);
}

function readLengths(page: Uint8Array, start: number, count: number): readonly [lengths: Int32Array, end: number] {
  checkDeltas(page, start);
  const reader = { view: new DataView(page.buffer, page.byteOffset, page.byteLength), offset: start };
  const lengths = new Int32Array(count);
  deltaBinaryUnpack(reader, count, lengths);
  if (lengths.some((length) => length < 0)) throw new PageFault("a text has a negative length");
  return [lengths, reader.offset];
}
