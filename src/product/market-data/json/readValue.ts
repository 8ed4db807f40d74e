/**
 * Reads one JSON value from its bytes. The cells that a layout needs are text, exactly as written, so that no number
 * goes through a double. The whole value is checked against the grammar (RFC 8259), with one addition: `NaN`,
 * `Infinity` and `-Infinity`, which Python writes. Of equal keys the last counts, as in JSON.parse.
 */
import type { FieldNode, FieldTree } from "./fieldTree.ts";

/** Objects and arrays within each other. */
const DEPTH_MAX = 64;
/** Rows of one value. */
const ROWS_MAX = 1 << 20;

/** What is wrong with a value, and at which of its bytes, from 0. */
export class JsonFault extends Error {
  readonly offset: number;

  constructor(reason: string, offset: number) {
    super(reason);
    this.offset = offset;
  }
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$/;
const WORDS: Readonly<Record<string, string>> = {
  null: "",
  true: "true",
  false: "false",
  NaN: "NaN",
  Infinity: "Infinity",
  "-Infinity": "-Infinity",
};

/** True for a letter, a digit, a sign and a point. */
function isScalarByte(byte: number): boolean {
  const lower = byte | 32;
  return (byte >= 48 && byte <= 57) || (lower >= 97 && lower <= 122) || byte === 43 || byte === 45 || byte === 46;
}

const UNREAD: FieldNode = { column: -1, keys: [], items: [], rows: -1 };

/** Reads values of one layout. */
export class ValueReader {
  readonly #tree: FieldTree;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #end = 0;
  #rows: string[][] = [];
  #hasRows = false;

  constructor(tree: FieldTree) {
    this.#tree = tree;
  }

  /**
   * The rows of the value in bytes from .. to - 1, a cell for each column; a field that is missing or null is empty.
   *
   * @throws {JsonFault}
   */
  read(bytes: Buffer, from: number, to: number): string[][] {
    const { row, rows, shared } = this.#tree;
    this.#bytes = bytes;
    this.#at = from;
    this.#end = to;
    this.#rows = [];
    this.#hasRows = false;
    const cells = this.#emptyCells();
    try {
      this.#readAny(this.#tree.value, cells, 0);
      this.#skipSpace();
      if (this.#at < to) throw this.#fault("there is more after the value");
      if (row !== undefined && !this.#hasRows) throw this.#fault(`the value has no array ${rows.join(" or ")}`);
    } catch (error) {
      if (error instanceof JsonFault) throw new JsonFault(error.message, error.offset - from);
      throw error;
    }
    if (row === undefined) return [cells];
    for (const each of this.#rows) for (const column of shared) each[column] = cells[column]!;
    return this.#rows;
  }

  #emptyCells(): string[] {
    return new Array<string>(this.#tree.columns).fill("");
  }

  #readAny(node: FieldNode, cells: string[], depth: number): void {
    this.#skipSpace();
    const byte = this.#at < this.#end ? this.#bytes[this.#at]! : -1;
    if (byte === OPEN_OBJECT) {
      if (node.rows >= 0) throw this.#fault(`${this.#tree.rows[node.rows]} is an object, and no array`);
      this.#readObject(node, cells, depth);
      if (node.column >= 0) cells[node.column] = "{…}";
    } else if (byte === OPEN_ARRAY) {
      if (node.rows >= 0) this.#readRows(node.rows, depth);
      else this.#readArray(node, cells, depth);
      if (node.column >= 0) cells[node.column] = "[…]";
    } else {
      const from = this.#at;
      const text = byte === QUOTE ? this.#readString(node.column >= 0) : this.#readScalar();
      if (node.column >= 0) cells[node.column] = text;
      if (node.rows < 0) return;
      if (text !== "" || byte === QUOTE) throw new JsonFault(`${this.#tree.rows[node.rows]} is no array`, from);
      this.#hasRows = true; // null: no rows
    }
  }

  #readObject(node: FieldNode, cells: string[], depth: number): void {
    if (depth >= DEPTH_MAX) throw this.#fault(`the value is deeper than ${DEPTH_MAX} objects and arrays`);
    this.#at++;
    if (this.#skipSpace() === CLOSE_OBJECT) {
      this.#at++;
      return;
    }
    for (;;) {
      if (this.#skipSpace() !== QUOTE) throw this.#fault("a key in quotes is expected");
      const child = node.keys.length === 0 ? this.#skipKey() : this.#findKey(node);
      if (this.#skipSpace() !== COLON) throw this.#fault('":" is expected');
      this.#at++;
      this.#readAny(child, cells, depth + 1);
      const byte = this.#skipSpace();
      this.#at++;
      if (byte === CLOSE_OBJECT) return;
      if (byte !== COMMA) throw this.#fault('"," or "}" is expected', -1);
    }
  }

  #skipKey(): FieldNode {
    this.#readString(false);
    return UNREAD;
  }

  #findKey({ keys }: FieldNode): FieldNode {
    const bytes = this.#bytes;
    const from = this.#at + 1;
    for (const { bytes: key, node } of keys) {
      const end = from + key.length;
      if (end >= this.#end || bytes[end] !== QUOTE) continue;
      let at = 0;
      while (at < key.length && bytes[from + at] === key[at]) at++;
      if (at < key.length) continue;
      this.#at = end + 1;
      return node;
    }
    const hasEscape = this.#bytes.subarray(from, this.#findEnd(from)).includes(BACKSLASH);
    const text = this.#readString(hasEscape);
    if (!hasEscape) return UNREAD;
    return keys.find(({ bytes: key }) => Buffer.from(text).equals(key))?.node ?? UNREAD;
  }

  #readArray(node: FieldNode, cells: string[], depth: number): void {
    if (depth >= DEPTH_MAX) throw this.#fault(`the value is deeper than ${DEPTH_MAX} objects and arrays`);
    this.#at++;
    if (this.#skipSpace() === CLOSE_ARRAY) {
      this.#at++;
      return;
    }
    for (let index = 0; ; index++) {
      this.#readAny(node.items[index] ?? UNREAD, cells, depth + 1);
      if (this.#endsArray()) return;
    }
  }

  #readRows(index: number, depth: number): void {
    const { row, rows, rowsColumn } = this.#tree;
    this.#hasRows = true;
    this.#at++;
    if (this.#skipSpace() === CLOSE_ARRAY) {
      this.#at++;
      return;
    }
    for (;;) {
      const cells = this.#emptyCells();
      this.#readAny(row!, cells, depth + 1);
      if (rowsColumn >= 0) cells[rowsColumn] = rows[index]!;
      if (this.#rows.push(cells) > ROWS_MAX) throw this.#fault(`the value has more than ${ROWS_MAX} rows`);
      if (this.#endsArray()) return;
    }
  }

  /** Takes the comma or the end after an element. */
  #endsArray(): boolean {
    const byte = this.#skipSpace();
    this.#at++;
    if (byte !== COMMA && byte !== CLOSE_ARRAY) throw this.#fault('"," or "]" is expected', -1);
    return byte === CLOSE_ARRAY;
  }

  /** @param isWanted false where only the end of the string matters */
  #readString(isWanted: boolean): string {
    const from = this.#at + 1;
    const end = this.#findEnd(from);
    this.#at = end + 1;
    const raw = this.#bytes.subarray(from, end);
    if (!raw.includes(BACKSLASH)) return isWanted ? raw.toString() : "";
    try {
      return JSON.parse(`"${raw.toString()}"`) as string;
    } catch {
      throw new JsonFault("a string has an escape that does not exist", from);
    }
  }

  /** Place of the quote that ends a string. */
  #findEnd(from: number): number {
    const bytes = this.#bytes;
    for (let at = from; at < this.#end; at++) {
      const byte = bytes[at]!;
      if (byte === QUOTE) return at;
      if (byte === BACKSLASH) at++;
      else if (byte < 32) throw new JsonFault("a string has a control character", at);
    }
    throw new JsonFault("a string does not end", from - 1);
  }

  #readScalar(): string {
    const bytes = this.#bytes;
    const from = this.#at;
    let at = from;
    while (at < this.#end && isScalarByte(bytes[at]!)) at++;
    if (at === from) throw this.#fault("a value is expected");
    this.#at = at;
    const text = bytes.toString("latin1", from, at);
    if (NUMBER.test(text)) return text;
    const word = Object.hasOwn(WORDS, text) ? WORDS[text] : undefined;
    if (word === undefined) throw new JsonFault(`${JSON.stringify(text.slice(0, 40))} is no value of JSON`, from);
    return word;
  }

  /** The next byte that is no white space, or -1 at the end. */
  #skipSpace(): number {
    const bytes = this.#bytes;
    while (this.#at < this.#end) {
      const byte = bytes[this.#at]!;
      if (byte !== 32 && byte !== 10 && byte !== 13 && byte !== 9) return byte;
      this.#at++;
    }
    return -1;
  }

  #fault(reason: string, shift = 0): JsonFault {
    const at = Math.min(this.#at + shift, this.#end);
    return new JsonFault(at >= this.#end ? `the value ends too early: ${reason}` : reason, at);
  }
}
