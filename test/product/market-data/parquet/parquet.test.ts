import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { parquetWriteBuffer } from "hyparquet-writer";
import { expect, test } from "vitest";
import { draftMappingFile, EventKind, importFiles, readSources } from "../../../../src/product/market-data/index.ts";
import { EVENT_TABLE, readEventRow } from "../../../../src/product/market-data/select/eventTable.ts";
import { openTable } from "../../../../src/product/tables/openTable.ts";
import { collect, createFolder, expectError, lines } from "../helpers.ts";

const folder = createFolder();
const T = 1_704_067_200_000;
const HOUR = 3_600_000;
let files = 0;

type WriteOptions = Parameters<typeof parquetWriteBuffer>[0];
type Columns = WriteOptions["columnData"];

const pack = (columnData: Columns, options: Partial<WriteOptions> = {}): Uint8Array =>
  new Uint8Array(parquetWriteBuffer({ columnData, ...options }));

async function read(content: Uint8Array, mapping?: string) {
  files++;
  const path = folder.write(`M${files}.parquet`, content);
  const layout = mapping === undefined ? {} : { layout: folder.write(`M${files}.yaml`, mapping) };
  const source = await readSources({ sources: [{ path, market: "M", ...layout }] });
  return { source, events: await collect(source) };
}

const times = [1, 2, 3].map((hour) => BigInt(T + hour * HOUR));
const BARS: Columns = [
  { name: "timestamp", data: times, type: "INT64" },
  { name: "open", data: [100.1, 100.2, 0.3], type: "DOUBLE" },
  { name: "high", data: [101, 101, 101], type: "DOUBLE" },
  { name: "low", data: [1e-7, 0.1, 0.3], type: "DOUBLE" },
  { name: "close", data: [100, 100.5, 0.3], type: "DOUBLE" },
  { name: "volume", data: [1, 2.5, 1234567.125], type: "DOUBLE" },
];

test("bars in Parquet need no mapping, and doubles are read as their shortest text", async () => {
  const { source, events } = await read(pack(BARS));
  expect(source.manifest.sources[0]).toMatchObject({ layout: "ohlcv", dialect: "parquet", rows: 3, events: 3 });
  expect(source.manifest.sources[0]!.sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(events.map(({ open, low, size }) => [open, low, size])).toEqual([
    [100_1000_0000, 10, 1_0000_0000],
    [100_2000_0000, 1000_0000, 2_5000_0000],
    [3000_0000, 3000_0000, 1_234_567_1250_0000],
  ]);
  expect(events[0]).toMatchObject({ kind: EventKind.bar, timeMs: T + 2 * HOUR, intervalMs: HOUR });
});

test.each([
  ["UNCOMPRESSED", undefined],
  ["SNAPPY", undefined],
  ["GZIP", gzipSync],
  ["BROTLI", brotliCompressSync],
  ["ZSTD", zstdCompressSync],
] as const)("pages that are packed with %s are read, over several row groups", async (codec, compress) => {
  const compressors =
    compress === undefined ? {} : { compressors: { [codec]: (bytes: Uint8Array) => compress(bytes) } };
  const { events } = await read(pack(BARS, { codec, rowGroupSize: 2, ...compressors }));
  expect(events.map(({ timeMs }) => timeMs)).toEqual([2, 3, 4].map((hour) => T + hour * HOUR));
});

test("a known layout is found by the names of its columns", async () => {
  const content = pack([
    { name: "id", data: [5n, 6n], type: "INT64" },
    { name: "price", data: ["100.5", "101"], type: "STRING" },
    { name: "qty", data: ["2", "0.001"], type: "STRING" },
    { name: "quote_qty", data: ["201", "0"], type: "STRING" },
    { name: "time", data: [BigInt(T), BigInt(T + 1)], type: "INT64" },
    { name: "is_buyer_maker", data: [true, false], type: "BOOLEAN" },
  ]);
  const { source, events } = await read(content);
  expect(source.manifest.sources[0]!.layout).toBe("trades");
  expect(events.map(({ id, side, price, size }) => [id, side, price, size])).toEqual([
    [5, -1, 100_5000_0000, 2_0000_0000],
    [6, 1, 101_0000_0000, 10_0000],
  ]);
});

const TRADES = `
mapping: trades
header: true
time: { column: t, unit: ms }
streams: [{ kind: trades, price: p, size: q }]
`;

test("decimals, 32-bit floats, days, nulls and times without a zone are read exactly", async () => {
  const schema = [
    { name: "root", num_children: 4 },
    {
      name: "t",
      type: "INT64",
      repetition_type: "REQUIRED",
      logical_type: { type: "TIMESTAMP", isAdjustedToUTC: false, unit: "MILLIS" },
    },
    { name: "p", type: "INT64", converted_type: "DECIMAL", precision: 18, scale: 8, repetition_type: "REQUIRED" },
    { name: "q", type: "FLOAT", repetition_type: "OPTIONAL" },
    { name: "day", type: "INT32", converted_type: "DATE", repetition_type: "REQUIRED" },
  ] as NonNullable<WriteOptions["schema"]>;
  const content = pack(
    [
      { name: "t", data: [BigInt(T), BigInt(T + 1), BigInt(T + 2)] },
      { name: "p", data: [8_999_999_999_999_999n, 1n, 123_4567_8901n] as never },
      { name: "q", data: [0.1, null, 16777216] as never },
      { name: "day", data: [19_723, 19_723, 19_723] },
    ],
    { schema },
  );
  const { source, events } = await read(content, TRADES.replace("price: p", "skipEmpty: true, price: p"));
  expect(events.map(({ price, size }) => [price, size])).toEqual([
    [8_999_999_999_999_999, 1000_0000],
    [123_4567_8901, 1_677_721_600_000_000],
  ]);
  expect(source.manifest.quality.findings.map(({ kind }) => kind)).toContain("nullRow");
  expect(source.manifest.sources[0]!.notes).toEqual(["Times in column t have no zone; UTC is assumed."]);
  const dated = await read(
    content,
    TRADES.replace("{ column: t, unit: ms }", "{ column: day, unit: iso, zone: UTC }").replace(
      "size: q",
      'size: { constant: "1" }',
    ),
  );
  expect(dated.events.map(({ timeMs }) => timeMs)).toEqual([T, T, T]);
});

// Goal: what a tape exports is what a tape imports, number by number.
test("events that were exported to Parquet are read back as they were", async () => {
  const rows = [
    "t,p,q,s,i",
    ...Array.from(
      { length: 500 },
      (_, id) => `${T + id},${100 + id / 1000},${(id + 1) / 1e6},${id % 2 === 0 ? "b" : "s"},${id + 7}`,
    ),
  ];
  const mapping = folder.write(
    "from.yaml",
    "mapping: m\nheader: true\nexponents: true\ntime: { column: t, unit: ms }\nstreams:\n  - { kind: trades, price: p, size: q, side: { column: s, buy: [b], sell: [s] }, id: { column: i, rule: contiguous } }\n",
  );
  const first = await readSources({
    sources: [{ path: folder.write("from.csv", lines(...rows)), layout: mapping, market: "M" }],
  });
  const path = folder.path("events.parquet");
  const table = await openTable(path, EVENT_TABLE);
  for await (const chunk of first.chunks())
    for (let row = 0; row < chunk.count; row++) table.write(readEventRow(chunk, row, ["M"], String));
  table.close();
  table.publish();
  const back = `
mapping: back
header: true
where: { kind: trade }
time: { column: time, unit: ms }
streams:
  - { kind: trades, price: price, size: size, side: { column: side, buy: [buy], sell: [sell] }, id: { column: id, rule: contiguous } }
`;
  const { events } = await read(readFileSync(path), back);
  expect(events).toEqual(await collect(first));
  expect(events).toHaveLength(500);
});

test("a fault in a row has its number and its column, and a draft reads the file", async () => {
  const content = pack([
    { name: "time", data: [BigInt(T), BigInt(T + 1)], type: "INT64" },
    { name: "price", data: [1.5, -2], type: "DOUBLE" },
    { name: "amount", data: [1, 1], type: "DOUBLE" },
  ]);
  const mapping = TRADES.replace("column: t", "column: time").replace(
    "price: p, size: q",
    "price: price, size: amount",
  );
  await expectError(read(content, mapping), { code: "DATA_MALFORMED", line: 2, column: "price" });
  const path = folder.write("draft.parquet", content);
  expect((await draftMappingFile(path)).mapping).toMatchObject({
    header: true,
    streams: [{ kind: "trades", price: "price" }],
  });
});

test("what is no column of single values is not offered, and a mapping of lines does not read Parquet", async () => {
  const content = pack([
    { name: "t", data: [BigInt(T)], type: "INT64" },
    { name: "p", data: [[1, 2]] as never },
  ]);
  const error = await expectError(read(content, TRADES), { code: "DATA_LAYOUT" });
  expect(error.message).toContain("the columns are t");
  for (const wrong of ["skipLines: 1", 'separator: ";"']) {
    await expectError(read(content, `${TRADES}${wrong}\n`), { code: "MAPPING_INVALID" });
  }
  const noHeader = TRADES.replace("header: true", "header: false\ncolumns: 3")
    .replace("column: t", "column: 1")
    .replace("price: p, size: q", "price: 2, size: 3");
  await expectError(read(content, noHeader), { code: "MAPPING_INVALID" });
});

test("a file that is cut off, has no rows, or states more than it has is an error, and no tape is left", async () => {
  const content = pack(BARS, { codec: "UNCOMPRESSED" });
  for (const end of [4, 11, 50, content.length - 9, content.length - 1]) {
    await expectError(read(content.subarray(0, end)), { code: "PARQUET_CORRUPT" });
  }
  await expectError(read(pack(BARS.map((column) => ({ ...column, data: [] }) as Columns[number]))), {
    code: "DATA_EMPTY",
  });
  const long = Uint8Array.from(content);
  new DataView(long.buffer).setUint32(long.length - 8, 0x7fffffff, true);
  await expectError(read(long), { code: "PARQUET_CORRUPT" });
  const out = folder.path("none.tape");
  const sources = [{ path: folder.write("cut.parquet", content.subarray(0, -1)), market: "M" }];
  await expectError(importFiles({ sources, out }), { code: "PARQUET_CORRUPT", file: "cut.parquet" });
});
