/**
 * Checks of encoded runs: hyparquet allocates and loops by the counts that they state, which these checks bound by the
 * page's values.
 */
import { PageFault } from "./pageFault.ts";

/** Widths that hyparquet unpacks without loss. A dictionary of a group of 2^23 rows needs 23 bits. */
const WIDTH_MAX = 24;
/** Writers end a page with whole groups of eight values, at most 63 groups in a run. */
const SPARE_VALUES_MAX = 504;

export interface Runs {
  /** The byte after the last run that was needed. */
  readonly end: number;
  /** How many of the values are 1. Meant for widths of 1. */
  readonly ones: number;
}

/**
 * Checks a hybrid of run lengths and packed bits, from `start` to the run that completes `want` values.
 *
 * @param most largest value allowed
 * @throws {PageFault} for a run beyond the page, with more values than wanted, or with a value above `most`
 */
export function checkRuns(page: Uint8Array, start: number, width: number, want: number, most: number): Runs {
  if (width > WIDTH_MAX) throw new PageFault(`a page packs values into ${width} bits`);
  const bytes = (width + 7) >> 3;
  let at = start;
  let seen = 0;
  let ones = 0;
  while (seen < want) {
    const [header, after] = readVarint(page, at);
    at = after;
    const left = want - seen;
    const isPacked = header % 2 === 1;
    const count = Math.floor(header / 2) * (isPacked ? 8 : 1);
    if (count > left + (isPacked ? SPARE_VALUES_MAX : 0)) {
      throw new PageFault(`a run states ${count} values, and ${left} are left in its page`);
    }
    const size = isPacked ? (count / 8) * width : bytes;
    if (at + size > page.length) throw new PageFault("a run goes beyond the end of its page");
    const values = Math.min(count, left);
    if (isPacked) {
      if (width === 1) ones += countOnes(page, at, values);
      if (2 ** width - 1 > most) checkPacked(page, at, width, values, most);
    } else {
      let value = 0;
      for (let byte = 0; byte < bytes; byte++) value += page[at + byte]! * 2 ** (8 * byte);
      if (value > most) throw outOfRange(value, most);
      if (value === 1) ones += values;
    }
    at += size;
    seen += values;
  }
  return { end: at, ones };
}

function countOnes(page: Uint8Array, start: number, values: number): number {
  let ones = 0;
  for (let index = 0; index < values; index++) ones += (page[start + (index >> 3)]! >> (index & 7)) & 1;
  return ones;
}

function checkPacked(page: Uint8Array, start: number, width: number, values: number, most: number): void {
  const mask = 2 ** width - 1;
  let at = start;
  let bits = 0;
  let held = 0;
  for (let index = 0; index < values; index++) {
    while (held < width) {
      // At most 23 bits are held here, so that 31 fit.
      bits |= page[at++]! << held;
      held += 8;
    }
    const value = bits & mask;
    if (value > most) throw outOfRange(value, most);
    bits >>>= width;
    held -= width;
  }
}

const outOfRange = (value: number, most: number): PageFault =>
  new PageFault(`a page refers to value ${value}, and the last is ${most}`);

/** An unsigned varint of 32 bits, and the byte after it. */
export function readVarint(page: Uint8Array, start: number): readonly [value: number, end: number] {
  let value = 0;
  for (let index = 0; index < 5; index++) {
    const byte = page[start + index];
    if (byte === undefined) throw new PageFault("a run goes beyond the end of its page");
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) {
      // Half of the range: hyparquet takes the upper half for a negative number.
      if (value >= 2 ** 31) break;
      return [value, start + index + 1];
    }
  }
  throw new PageFault("a run states a number of more than 31 bits");
}
