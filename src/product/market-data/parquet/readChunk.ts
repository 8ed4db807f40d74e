/** The values of a column within a row group. Each page is checked before hyparquet decodes it. */
import { crc32 } from "node:zlib";
import type { ColumnMetaData, DataPageHeader, DecodedArray, PageHeader, SchemaElement, SchemaTree } from "hyparquet";
import { parquetHeader, readPage } from "hyparquet/src/column.js";
import { convert, DEFAULT_PARSERS } from "hyparquet/src/convert.js";
import { checkDictionary, checkPage, isNullable } from "./checkPage.ts";
import { unpack } from "./codecs.ts";
import { PageFault } from "./pageFault.ts";
import { checkStruct } from "./thrift.ts";

/** Nanoseconds since 1970 of an INT96 stay a number. */
const PARSERS = { ...DEFAULT_PARSERS, timestampFromNanoseconds: (time: bigint) => time as unknown as Date };

type ColumnDecoder = Parameters<typeof readPage>[2];

export interface Chunk {
  /** The schema's element of the column, as its values are stored. */
  readonly element: SchemaElement;
  readonly meta: ColumnMetaData;
  readonly bytes: Uint8Array;
  /** Byte of the file at which the chunk begins. */
  readonly offset: number;
  /** Rows of the group. */
  readonly rows: number;
}

/**
 * The first `want` values of a chunk, as they are stored; a null is `undefined` or `null`.
 *
 * @throws {PageFault} with the column and the page's place
 */
export function readChunk(chunk: Chunk, want: number): unknown[] {
  const { element, meta, bytes, rows } = chunk;
  const decoder = createDecoder(element);
  const values = new Array<unknown>(want);
  let count = 0;
  let dictionary: DecodedArray | undefined;
  let at = 0;
  while (count < want) {
    const start = at;
    try {
      if (meta.type !== element.type) throw new PageFault(`a column of ${element.type} has values of ${meta.type}`);
      if (start >= bytes.length) throw new PageFault(`it has ${count} values, and its group ${rows} rows`);
      const [header, from] = readHeader(bytes, start);
      const packed = bytes.subarray(from, from + header.compressed_page_size);
      checkSum(header, packed);
      at = from + header.compressed_page_size;
      const column = { element, type: meta.type, dictionary: dictionary?.length };
      if (header.type === "INDEX_PAGE") continue;
      if (header.type === "DICTIONARY_PAGE") {
        const page = unpack(meta.codec, packed, header.uncompressed_page_size);
        checkDictionary(page, header.dictionary_page_header?.num_values ?? -1, column, rows);
        dictionary = convert(decode(page, header, decoder, undefined), decoder);
        continue;
      }
      const [page, facts] = dataPage(header, packed, meta.codec, isNullable(column));
      const nulls = checkPage(page, facts, column, rows - count);
      checkCounts(header, nulls);
      const found = decode(page, { ...header, type: "DATA_PAGE", data_page_header: facts }, decoder, dictionary);
      if (found.length !== facts.num_values) {
        throw new PageFault(`a page states ${facts.num_values} values, and has ${found.length}`);
      }
      const taken = Math.min(found.length, want - count);
      for (let index = 0; index < taken; index++) values[count + index] = found[index];
      count += taken;
    } catch (error) {
      // hyparquet's own errors: a read beyond the page, a value that is no text, …
      const { message } = error as Error;
      throw new PageFault(message, { column: element.name, offset: chunk.offset + start, cause: error });
    }
  }
  return values;
}

function createDecoder(element: SchemaElement): ColumnDecoder {
  const leaf: SchemaTree = { count: 1, element, children: [], path: [element.name] };
  const root: SchemaTree = { count: 2, element: { name: "root", num_children: 1 }, children: [leaf], path: [] };
  return {
    pathInSchema: [element.name],
    type: element.type!,
    element,
    schemaPath: [root, leaf],
    codec: "UNCOMPRESSED",
    parsers: PARSERS,
    utf8: false,
  };
}

/** A page's header, and the byte after it. */
function readHeader(bytes: Uint8Array, start: number): readonly [PageHeader, end: number] {
  const end = checkStruct(bytes, start);
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, end), offset: start };
  const header = parquetHeader(reader);
  const { compressed_page_size: packed, uncompressed_page_size: unpacked } = header;
  if (!(packed >= 0 && packed <= bytes.length - end && unpacked >= 0)) {
    throw new PageFault(`a page states ${packed} bytes, and its column has ${bytes.length - end} more`);
  }
  return [header, end];
}

/** A page may have a checksum of its packed bytes. */
function checkSum({ crc }: PageHeader, packed: Uint8Array): void {
  if (crc !== undefined && crc >>> 0 !== crc32(packed)) throw new PageFault("a page differs from its checksum");
}

/** Version 2 states its rows and nulls as well. */
function checkCounts({ data_page_header_v2: facts }: PageHeader, nulls: number): void {
  if (facts === undefined) return;
  const { num_values: values, num_rows: rows, num_nulls: stated } = facts;
  if (rows !== values) throw new PageFault(`a page has ${rows} rows and ${values} values`);
  if (stated !== nulls) throw new PageFault(`a page states ${stated} nulls, and has ${nulls}`);
}

/** The content of a page as version 1 has it: a length and the levels, then the values. */
function dataPage(
  header: PageHeader,
  packed: Uint8Array,
  codec: string,
  hasLevels: boolean,
): readonly [page: Uint8Array, DataPageHeader] {
  const { uncompressed_page_size: size, data_page_header: first, data_page_header_v2: second } = header;
  if (header.type === "DATA_PAGE" && first !== undefined) return [unpack(codec, packed, size), first];
  if (header.type !== "DATA_PAGE_V2" || second === undefined) {
    throw new PageFault(`a page is of type ${header.type}, which is not read`);
  }
  const { repetition_levels_byte_length: repetitions, definition_levels_byte_length: levels } = second;
  if (repetitions !== 0 || !(levels >= 0 && levels <= Math.min(packed.length, size)) || (levels > 0 && !hasLevels)) {
    throw new PageFault(`a page states ${repetitions} and ${levels} bytes of levels`);
  }
  const isPacked = second.is_compressed !== false;
  const values = unpack(isPacked ? codec : "UNCOMPRESSED", packed.subarray(levels), size - levels);
  const facts: DataPageHeader = {
    num_values: second.num_values,
    encoding: second.encoding,
    definition_level_encoding: "RLE",
    repetition_level_encoding: "RLE",
  };
  if (!hasLevels) return [values, facts];
  const page = new Uint8Array(4 + levels + values.length);
  new DataView(page.buffer).setUint32(0, levels, true);
  page.set(packed.subarray(0, levels), 4);
  page.set(values, 4 + levels);
  return [page, facts];
}

/** What hyparquet makes of a page that was checked. */
function decode(
  page: Uint8Array,
  header: PageHeader,
  decoder: ColumnDecoder,
  dictionary: DecodedArray | undefined,
): DecodedArray {
  const reader = { view: new DataView(page.buffer, page.byteOffset, page.length), offset: 0 };
  const size = { compressed_page_size: page.length, uncompressed_page_size: page.length };
  return readPage(reader, { ...header, ...size }, decoder, dictionary, undefined, 0).data ?? [];
}
