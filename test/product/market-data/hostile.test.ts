import { existsSync, readdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { parquetWriteBuffer } from "hyparquet-writer";
import { expect, test } from "vitest";
import { importFiles, isDataError, openTape } from "../../../src/product/market-data/index.ts";
import { packLz4 } from "./files/packLz4.ts";
import { createFolder, lines, QUOTES } from "./helpers.ts";

const folder = createFolder();
const T = 1_704_067_200_000;
const ROWS = Array.from({ length: 60 }, (_, at) => at);

const CSV = lines(
  "id,price,qty,quote_qty,time,is_buyer_maker",
  ...ROWS.map((at) => `${at + 1},${100 + at / 10},1.5,150,${T + at * 7},${at % 3 === 0}`),
);
const QUOTED = CSV.split("\n")
  .map((line) =>
    line
      .split(",")
      .map((cell) => (cell === "" ? cell : `"${cell}"`))
      .join(","),
  )
  .join("\n");
const JSON_TRADES = ROWS.map((at) => ({
  time: T + at * 7,
  price: `${100 + at / 10}`,
  size: 1.5,
  side: at % 3 === 0 ? "b" : "s",
  more: { deep: [1, "x", null] },
}));
const MAPPING = (json: string) => `
mapping: hostile
${json}
time: { column: time, unit: ms }
streams: [{ kind: trades, price: price, size: size, side: { column: side, buy: [b], sell: [s] } }]
`;
const TRADES = MAPPING("header: true");
const book = (at: number) =>
  JSON.stringify({
    topic: "orderbook.500.BTCUSDT",
    type: at % 20 === 0 ? "snapshot" : "delta",
    ts: T + at * 7,
    cts: T + at * 7,
    data: {
      s: "BTCUSDT",
      b: [[`${100 - at}`, "1"]],
      a: [
        [`${200 + at}`, "2"],
        [`${300 + at}`, "0"],
      ],
      u: at + 1,
      seq: at,
    },
  });
const PARQUET = new Uint8Array(
  parquetWriteBuffer({
    columnData: [
      { name: "id", data: ROWS.map((at) => BigInt(at + 1)), type: "INT64" },
      { name: "price", data: ROWS.map((at) => 100 + at / 10), type: "DOUBLE" },
      { name: "qty", data: ROWS.map(() => "1.5"), type: "STRING" },
      { name: "quote_qty", data: ROWS.map(() => 150), type: "DOUBLE" },
      { name: "time", data: ROWS.map((at) => BigInt(T + at * 7)), type: "INT64" },
      { name: "is_buyer_maker", data: ROWS.map((at) => at % 3 === 0), type: "BOOLEAN" },
    ],
    rowGroupSize: 25,
  }),
);
/** The encodings that the first file does not have, with nulls. */
const PARQUET_ENCODED = new Uint8Array(
  parquetWriteBuffer({
    codec: "UNCOMPRESSED",
    pageSize: 100,
    columnData: [
      { name: "time", data: ROWS.map((at) => BigInt(T + at * 7)), type: "INT64", encoding: "DELTA_BINARY_PACKED" },
      { name: "price", data: ROWS.map((at) => 100 + at / 10), type: "DOUBLE", encoding: "BYTE_STREAM_SPLIT" },
      { name: "size", data: ROWS.map((at) => `${1 + (at % 3)}`), type: "STRING", encoding: "DELTA_BYTE_ARRAY" },
      { name: "side", data: ROWS.map((at) => (at % 3 === 0 ? "b" : "s")), type: "STRING", nullable: true },
      { name: "id", data: ROWS.map((at) => `${at}`), type: "STRING", encoding: "DELTA_LENGTH_BYTE_ARRAY" },
    ],
  }),
);
const quotes = lines("t,u,bp,bq,ap,aq", ...ROWS.map((at) => `${T + at},${at},${100 - at / 10},1,${101 + at / 10},2`));

const date = (at: number) => new Date(T + at * 60_000).toISOString().slice(0, 19).replace("T", " ");
const METRICS = lines(
  "create_time,symbol,sum_open_interest,sum_open_interest_value,count_toptrader_long_short_ratio,sum_toptrader_long_short_ratio,count_long_short_ratio,sum_taker_long_short_vol_ratio",
  ...ROWS.map((at) => `${date(at * 5)},BTCUSDT,${80_000 + at}.0630000000000000,4563214569.123456789012,1.2,,1.4,0.9`),
);
const BOOK_DEPTH = lines(
  "timestamp,percentage,depth,notional",
  ...ROWS.map((at) => `${date(at)},${["-5.00", "-1.00", "0.20", "5.00"][at % 4]},${at}.5,${at * 60_000}`),
);
const PREMIUM = lines(
  ...ROWS.map((at) => `${T + at * 60_000},-0.0001,0.1,-0.2,0.00${at},0,${T + at * 60_000 + 59_999},0,12,0,0,0`),
);
const SERIES = lines(...ROWS.map((at) => `{"t":${T + at},"oi":12345678901234.1234567890${at}}`));
const MAPPED_SERIES = `
mapping: hostile_series
json: { in: lines }
time: { column: t, unit: ms }
streams: [{ kind: series, values: { oi: oi }, delay: 1s }]
`;

/** Damage is drawn the same in every run. */
const SEED = 20_240_305;

/** A whole file for each reader, with its mapping. */
type Reader = readonly [name: string, file: string, content: Uint8Array, mapping: string | undefined];
const READERS: readonly Reader[] = [
  ["the scanner", "a.csv", strToU8(CSV), undefined],
  ["quoted cells", "b.csv", strToU8(QUOTED), undefined],
  ["gzip", "c.csv.gz", gzipSync(CSV), undefined],
  ["lz4", "l.csv.lz4", packLz4(strToU8(CSV)), undefined],
  ["zstd", "m.csv.zst", zstdCompressSync(CSV), undefined],
  ["zip", "d.zip", zipSync({ "d.csv": strToU8(CSV) }), undefined],
  ["a zip that stores", "e.zip", zipSync({ "e.csv": [strToU8(CSV), { level: 0 }] }), undefined],
  [
    "JSON lines",
    "f.jsonl",
    strToU8(lines(...JSON_TRADES.map((row) => JSON.stringify(row)))),
    MAPPING("json: { in: lines }"),
  ],
  [
    "a JSON document",
    "g.json",
    strToU8(JSON.stringify({ ok: true, data: { rows: JSON_TRADES } }, undefined, 1)),
    MAPPING("json: { in: array, array: data.rows }"),
  ],
  ["books of Bybit", "h.data", strToU8(lines(...ROWS.map(book))), undefined],
  ["Parquet", "i.parquet", PARQUET, undefined],
  ["Parquet in further encodings", "k.parquet", PARQUET_ENCODED, TRADES],
  ["quotes", "j.csv", strToU8(quotes), QUOTES],
  ["Binance metrics", "n.csv", strToU8(METRICS), undefined],
  ["Binance bookDepth", "o.csv", strToU8(BOOK_DEPTH), undefined],
  ["Binance premium klines", "premiumIndexKlines-p.csv", strToU8(PREMIUM), undefined],
  ["series of JSON", "q.jsonl", strToU8(SERIES), MAPPED_SERIES],
];

type Damage = (content: Uint8Array) => Uint8Array;

const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const at = (content: Uint8Array, where: number): number => Math.floor(where * content.length);
const join = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

const damage: fc.Arbitrary<Damage> = fc.oneof(
  place.map(
    (where): Damage =>
      (content) =>
        content.slice(0, at(content, where)),
  ),
  fc.array(fc.tuple(place, fc.nat(255)), { minLength: 1, maxLength: 6 }).map(
    (changes): Damage =>
      (content) => {
        const changed = Uint8Array.from(content);
        for (const [where, byte] of changes) changed[at(content, where)] = byte;
        return changed;
      },
  ),
  fc.tuple(place, place, place).map(
    ([a, b, c]): Damage =>
      (content) => {
        const [from, to] = [at(content, Math.min(a, b)), at(content, Math.max(a, b))];
        const into = at(content, c);
        return join(content.subarray(0, into), content.subarray(from, to), content.subarray(into));
      },
  ),
  fc.tuple(place, place).map(
    ([a, b]): Damage =>
      (content) =>
        join(content.subarray(0, at(content, Math.min(a, b))), content.subarray(at(content, Math.max(a, b)))),
  ),
  fc.tuple(place, fc.uint8Array({ minLength: 1, maxLength: 40 })).map(
    ([where, bytes]): Damage =>
      (content) =>
        join(content.subarray(0, at(content, where)), bytes, content.subarray(at(content, where))),
  ),
  // Rows in another order.
  fc.array(place, { minLength: 2, maxLength: 8 }).map(
    (order): Damage =>
      (content) => {
        const rows = Buffer.from(content).toString("latin1").split("\n");
        for (const where of order) rows.push(...rows.splice(Math.floor(where * rows.length), 1));
        return new Uint8Array(Buffer.from(rows.join("\n"), "latin1"));
      },
  ),
);

// Goal: no content of a file breaks a reader. Method: whole files are cut, changed, doubled, shortened and shuffled.
// Each ends as a tape that reads back, or with an error of a known code that names the file, and then nothing is left.
test.each<Reader>(READERS)(
  "%s reads a damaged file or refuses it, and never leaves a part of a tape",
  async (_, file, content, mapping) => {
    const path = folder.path(file);
    const layout = mapping === undefined ? undefined : folder.write(`${file}.yaml`, mapping);
    const out = folder.path(`${file}.tape`);
    const codes = new Set<string>();
    let whole = 0;
    await fc.assert(
      fc.asyncProperty(damage, async (spoil) => {
        folder.write(file, spoil(content));
        const sources = [{ path, market: "M", ...(layout === undefined ? {} : { layout }) }];
        const result = await importFiles({ sources, out }).catch((error: unknown) => error);
        if (result instanceof Error) {
          if (!isDataError(result)) throw result;
          expect(result.message).toContain(file);
          expect(existsSync(out)).toBe(false);
          codes.add(result.code);
        } else {
          whole++;
          const tape = await openTape(out);
          let events = 0;
          for await (const { count } of tape.chunks()) events += count;
          await tape.close();
          expect(events).toBe(tape.manifest.events);
          rmSync(out);
        }
        expect(readdirSync(dirname(out)).filter((name) => name.endsWith(".part"))).toEqual([]);
      }),
      { numRuns: 150, seed: SEED },
    );
    expect(codes.size).toBeGreaterThan(1);
    expect(whole).toBeGreaterThan(0);
  },
);
