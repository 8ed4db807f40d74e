/**
 * Checks a page's header and values before hyparquet decodes them: its loops and arrays are then bounded by the rows of
 * the group.
 */
import type { DataPageHeader, ParquetType, SchemaElement } from "hyparquet";
import { checkDeltas, checkLengths, checkPrefixes } from "./deltas.ts";
import { PageFault } from "./pageFault.ts";
import { checkRuns } from "./runs.ts";

/** The column of a page. */
export interface PageColumn {
  readonly element: SchemaElement;
  readonly type: ParquetType;
  /** Values of the dictionary page; `undefined` before one. */
  readonly dictionary: number | undefined;
}

/** The bytes that a value takes at least, in bits. */
const PLAIN_BITS: Partial<Record<ParquetType, number>> = {
  BOOLEAN: 1,
  INT32: 32,
  INT64: 64,
  INT96: 96,
  FLOAT: 32,
  DOUBLE: 64,
  BYTE_ARRAY: 32,
};

/**
 * A page of version 1: levels and values, unpacked together.
 *
 * @param rows rows of the group that are left
 * @returns how many of the values are null
 * @throws {PageFault} for a page that states more than it has, or has an encoding that is not read
 */
export function checkPage(page: Uint8Array, header: DataPageHeader, column: PageColumn, rows: number): number {
  const { num_values: values, encoding } = header;
  checkCount(values, rows);
  let at = 0;
  let nulls = 0;
  if (isNullable(column)) {
    if (header.definition_level_encoding !== "RLE") {
      throw new PageFault(`a page has levels in encoding ${header.definition_level_encoding}`);
    }
    if (page.length < 4) throw new PageFault("a page ends within its levels");
    const size = new DataView(page.buffer, page.byteOffset, 4).getUint32(0, true);
    at = 4 + size;
    if (at > page.length) throw new PageFault("a page ends within its levels");
    nulls = values - checkRuns(page.subarray(0, at), 4, 1, values, 1).ones;
  }
  checkValues(page, at, values - nulls, encoding, column);
  return nulls;
}

/** The values of a dictionary. */
export function checkDictionary(page: Uint8Array, values: number, column: PageColumn, rowsMax: number): void {
  if (column.dictionary !== undefined) throw new PageFault("a column has two dictionaries");
  checkCount(values, rowsMax);
  checkPlain(page, 0, values, column);
}

/** Whether a page of the column has levels: those of lists and structures are not read. */
export const isNullable = ({ element }: Pick<PageColumn, "element">): boolean => element.repetition_type !== "REQUIRED";

function checkCount(values: number, rows: number): void {
  if (!Number.isSafeInteger(values) || values < 0 || values > rows) {
    throw new PageFault(`a page states ${values} values, and ${rows} rows are left in its group`);
  }
}

function checkValues(page: Uint8Array, at: number, count: number, encoding: string, column: PageColumn): void {
  if (count === 0) return;
  const { type } = column;
  switch (encoding) {
    case "PLAIN":
      checkPlain(page, at, count, column);
      break;
    case "BYTE_STREAM_SPLIT":
      if (type === "BOOLEAN" || type === "BYTE_ARRAY" || type === "INT96") throw unfit(encoding, type);
      checkPlain(page, at, count, column);
      break;
    case "PLAIN_DICTIONARY":
    case "RLE_DICTIONARY": {
      if (type === "BOOLEAN") throw unfit(encoding, type);
      if (column.dictionary === undefined) throw new PageFault("a page refers to a dictionary that is not there");
      if (at >= page.length) throw new PageFault("a page ends before its values");
      const width = page[at]!;
      // All values are the first where the width is 0, and hyparquet needs no runs then.
      if (width > 0 || at + 1 < page.length) checkRuns(page, at + 1, width, count, column.dictionary - 1);
      else if (column.dictionary === 0) throw new PageFault("a page refers to an empty dictionary");
      break;
    }
    case "RLE":
      if (type !== "BOOLEAN") throw unfit(encoding, type);
      checkRuns(page, at + 4, 1, count, 1);
      break;
    case "DELTA_BINARY_PACKED":
      if (type !== "INT32" && type !== "INT64") throw unfit(encoding, type);
      checkDeltas(page, at);
      break;
    case "DELTA_LENGTH_BYTE_ARRAY":
      if (type !== "BYTE_ARRAY") throw unfit(encoding, type);
      checkLengths(page, at, count);
      break;
    case "DELTA_BYTE_ARRAY":
      if (type !== "BYTE_ARRAY" && type !== "FIXED_LEN_BYTE_ARRAY") throw unfit(encoding, type);
      checkPrefixes(page, at, count);
      break;
    default:
      throw new PageFault(`a page has encoding ${encoding}, which is not read`);
  }
}

const unfit = (encoding: string, type: string): PageFault =>
  new PageFault(`a page has encoding ${encoding}, which is not for ${type}`);

function checkPlain(page: Uint8Array, at: number, count: number, { type, element }: PageColumn): void {
  const bits = type === "FIXED_LEN_BYTE_ARRAY" ? (element.type_length ?? 0) * 8 : PLAIN_BITS[type];
  if (bits === undefined || !(bits > 0)) throw new PageFault(`a column has values of ${bits} bits`);
  if (Math.ceil((count * bits) / 8) > page.length - at) {
    throw new PageFault(`a page states ${count} values, and has ${page.length - at} bytes of them`);
  }
}
