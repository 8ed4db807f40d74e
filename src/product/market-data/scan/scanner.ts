/**
 * The byte scanner: rows of plain numeric text straight into scaled integers, without strings and without floats.
 *
 * It reads what almost every row looks like and gives up on a row at the first byte it does not expect; such a row is
 * read again, slowly and completely, by `readCells`, which either accepts it (an exponent, a long volume) or says what
 * is wrong. So the scanner decides nothing about errors, and it is wrong only if it accepts a row that `readCells`
 * would refuse or read differently.
 *
 * Deliberate answers: LF and CRLF both end a row; the last row may lack its end; a byte order mark is skipped (by the
 * caller); an empty line, a space, a plus sign, a quote, a missing digit before or after the point are malformed;
 * leading zeros and zeros beyond the scale are harmless; a digit beyond the scale is a precision finding.
 */
import { LIMIT } from "../../../ground/math/fixed.ts";
import { DataError } from "../errors.ts";
import { widthOf } from "../readers/exactColumns.ts";
import type { ColumnType, Layout } from "../readers/layout.ts";
import { type RowFault, readCells, TIME_WINDOWS } from "./cells.ts";
import { appendRow, type RowBatch } from "./rowBatch.ts";

const LF = 10;
const CR = 13;
const QUOTE = 34;
const MINUS = 45;
const POINT = 46;
const COLON = 58;

const SKIP = 0;
const DECIMAL = 1;
const TIME = 2;
const WORD = 3;
const ISO_TIME = 4;
const PRESENCE = 5;
/** Always read the slow way. */
const SLOW = 6;
/** Rows with other words are passed over. */
const WHERE = 7;

/** Four digits in four bytes. */
const DIGITS = 0x30303030;

/** True if each of four bytes, less that of the digit 0, is below ten. */
const areDigits = (four: number): boolean => (((four + 0x76767676) | four) & 0x80808080) === 0;

/** Four digits, of which the first is in the lowest byte, as a number: two pairs at once, then both. */
function joinDigits(four: number): number {
  const pairs = (Math.imul(four, 10) + (four >>> 8)) & 0x00ff00ff;
  return Math.imul(pairs & 0xff, 100) + (pairs >>> 16);
}

/** A file whose rows are longer is not a table of numbers. */
const ROW_BYTES_MAX = 1 << 20;

const POWERS = Float64Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));

/** One column, as the scanner's loop wants it. */
interface Operation {
  readonly code: number;
  readonly decimals: number;
  /** Smallest value accepted without a second look. */
  readonly least: number;
  readonly negative: boolean;
  readonly divisor: number;
  readonly from: number;
  readonly to: number;
  /** What a time counts from, in milliseconds. */
  readonly since: number;
  readonly words: readonly { readonly bytes: Uint8Array; readonly value: number }[];
}

/** Receives the faults of a row; returns false to drop the row. */
export type FaultSink = (line: number, faults: readonly RowFault[]) => boolean;

/** Turns the bytes of one file into rows. Feed it, then take batches until it wants more. */
export class ByteScanner {
  private readonly layout: Layout;
  private readonly operations: readonly Operation[];
  private readonly onFault: FaultSink;
  private readonly scratch: Float64Array;
  private bytes: Uint8Array = new Uint8Array(0);
  private view = new DataView(this.bytes.buffer);
  /** The chunk after `bytes`, where those are the row that the chunk before began. */
  private next: Uint8Array | undefined;
  private at = 0;
  /** End of the last complete row in `bytes`. */
  private limit = 0;
  /** Line of the row at `at`. */
  private line: number;

  /** @param firstLine line of the first row that will be fed */
  constructor(layout: Layout, firstLine: number, onFault: FaultSink) {
    this.layout = layout;
    this.operations = layout.columns.map(({ cell }) => toOperation(cell));
    this.onFault = onFault;
    this.scratch = new Float64Array(widthOf(layout));
    this.line = firstLine;
  }

  /**
   * Adds bytes. All complete rows of earlier bytes must have been taken. Only a row that two chunks share is copied.
   */
  feed(chunk: Uint8Array): void {
    const rest = this.bytes.subarray(this.at);
    if (rest.length === 0) {
      this.enter(chunk);
      return;
    }
    if (rest.length > ROW_BYTES_MAX) throw this.rowTooLong();
    const end = chunk.indexOf(LF) + 1;
    const shared = end === 0 ? chunk : chunk.subarray(0, end);
    const joined = new Uint8Array(rest.length + shared.length);
    joined.set(rest);
    joined.set(shared, rest.length);
    this.enter(joined);
    if (end > 0 && end < chunk.length) this.next = chunk.subarray(end);
  }

  private enter(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
    this.limit = bytes.lastIndexOf(LF) + 1;
  }

  /** Ends the file: what is left is the last row, without a line end. */
  finish(): void {
    if (this.at < this.bytes.length) this.feed(Uint8Array.of(LF));
  }

  /** Rows read so far, refused ones included, as the line after the last. */
  get nextLine(): number {
    return this.line;
  }

  /** Fills the batch up to its capacity; true while complete rows are left. */
  take(batch: RowBatch): boolean {
    for (;;) {
      const isMore = this.takeRows(batch);
      const { next } = this;
      if (isMore || next === undefined) return isMore;
      this.next = undefined;
      this.enter(next);
    }
  }

  private takeRows(batch: RowBatch): boolean {
    const { bytes, view, limit, operations } = this;
    // Up to here four bytes can be read at once.
    const wide = limit - 4;
    const separator = this.layout.separator;
    const last = operations.length - 1;
    const capacity = batch.line.length;
    const lines = batch.line;
    const values = batch.values;
    let at = this.at; // -1 inside a row: give up on it
    let row = batch.count;
    rows: while (at < limit && row < capacity) {
      const start = at;
      let column = 0;
      for (; column <= last; column++) {
        const operation = operations[column]!;
        let byte = bytes[at]!;
        switch (operation.code) {
          case DECIMAL: {
            const negative = byte === MINUS && operation.negative;
            if (negative) byte = bytes[++at]!;
            let digit = byte ^ 48;
            if (digit > 9) {
              at = -1;
              break;
            }
            let value = 0;
            while (at <= wide) {
              const four = view.getInt32(at, true) ^ DIGITS;
              if (!areDigits(four)) break;
              value = value * 10_000 + joinDigits(four);
              at += 4;
            }
            byte = bytes[at]!;
            digit = byte ^ 48;
            while (digit < 10) {
              value = value * 10 + digit;
              byte = bytes[++at]!;
              digit = byte ^ 48;
            }
            const decimals = operation.decimals;
            value *= POWERS[decimals]!;
            if (byte === POINT) {
              const begin = ++at;
              const stop = begin + (decimals < 9 ? decimals : 9);
              let part = 0;
              byte = bytes[at]!;
              digit = byte ^ 48;
              while (digit < 10 && at < stop) {
                part = (Math.imul(part, 10) + digit) | 0;
                byte = bytes[++at]!;
                digit = byte ^ 48;
              }
              value += part * POWERS[decimals - (at - begin)]!;
              while (digit === 0) {
                byte = bytes[++at]!;
                digit = byte ^ 48;
              }
              if (digit < 10 || at === begin) {
                at = -1;
                break;
              }
            }
            // Both terms are exact up to the limit, and a value beyond it gets the second look.
            if (!(value >= operation.least && value <= LIMIT)) {
              at = -1;
              break;
            }
            values[column]![row] = negative ? 0 - value : value;
            break;
          }
          case TIME: {
            const begin = at;
            let value = 0;
            while (at <= wide) {
              const four = view.getInt32(at, true) ^ DIGITS;
              if (!areDigits(four)) break;
              value = value * 10_000 + joinDigits(four);
              at += 4;
            }
            for (let digit = bytes[at]! ^ 48; digit < 10; digit = bytes[++at]! ^ 48) value = value * 10 + digit;
            if (at === begin) {
              at = -1;
              break;
            }
            // Beyond 2^53 (nanoseconds) the digits are not exact here: the window excludes them.
            if (!(value >= operation.from && value < operation.to)) {
              at = -1;
              break;
            }
            values[column]![row] =
              operation.since + (operation.divisor === 1 ? value : Math.floor(value / operation.divisor));
            break;
          }
          case WORD: {
            const words = operation.words;
            const begin = at;
            for (let index = 0; index < words.length; index++) {
              const word = words[index]!.bytes;
              if (word[0] !== byte) continue;
              let length = 1;
              while (length < word.length && bytes[at + length] === word[length]) length++;
              if (length !== word.length) continue;
              const end = bytes[at + length]!;
              if (end !== separator && end !== LF && end !== CR) continue;
              values[column]![row] = words[index]!.value;
              at += length;
              break;
            }
            if (at === begin) at = -1;
            break;
          }
          case WHERE: {
            const end = this.matchWord(operation.words, at);
            if (end >= 0) {
              at = end;
              break;
            }
            const next = this.passOver(at);
            if (next < 0) {
              at = -1;
              break;
            }
            batch.passed++;
            this.line++;
            at = next;
            continue rows;
          }
          case SLOW:
            at = -1;
            break;
          case ISO_TIME: {
            const ms = this.scanIsoTime(at);
            values[column]![row] = ms;
            at = ms < 0 ? -1 : at + 24;
            break;
          }
          default: {
            const begin = at;
            while (at <= wide && areDigits(view.getInt32(at, true) ^ DIGITS)) at += 4;
            byte = bytes[at]!;
            while (byte !== separator && byte !== LF && byte !== QUOTE) byte = bytes[++at]!;
            if (byte === QUOTE || (operation.code === PRESENCE && at === begin)) at = -1;
          }
        }
        if (at < 0) break;
        byte = bytes[at]!;
        if (column < last) {
          if (byte !== separator) break;
          at++;
        } else {
          // A skipped last column has swallowed its CR.
          if (byte === CR && bytes[at + 1] === LF) byte = bytes[++at]!;
          if (byte !== LF) break;
          at++;
        }
      }
      if (column > last) {
        lines[row++] = this.line++;
      } else {
        batch.count = row;
        at = this.readAgain(start, batch);
        row = batch.count;
      }
    }
    batch.count = row;
    this.at = at;
    return at < limit;
  }

  /** Reads the row at `start` the slow way; returns the start of the next row. */
  private readAgain(start: number, batch: RowBatch): number {
    const { bytes, scratch } = this;
    const end = bytes.indexOf(LF, start);
    const line = this.line++;
    const stop = end > start && bytes[end - 1] === CR ? end - 1 : end;
    const raw = bytes.subarray(start, stop);
    if (raw.length > ROW_BYTES_MAX) throw this.rowTooLong();
    const faults = raw.includes(QUOTE)
      ? [
          {
            kind: "malformed",
            column: "",
            reason: "the row has a quote, and the rows before it have none",
          } satisfies RowFault,
        ]
      : readCells(this.layout, splitRow(raw, this.layout.separator), scratch);
    if (faults === undefined) batch.passed++;
    else if (faults.length === 0 || this.onFault(line, faults)) appendRow(batch, line, scratch);
    return end + 1;
  }

  /** End of the cell at a place, if it is one of the words; else -1. */
  private matchWord(words: Operation["words"], at: number): number {
    const { bytes } = this;
    for (const { bytes: word } of words) {
      let length = 0;
      while (length < word.length && bytes[at + length] === word[length]) length++;
      if (length === word.length && this.isCellEnd(bytes[at + length]!)) return at + length;
    }
    return -1;
  }

  private isCellEnd(byte: number): boolean {
    return byte === this.layout.separator || byte === LF || byte === CR;
  }

  /**
   * Start of the next row, if the cell at a place is plain text, of which no spaces are cut, and no quote follows; else
   * -1.
   */
  private passOver(from: number): number {
    const { bytes } = this;
    let at = from;
    while (!this.isCellEnd(bytes[at]!)) at++;
    const isPlain = (byte: number): boolean => byte > 32 && byte < 127;
    if (at === from || !isPlain(bytes[from]!) || !isPlain(bytes[at - 1]!)) return -1;
    const end = bytes.indexOf(LF, at);
    for (at = from; at < end; at++) if (bytes[at] === QUOTE) return -1;
    return end + 1;
  }

  private day = -1;
  private dayMs = 0;

  /** Milliseconds of `YYYY-MM-DDTHH:MM:SS.mmmZ`, or -1 for any other text. */
  private scanIsoTime(at: number): number {
    const { bytes } = this;
    if (at + 24 > bytes.length || bytes[at + 23] !== 90 || bytes[at + 10] !== 84 || bytes[at + 19] !== POINT) return -1;
    if (bytes[at + 4] !== MINUS || bytes[at + 7] !== MINUS) return -1;
    if (bytes[at + 13] !== COLON || bytes[at + 16] !== COLON) return -1;
    const hour = this.pair(at + 11);
    const minute = this.pair(at + 14);
    const second = this.pair(at + 17);
    const millis = this.pair(at + 20) * 10 + (bytes[at + 22]! ^ 48);
    if (!(hour < 24 && minute < 60 && second < 60) || !((bytes[at + 22]! ^ 48) < 10) || !(millis < 1000)) return -1;
    const year = this.pair(at) * 100 + this.pair(at + 2);
    const month = this.pair(at + 5);
    const date = this.pair(at + 8);
    if (!(year < 10_000 && month < 13 && date < 32 && month > 0 && date > 0)) return -1;
    const day = (year * 16 + month) * 32 + date;
    if (day !== this.day) {
      const ms = Date.UTC(year, month - 1, date);
      if (new Date(ms).getUTCDate() !== date || ms < 0) return -1;
      this.day = day;
      this.dayMs = ms;
    }
    return this.dayMs + ((hour * 60 + minute) * 60 + second) * 1000 + millis;
  }

  /** Two digits as a number; NaN if they are none. */
  private pair(at: number): number {
    const tens = this.bytes[at]! ^ 48;
    const ones = this.bytes[at + 1]! ^ 48;
    return tens < 10 && ones < 10 ? tens * 10 + ones : Number.NaN;
  }

  private rowTooLong(): DataError {
    return new DataError("DATA_MALFORMED", `the row is longer than ${ROW_BYTES_MAX} bytes`, {
      line: this.line,
      hint: "this is not a text file of rows",
    });
  }
}

const decoder = new TextDecoder();

/** The cells of one row, as text. */
export function splitRow(raw: Uint8Array, separator: number): string[] {
  return decoder.decode(raw).split(String.fromCharCode(separator));
}

const encoder = new TextEncoder();

function toOperation(cell: ColumnType): Operation {
  const none = { decimals: 0, least: 0, negative: false, divisor: 1, from: 0, to: 0, since: 0, words: [] };
  switch (cell.type) {
    case "skip":
      return { ...none, code: SKIP };
    case "presence":
      return { ...none, code: PRESENCE };
    case "decimal":
      return {
        ...none,
        code: DECIMAL,
        decimals: cell.decimals,
        // With a decimal comma a point would be one of thousands: every number gets the second look.
        least: cell.comma === true ? Number.POSITIVE_INFINITY : cell.sign === "positive" ? 1 : 0,
        negative: cell.sign === "any",
      };
    case "time": {
      // Seconds become milliseconds and nanoseconds exceed a double: both are left to the second look.
      const fast = cell.unit === "ms" || cell.unit === "us";
      const [from, to] = TIME_WINDOWS[cell.unit];
      return {
        ...none,
        code: TIME,
        divisor: cell.unit === "us" ? 1000 : 1,
        since: cell.sinceMs ?? 0,
        from: fast ? (cell.sinceMs === undefined ? from : 0) : 1,
        // A day of a count is far below the limit of times: what is near it gets the second look.
        to: fast ? (cell.sinceMs === undefined ? Math.min(to, LIMIT) : 1e12) : 0,
      };
    }
    case "isoTime":
      return { ...none, code: ISO_TIME };
    case "textTime":
    case "exact":
      return { ...none, code: SLOW };
    case "symbol":
      if (cell.symbol === "") return { ...none, code: SLOW };
      return { ...none, code: WORD, words: [{ bytes: encoder.encode(cell.symbol), value: 1 }] };
    case "where":
      return { ...none, code: WHERE, words: cell.take.map((text) => ({ bytes: encoder.encode(text), value: 1 })) };
    case "word":
      return {
        ...none,
        code: WORD,
        words: cell.words.map(([text, value]) => ({ bytes: encoder.encode(text), value })),
      };
  }
}
