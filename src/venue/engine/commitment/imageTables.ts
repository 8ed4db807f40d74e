import type { ByteReader } from "../../../ground/collections/byteReader.ts";
import type { ByteWriter } from "../../../ground/collections/byteWriter.ts";
import {
  type ColumnSpecs,
  columnsOf,
  type Rows,
  type Table,
  type TableDefinition,
} from "../../../ground/collections/table.ts";
import {
  accountTable,
  authorizationTable,
  extraTable,
  intentTable,
  laneTable,
  marketTable,
  orderTable,
  ownerTable,
  positionTable,
  sourceTable,
  volumeTable,
} from "../state/schema.ts";
import type { State } from "../state/state.ts";

type ColumnArray = Int8Array | Uint8Array | Int32Array | Float64Array | BigInt64Array;

/** Derived columns, rebuilt on restore and not stored: liquidation triggers, the watch list. */
const REBUILT: Readonly<Record<string, readonly string[]>> = {
  account: ["dirty"],
  position: ["trigger", "heapPlace"],
};

/** A column is one value for all rows, or a value for each. */
const SAME = 0;
const EACH = 1;

/** A table as an image has it. */
export interface ImageTable {
  readonly rows: Rows<number>;
  /** In the order of the definition; after growth they are others, so they are asked for. */
  columns(): ColumnArray[];
}

/** The tables of a venue in the order in which an image has them. */
export function listTables(state: State): ImageTable[] {
  return [
    imageOf(ownerTable, state.owners),
    imageOf(accountTable, state.accounts),
    imageOf(positionTable, state.positions),
    imageOf(orderTable, state.orders),
    imageOf(extraTable, state.extras),
    imageOf(intentTable, state.intents),
    imageOf(volumeTable, state.volumes),
    imageOf(marketTable, state.markets),
    imageOf(authorizationTable, state.authorizations),
    imageOf(laneTable, state.lanes),
    imageOf(ownerTable, state.agents),
    imageOf(sourceTable, state.sources),
  ];
}

function imageOf<Row extends number, Specs extends ColumnSpecs>(
  definition: TableDefinition<Row, Specs>,
  table: Table<Row, Specs>,
): ImageTable {
  const left = REBUILT[definition.name] ?? [];
  return {
    rows: table.rows as Rows<number>,
    columns: () => listStored(columnsOf(definition, table), left),
  };
}

/** @param left names of columns that are not stored */
function listStored(columns: readonly [string, ColumnArray][], left: readonly string[]): ColumnArray[] {
  const stored: ColumnArray[] = [];
  for (const [name, column] of columns) if (!left.includes(name)) stored.push(column);
  return stored;
}

/** Plan of a table's image: its columns, and which of them have the same value in every row. */
export interface TablePlan {
  readonly rows: Rows<number>;
  readonly columns: readonly { readonly column: ColumnArray; readonly kind: number }[];
  /** Its size in the image, in bytes. */
  readonly bytes: number;
}

/** Bytes of a table's head, and of a column's: its kind and the length of its content. */
const TABLE_HEAD = 16;
const COLUMN_HEAD = 5;

/**
 * Finds the columns with one value in all rows. These are most columns of a venue, since few accounts wait for
 * liquidation, few positions are isolated. Cost: a comparison per row for such a column, next to nothing for the
 * others.
 */
export function planTable({ rows, columns }: ImageTable): TablePlan {
  const planned: { readonly column: ColumnArray; readonly kind: number }[] = [];
  let bytes = TABLE_HEAD;
  for (const column of [rows.link, ...columns()]) {
    const kind = isSame(column, rows.high) ? SAME : EACH;
    planned.push({ column, kind });
    bytes += COLUMN_HEAD + column.BYTES_PER_ELEMENT * (kind === SAME ? 1 : rows.high);
  }
  return { rows, columns: planned, bytes };
}

/** Rows with what they are handed out by, then each column. An empty table has no columns. */
export function writeTable(out: ByteWriter, { rows, columns }: TablePlan): void {
  out.u32(rows.high);
  out.u32(rows.count);
  out.f64(rows.freeHead);
  if (rows.high === 0) return;
  for (const { column, kind } of columns) {
    out.u8(kind);
    const count = kind === SAME ? 1 : rows.high;
    out.blob(new Uint8Array(column.buffer, column.byteOffset, count * column.BYTES_PER_ELEMENT));
  }
}

/** Reads a table into the fresh one of a venue. */
export function readTable(input: ByteReader, { rows, columns }: ImageTable): void {
  const high = input.u32();
  rows.reserve(high);
  rows.high = high;
  rows.count = input.u32();
  rows.freeHead = input.f64();
  if (high === 0) return;
  for (const column of [rows.link, ...columns()]) readColumn(input, column, high);
}

function readColumn(input: ByteReader, column: ColumnArray, high: number): void {
  const kind = input.u8();
  const bytes = input.blob();
  const count = kind === SAME ? 1 : high;
  if (kind > EACH || bytes.length !== count * column.BYTES_PER_ELEMENT) {
    throw new Error(`a column of kind ${kind} with ${bytes.length} bytes for ${high} rows`);
  }
  new Uint8Array(column.buffer, column.byteOffset, bytes.length).set(bytes);
  if (kind === SAME) (column as Float64Array).fill(column[0] as number, 1, high);
}

/** Whether the first `high` values are one. Zero and minus zero are one: no stored number is minus zero (NUM-1). */
function isSame(column: ColumnArray, high: number): boolean {
  const values = column as Float64Array;
  const first = values[0];
  let row = 1;
  // Four at a time: the loop is all that a column costs that is left out.
  for (const end = high - 3; row < end; row += 4) {
    if (values[row] !== first || values[row + 1] !== first) return false;
    if (values[row + 2] !== first || values[row + 3] !== first) return false;
  }
  for (; row < high; row++) if (values[row] !== first) return false;
  return true;
}
