/**
 * Tables: columns in typed arrays, rows by dense numbers, freed rows kept in a list.
 *
 * A column is a plain typed array at run time; its type only accepts rows of its own table, so that
 * `orders.price[accountRow]` does not compile. Growth replaces the arrays: keep a table in a local, never a column
 * across a call that may allocate.
 */

/** No row. */
export const NONE = -1;

/** A column: values of one unit by rows of one table. */
export type Column<Row extends number, Value> = { [row in Row]: Value } & { readonly length: number };

type Storage = "i8" | "u8" | "i32" | "f64" | "i64";

export interface ColumnSpec<Value> {
  readonly storage: Storage;
  readonly initial: number | bigint;
  readonly value?: Value;
}

export const u8 = <Value extends number = number>(initial = 0): ColumnSpec<Value> => ({ storage: "u8", initial });
export const i32 = <Value extends number = number>(initial = 0): ColumnSpec<Value> => ({ storage: "i32", initial });
export const f64 = <Value extends number = number>(initial = 0): ColumnSpec<Value> => ({ storage: "f64", initial });
export const i64 = (initial = 0n): ColumnSpec<bigint> => ({ storage: "i64", initial });

export type ColumnSpecs = Record<string, ColumnSpec<number> | ColumnSpec<bigint>>;
type AnyArray = Int8Array | Uint8Array | Int32Array | Float64Array | BigInt64Array;

export interface TableDefinition<Row extends number, Specs extends ColumnSpecs> {
  readonly name: string;
  readonly columns: Specs;
  /** An empty table as a text, see `createShape`. */
  readonly shape: string;
  readonly row?: Row;
}

/** The columns of a table, and its rows. */
export type Table<Row extends number, Specs extends ColumnSpecs> = {
  [K in keyof Specs]: Column<Row, Specs[K] extends ColumnSpec<infer V> ? V : never>;
} & { readonly rows: Rows<Row> };

/** Declares a table. `Row` is the brand of its rows. */
export function defineTable<Row extends number>() {
  return <Specs extends ColumnSpecs>(name: string, columns: Specs): TableDefinition<Row, Specs> => {
    const shape = `{${[...Object.keys(columns), "rows"].map((column) => `${JSON.stringify(column)}:null`).join(",")}}`;
    return { name, columns, shape };
  };
}

const NOTHING = new Uint8Array(0);

/** Hands out rows. Freed rows are reused, last freed first; the row of an entry never affects behaviour. */
export class Rows<Row extends number> {
  /** Rows ever handed out: live rows are among 0 .. high - 1. */
  high = 0;
  /** Live rows. */
  count = 0;
  capacity: number;
  freeHead: number = NONE;
  /** For a free row the next free one, for a live row `LIVE`. */
  link: Int32Array;
  /** All columns of a table of few rows, which is copied in one piece. */
  memory: Uint8Array = NOTHING;
  readonly onGrow: (capacity: number) => void;

  constructor(capacity: number, onGrow: (capacity: number) => void) {
    this.capacity = capacity;
    this.link = new Int32Array(capacity);
    this.onGrow = onGrow;
  }

  allocate(): Row {
    this.count++;
    const free = this.freeHead;
    if (free !== NONE) {
      this.freeHead = this.link[free]!;
      this.link[free] = LIVE;
      return free as Row;
    }
    if (this.high === this.capacity) this.grow(this.capacity * 2);
    const row = this.high++;
    this.link[row] = LIVE;
    return row as Row;
  }

  release(row: Row): void {
    this.count--;
    this.link[row] = this.freeHead;
    this.freeHead = row;
  }

  isLive(row: number): boolean {
    return row >= 0 && row < this.high && this.link[row] === LIVE;
  }

  /** Forgets all rows; the room for them stays. */
  clear(): void {
    this.high = 0;
    this.count = 0;
    this.freeHead = NONE;
  }

  /** Makes room for at least `capacity` rows. */
  reserve(capacity: number): void {
    if (capacity > this.capacity) this.grow(capacity);
  }

  private grow(capacity: number): void {
    const link = new Int32Array(capacity);
    link.set(this.link);
    this.link = link;
    this.capacity = capacity;
    this.onGrow(capacity);
  }
}

/** Mark of a live row in `Rows.link`. */
export const LIVE = -2;

const ARRAYS = { i8: Int8Array, u8: Uint8Array, i32: Int32Array, f64: Float64Array, i64: BigInt64Array } as const;

/** Bytes of a column, up to where the next one may begin. */
function lengthOf(storage: Storage, capacity: number): number {
  return Math.ceil((ARRAYS[storage].BYTES_PER_ELEMENT * capacity) / 8) * 8;
}

function fillFrom(array: AnyArray, initial: number | bigint, from: number): void {
  if (initial === 0 || initial === 0n) return;
  (array as Float64Array).fill(initial as number, from);
}

/**
 * An object with these properties, all of them in place. An object that gets a dozen properties by computed names is
 * turned into a hash table by the runtime. Each column would then cost a look-up. A parsed object is not.
 */
function createShape(text: string): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>;
}

/** Creates an empty table with room for `capacity` rows; it grows by doubling. */
export function createTable<Row extends number, Specs extends ColumnSpecs>(
  definition: TableDefinition<Row, Specs>,
  capacity = 16,
): Table<Row, Specs> {
  return makeTable(definition, capacity, 0);
}

/** @param written rows that are written at once, so that their columns need no initial values */
function makeTable<Row extends number, Specs extends ColumnSpecs>(
  definition: TableDefinition<Row, Specs>,
  capacity: number,
  written: number,
): Table<Row, Specs> {
  const table = createShape(definition.shape);
  const rows = new Rows<Row>(capacity, (grown) => {
    if (grown <= WHOLE_MOST) rows.memory = layOut(definition.columns, table, grown, rows.high);
    else growColumns(definition.columns, table, grown);
  });
  rows.memory = layOut(definition.columns, table, capacity, 0, written);
  table.rows = rows;
  return table as Table<Row, Specs>;
}

/**
 * Gives a table its columns, in one piece of memory: each piece costs as much as copying a few hundred rows.
 *
 * @param kept    rows whose values the new columns take over
 * @param written rows that need no initial values
 * @returns the memory of all columns
 */
function layOut(
  specs: ColumnSpecs,
  table: Record<string, unknown>,
  capacity: number,
  kept: number,
  written = kept,
): Uint8Array {
  const columns = Object.entries(specs);
  let end = 0;
  for (const [, { storage }] of columns) end += lengthOf(storage, capacity);
  const memory = new ArrayBuffer(end);
  let start = 0;
  for (const [name, { storage, initial }] of columns) {
    const array = new ARRAYS[storage](memory, start, capacity);
    if (kept > 0) (array as Float64Array).set((table[name] as Float64Array).subarray(0, kept));
    fillFrom(array, initial, written);
    table[name] = array;
    start += lengthOf(storage, capacity);
  }
  return new Uint8Array(memory);
}

/** Moves each column to memory of its own: a large table is never held twice as a whole. */
function growColumns(specs: ColumnSpecs, table: Record<string, unknown>, capacity: number): void {
  for (const [name, { storage, initial }] of Object.entries(specs)) {
    const old = table[name] as AnyArray;
    const array = new ARRAYS[storage](capacity);
    (array as Float64Array).set(old as Float64Array);
    fillFrom(array, initial, old.length);
    table[name] = array;
  }
}

/** Empties a table, as if it were new; the room for its rows stays. */
export function clearTable<Row extends number, Specs extends ColumnSpecs>(
  definition: TableDefinition<Row, Specs>,
  table: Table<Row, Specs>,
): void {
  const { high } = table.rows;
  for (const name in definition.columns)
    (table[name] as unknown as Float64Array).fill(definition.columns[name]!.initial as never, 0, high);
  table.rows.clear();
}

/**
 * An independent copy: a memory copy of the rows in use, with a sixteenth more to grow, or as much as the source has.
 * Making room costs more than copying: memory is cleared first.
 *
 * @param spare a copy that is no longer used: it becomes this one if it has room
 */
export function copyTable<Row extends number, Specs extends ColumnSpecs>(
  definition: TableDefinition<Row, Specs>,
  source: Table<Row, Specs>,
  spare?: Table<Row, Specs>,
): Table<Row, Specs> {
  const { high, capacity } = source.rows;
  const fits = spare !== undefined && spare.rows.capacity >= high;
  const copy = fits ? spare : makeTable(definition, Math.min(capacity, high + (high >> 4) + 16), high);
  // Rows that only the spare had are as if they never had been.
  const stale = copy.rows.high;
  copyRows(source.rows, copy.rows);
  if (capacity <= WHOLE_MOST && copy.rows.capacity === capacity) {
    copy.rows.memory.set(source.rows.memory);
    return copy;
  }
  for (const name in definition.columns) {
    const to = copy[name] as unknown as AnyArray;
    copyArray(source[name] as unknown as AnyArray, to, high);
    if (stale > high) to.fill(definition.columns[name]!.initial as never, high, stale);
  }
  return copy;
}

/** Most rows of a table that is copied in one piece, with the initial values of the rows beyond those in use. */
const WHOLE_MOST = 64;

function copyRows<Row extends number>(from: Rows<Row>, to: Rows<Row>): void {
  to.high = from.high;
  to.count = from.count;
  to.freeHead = from.freeHead;
  copyArray(from.link, to.link, from.high);
}

/** Copies the first elements of an array of the same kind. A few of them are faster copied one by one. */
function copyArray(from: AnyArray, to: AnyArray, count: number): void {
  if (count > 32) (to as Float64Array).set((from as Float64Array).subarray(0, count));
  else for (let at = 0; at < count; at++) (to as Float64Array)[at] = (from as Float64Array)[at]!;
}

/** The typed arrays of a table with their names, in the order of its definition; for images. */
export function columnsOf<Row extends number, Specs extends ColumnSpecs>(
  definition: TableDefinition<Row, Specs>,
  table: Table<Row, Specs>,
): [string, AnyArray][] {
  return Object.keys(definition.columns).map((name) => [name, (table as Record<string, unknown>)[name] as AnyArray]);
}
