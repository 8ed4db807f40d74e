import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { importFiles } from "../../../../src/product/market-data/index.ts";
import { openParquet } from "../../../../src/product/market-data/parquet/openParquet.ts";
import { catchError, createFolder, expectError } from "../helpers.ts";
import {
  BYTE_ARRAY,
  bytes,
  type CraftedColumn,
  craft,
  DELTA_BINARY_PACKED,
  DELTA_BYTE_ARRAY,
  DELTA_LENGTH_BYTE_ARRAY,
  dictionaryPage,
  INT32,
  INT64,
  PLAIN,
  pageV1,
  pageV2,
  RLE_DICTIONARY,
  seal,
  struct,
  varint,
} from "./craft.ts";

const folder = createFolder();
let files = 0;

async function readAll(content: Uint8Array): Promise<string[][]> {
  files++;
  const name = `f${files}.parquet`;
  const opened = await openParquet(folder.write(name, content), name);
  const rows: string[][] = [];
  for await (const row of opened.rows(opened.names)) rows.push(row);
  return rows;
}

const ints = (...values: readonly number[]): Uint8Array => new Uint8Array(Int32Array.from(values).buffer);
const column = (type: number, ...pages: readonly Uint8Array[]): CraftedColumn => ({ name: "c", type, pages });
const nullable = (type: number, ...pages: readonly Uint8Array[]): CraftedColumn => ({
  ...column(type, ...pages),
  nullable: true,
});
const join = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
/** A run of packed bits that states a count of groups. */
const packedRun = (groups: number): Uint8Array => varint(groups * 2 + 1);
const levels = (...content: readonly number[]): Uint8Array => join(ints(content.length), bytes(...content));

test("crafted pages of both versions are read, with nulls and dictionaries", async () => {
  const dictionary = dictionaryPage(3, ints(7, 8, 9));
  // Width 2, one group of eight: 0 1 2 0 1 0 0 0.
  const packed = bytes(2, 3, 0b00100100, 0b00000001);
  expect(await readAll(craft(5, [column(INT32, dictionary, pageV1(5, RLE_DICTIONARY, packed))]))).toEqual([
    ["7"],
    ["8"],
    ["9"],
    ["7"],
    ["8"],
  ]);
  expect(await readAll(craft(5, [column(INT32, dictionary, pageV2(5, RLE_DICTIONARY, packed))]))).toEqual([
    ["7"],
    ["8"],
    ["9"],
    ["7"],
    ["8"],
  ]);
  // Levels 1 0 1: a group of eight bits.
  const some = join(levels(3, 0b101), ints(4, 5));
  expect(await readAll(craft(3, [nullable(INT32, pageV1(3, PLAIN, some))]))).toEqual([["4"], [""], ["5"]]);
  const someV2 = join(bytes(3, 0b101), ints(4, 5));
  expect(await readAll(craft(3, [nullable(INT32, pageV2(3, PLAIN, someV2, { nulls: 1, levels: 2 }))]))).toEqual([
    ["4"],
    [""],
    ["5"],
  ]);
  // Width 0: every value is the first, whether runs are there or not.
  for (const page of [bytes(0), bytes(0, 6), bytes(0, 3)]) {
    expect(await readAll(craft(3, [column(INT32, dictionary, pageV2(3, RLE_DICTIONARY, page))]))).toEqual([
      ["7"],
      ["7"],
      ["7"],
    ]);
  }
});

const DICTIONARY = dictionaryPage(2, ints(7, 8));
const indexes = (...content: readonly Uint8Array[]): CraftedColumn =>
  column(INT32, DICTIONARY, pageV2(4, RLE_DICTIONARY, join(...content)));
const deltas = (type: number, encoding: number, ...head: readonly Uint8Array[]): CraftedColumn =>
  column(type, pageV2(4, encoding, join(...head, bytes(0, 0, 0, 0, 0, 0))));

// Each of these made hyparquet loop without end, or for 2^30 steps and more, or take memory by what the file states.
const HOSTILE: readonly (readonly [what: string, column: CraftedColumn, reason: string])[] = [
  [
    "a run of 2^30 groups in no bits",
    indexes(bytes(0), packedRun(2 ** 30)),
    "a run states a number of more than 31 bits",
  ],
  [
    "a run of 2^29 groups in no bits",
    indexes(bytes(0), packedRun(2 ** 29)),
    "a run states 4294967296 values, and 4 are left",
  ],
  [
    "a run of 2^29 equal values",
    indexes(bytes(1), varint(2 ** 30), bytes(0)),
    "a run states 536870912 values, and 4 are left",
  ],
  ["packed groups beyond the page", indexes(bytes(2), packedRun(9), bytes(0)), "goes beyond the end of its page"],
  ["a run without a value", indexes(bytes(1), varint(8)), "goes beyond the end of its page"],
  ["values of 30 bits", indexes(bytes(30), packedRun(1), new Uint8Array(30)), "packs values into 30 bits"],
  [
    "a value that the dictionary lacks, packed",
    indexes(bytes(2), packedRun(1), bytes(0b10, 0)),
    "refers to value 2, and the last is 1",
  ],
  [
    "a value that the dictionary lacks, in a run",
    indexes(bytes(2), varint(8), bytes(3)),
    "refers to value 3, and the last is 1",
  ],
  [
    "a dictionary that is not there",
    column(INT32, pageV2(4, RLE_DICTIONARY, bytes(1, 8, 0))),
    "a dictionary that is not there",
  ],
  ["two dictionaries", column(INT32, DICTIONARY, DICTIONARY, pageV1(4, RLE_DICTIONARY, bytes(0))), "two dictionaries"],
  [
    "more values than rows",
    column(INT32, pageV1(2 ** 30, PLAIN, ints(1, 2, 3, 4))),
    "states 1073741824 values, and 4 rows",
  ],
  ["a negative count of values", column(INT32, pageV1(-1, PLAIN, ints(1, 2, 3, 4))), "states -1 values"],
  ["values that are not there", column(INT32, pageV1(4, PLAIN, ints(1, 2))), "states 4 values, and has 8 bytes"],
  ["a dictionary of 2^30 values", column(INT32, dictionaryPage(2 ** 30, ints(1))), "states 1073741824 values"],
  ["a page of a negative size", column(INT32, pageV2(4, PLAIN, ints(1), { packed: -9 })), "a page states -9 bytes"],
  [
    "a page that unpacks to 2 GB",
    column(INT32, pageV2(4, PLAIN, ints(1), { size: 2 ** 31 - 1 })),
    "a page states a size of 2147483647 bytes",
  ],
  ["levels beyond the page", nullable(INT32, pageV1(4, PLAIN, join(ints(-1), bytes(8, 1)))), "ends within its levels"],
  [
    "levels of which a run states 2^29",
    nullable(INT32, pageV1(4, PLAIN, join(ints(5), varint(2 ** 30), bytes(1)))),
    "a run states 536870912 values",
  ],
  [
    "a run of 2^29 levels",
    nullable(INT32, pageV1(4, PLAIN, join(ints(6), varint(2 ** 30), bytes(1), ints(1, 2)))),
    "a run states 536870912 values",
  ],
  [
    "levels in packed bits of the old kind",
    nullable(INT32, pageV1(4, PLAIN, levels(8, 1), 4)),
    "levels in encoding BIT_PACKED",
  ],
  [
    "levels of a column without nulls",
    column(INT32, pageV2(4, PLAIN, ints(1, 2, 3, 4), { levels: 2 })),
    "0 and 2 bytes of levels",
  ],
  [
    "rows that are not its values",
    column(INT32, pageV2(4, PLAIN, ints(1, 2, 3, 4), { rows: 3 })),
    "3 rows and 4 values",
  ],
  [
    "nulls that are not there",
    nullable(INT32, pageV2(4, PLAIN, join(bytes(8, 1), ints(1, 2, 3, 4)), { levels: 2, nulls: 1 })),
    "states 1 nulls, and has 0",
  ],
  ["deltas in -1 parts", deltas(INT32, DELTA_BINARY_PACKED, varint(128), varint(2 ** 32 - 1)), "more than 31 bits"],
  ["deltas in no parts", deltas(INT64, DELTA_BINARY_PACKED, varint(128), varint(0)), "blocks of 128 values in 0 parts"],
  ["blocks of no deltas", deltas(INT32, DELTA_BINARY_PACKED, varint(0), varint(4)), "blocks of 0 values in 4 parts"],
  ["deltas in 2^30 parts", deltas(INT64, DELTA_BINARY_PACKED, varint(2 ** 30), varint(2 ** 30)), "in 1073741824 parts"],
  [
    "texts of a negative length",
    column(BYTE_ARRAY, pageV2(1, DELTA_LENGTH_BYTE_ARRAY, join(varint(128), varint(4), varint(1), varint(5)))),
    "a negative length",
  ],
  [
    "texts beyond the page",
    column(BYTE_ARRAY, pageV2(1, DELTA_LENGTH_BYTE_ARRAY, join(varint(128), varint(4), varint(1), varint(2 ** 20)))),
    "states 524288 bytes of text",
  ],
  [
    "a text that shares 2^29 bytes with none",
    column(
      BYTE_ARRAY,
      pageV2(
        1,
        DELTA_BYTE_ARRAY,
        join(varint(128), varint(4), varint(1), varint(2 ** 30), varint(128), varint(4), varint(1), varint(0)),
      ),
    ),
    "shares 536870912 bytes with one of 0",
  ],
  ["deltas of texts", column(BYTE_ARRAY, pageV2(1, DELTA_BINARY_PACKED, bytes(1))), "which is not for BYTE_ARRAY"],
  ["an unknown encoding", column(INT32, pageV2(4, 99, bytes(1))), "which is not read"],
  ["fewer values than rows", column(INT32, pageV1(3, PLAIN, ints(1, 2, 3))), "it has 3 values, and its group 4 rows"],
];

test.each(HOSTILE)("%s is an error with column and byte", async (_, crafted, reason) => {
  const rows = crafted.type === BYTE_ARRAY ? 1 : 4;
  const error = await catchError(readAll(craft(rows, [crafted])));
  expect(error.code).toBe("PARQUET_CORRUPT");
  expect(error.message).toContain(reason);
  expect(error.column).toBe("c");
  expect(error.offset).toBeGreaterThanOrEqual(4);
  expect(error.hint).toBe("fetch or write the file again");
});

test("the crafted page that made an import hang ends it with an error, and no tape is left", async () => {
  const sources = [
    { path: folder.write("hang.parquet", craft(4, [indexes(bytes(0), packedRun(2 ** 30))])), market: "M" },
  ];
  const out = folder.path("hang.tape");
  await expectError(importFiles({ sources, out }), { code: "PARQUET_CORRUPT", file: "hang.parquet", column: "c" });
  expect(existsSync(out)).toBe(false);
});

const ROW = [column(INT32, pageV1(1, PLAIN, ints(1)))];

test("an index that states more than it has is refused before anything is made of it", async () => {
  const mark = new Uint8Array(Buffer.from("PAR1"));
  const footers: readonly (readonly [Uint8Array, string])[] = [
    // A number of 2^20 bytes takes quadratic time where it is read as one.
    [join(bytes(0x16), new Uint8Array(2 ** 20).fill(0x80)), "a number of more than 64 bits"],
    [join(bytes(0x19, 0xf5), varint(2 ** 31 - 1)), "a list of 2147483647 elements"],
    [join(bytes(0x18), varint(2 ** 31)), "states 2147483648 bytes"],
    [new Uint8Array(100_000).fill(0x1c), "nests too deep"],
    [join(bytes(0x19), new Uint8Array(100_000).fill(0x19)), "nests too deep"],
    [bytes(0x1e, 0), "a field of unknown type 14"],
    [bytes(0x15), "ends too early"],
  ];
  for (const [footer, reason] of footers) {
    const error = await catchError(readAll(seal(mark, footer)));
    expect([error.code, error.message]).toEqual(["PARQUET_CORRUPT", expect.stringContaining(reason)]);
  }
  expect(await readAll(craft(1, ROW))).toEqual([["1"]]);
});

test("a column that is twice in a row group, and one of another type than its schema, are errors", async () => {
  const twice = await catchError(readAll(craft(1, [...ROW, ...ROW])));
  expect(twice.message).toContain("column c 2 times");
  // The same bytes as an index of another type for the chunk: the schema is the first to state one.
  const other = craft(1, ROW);
  const text = Buffer.from(other).toString("latin1");
  const chunk = text.lastIndexOf(String.fromCharCode(0x15, 2, 0x19, 0x15, 0));
  expect(chunk).toBeGreaterThan(0);
  other[chunk + 1] = 4;
  const error = await catchError(readAll(other));
  expect(error.message).toContain("a column of INT32 has values of INT64");
});

test("a page that differs from its checksum is an error", async () => {
  const page = (crc: number) =>
    join(
      struct(
        [1, "i32", 0],
        [2, "i32", 4],
        [3, "i32", 4],
        [4, "i32", crc],
        [
          5,
          "struct",
          [
            [1, "i32", 1],
            [2, "i32", PLAIN],
            [3, "i32", 3],
            [4, "i32", 3],
          ],
        ],
      ),
      ints(5),
    );
  const { crc32 } = await import("node:zlib");
  const right = crc32(ints(5)) | 0;
  expect(await readAll(craft(1, [column(INT32, page(right))]))).toEqual([["5"]]);
  const error = await catchError(readAll(craft(1, [column(INT32, page(right ^ 1))])));
  expect(error.message).toContain("differs from its checksum");
});
