import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { draftMappingFile, EventKind, parseMapping, readSources } from "../../../../src/product/market-data/index.ts";
import { collect, createFolder, expectError, lines } from "../helpers.ts";

const folder = createFolder();
const T = 1_704_067_200_000;
const HOUR = 3_600_000;
let files = 0;

async function read(content: string | Uint8Array, mapping?: string) {
  files++;
  const path = folder.write(`M${files}.json`, content);
  const layout = mapping === undefined ? {} : { layout: folder.write(`M${files}.yaml`, mapping) };
  const source = await readSources({ sources: [{ path, market: "M", ...layout }] });
  return { source, events: await collect(source) };
}

const candle = (hour: number): (string | number)[] => [T + hour * HOUR, "100.10", 101, 99.5, 100, 2.5];
const named = (hour: number) => {
  const [time, open, high, low, close, volume] = candle(hour);
  return { time, open, high, low, close, volume };
};
const BAR = { kind: EventKind.bar, intervalMs: HOUR, open: 100_1000_0000, price: 100e8, size: 2_5000_0000 };

test.each([
  ["arrays in an array", JSON.stringify([candle(0), candle(1), candle(2)])],
  ["arrays in an array, spread over lines", JSON.stringify([candle(0), candle(1), candle(2)], undefined, 2)],
  ["objects in an array", JSON.stringify([named(0), named(1), named(2)])],
  [
    "an answer of a service",
    JSON.stringify({ code: 0, result: { symbol: "M", list: [candle(0), candle(1), candle(2)] } }),
  ],
  ["an object on each line", lines(...[0, 1, 2].map((hour) => JSON.stringify(named(hour))))],
  ["an array on each line, packed", gzipSync(lines(...[0, 1, 2].map((hour) => JSON.stringify(candle(hour)))))],
  ["objects within objects", JSON.stringify([0, 1, 2].map((hour) => ({ bar: named(hour) })))],
])("bars as %s need no mapping", async (_, content) => {
  const { source, events } = await read(content);
  expect(source.manifest.sources[0]).toMatchObject({ layout: "ohlcv", dialect: "json", rows: 3, events: 3 });
  expect(events).toMatchObject([0, 1, 2].map((hour) => ({ ...BAR, timeMs: T + (hour + 1) * HOUR })));
});

test("settled funding as JSON needs no mapping, and null is an empty cell", async () => {
  const rows = [0, 8, 16].map((hour) => ({ fundingTime: T + hour * HOUR, fundingRate: "0.0001", markPrice: null }));
  const { events } = await read(JSON.stringify(rows));
  expect(events.map(({ rate }) => rate)).toEqual([100_000, 100_000, 100_000]);
});

test("a draft of JSON is a mapping that reads it", async () => {
  const rows = [1, 2, 3].map((id) => ({ data: { T: T + id, p: `${id}.5`, q: "2", m: id === 2, a: id } }));
  const path = folder.write("draft.jsonl", lines(...rows.map((row) => JSON.stringify(row))));
  const { text } = await draftMappingFile(path);
  expect(parseMapping(text, "d.yaml")).toMatchObject({ json: { in: "lines" }, streams: [{ kind: "trades" }] });
});

const BOOK = `
mapping: book
json: { in: lines, rows: [data.b, data.a] }
where: { $.topic: book }
time: { column: $.ts, unit: ms }
streams:
  - kind: depth
    price: "[0]"
    size: "[1]"
    side: { column: $rows, bid: [data.b], ask: [data.a] }
    snapshot: { column: $.type, yes: [snapshot], no: [delta] }
    id: { column: $.data.u, rule: contiguous }
`;

const message = (type: string, u: number, b: unknown[], a: unknown[]) =>
  JSON.stringify({ topic: "book", type, ts: T + u, data: { b, a, u } });

test("a book whose sides are arrays gives a row for each level, and messages of other topics are passed over", async () => {
  const content = lines(
    message(
      "snapshot",
      1,
      [
        ["99.5", "1"],
        ["99", "2"],
      ],
      [["100", "3"]],
    ),
    '{"topic":"trades","ts":1,"data":{"b":[["not","a book"]],"a":[]}}',
    message("delta", 2, [["99.5", "0"]], []),
    message("delta", 4, [], [["100", "1"]]),
  );
  const { source, events } = await read(content, BOOK);
  expect(events.map(({ side, price, size, id, flags }) => [side, price / 1e8, size / 1e8, id, flags])).toEqual([
    [1, 99.5, 1, 1, 3],
    [1, 99, 2, 1, 1],
    [-1, 100, 3, 1, 1],
    [1, 99.5, 0, 2, 0],
    [-1, 100, 1, 4, 4],
  ]);
  expect(source.manifest.quality.findings).toMatchObject([{ kind: "gap", count: 1, samples: [{ line: 4 }] }]);
  expect(source.manifest.sources[0]).toMatchObject({ rows: 6, events: 5 });
});

const TRADES = `
mapping: trades
json: { in: array, array: result.rows }
time: { column: t, unit: ms }
streams: [{ kind: trades, price: p, size: q }]
`;
const trades = (...rows: unknown[]): string => JSON.stringify({ ok: true, result: { rows } });

test("a value that does not fit names the element, the field and the reason", async () => {
  const good = { t: T, p: "1", q: "1" };
  const bad: [unknown[], string, number, string?][] = [
    [[good, { t: T, p: "x", q: "1" }], "DATA_MALFORMED", 2, "p"],
    [[good, { t: T, p: { x: 1 }, q: "1" }], "DATA_MALFORMED", 2, "p"],
    [[good, good, { t: T, q: "1" }], "DATA_MALFORMED", 3, "p"],
    [[good, { t: T, p: 1e-7, q: "1" }], "DATA_MALFORMED", 2, "p"],
    [[good, { t: T, p: "0.000000001", q: "1" }], "DATA_MALFORMED", 2, "p"],
    [[{ t: T, price: "1", q: "1" }], "DATA_LAYOUT", 1],
  ];
  for (const [rows, code, line, column] of bad) {
    await expectError(read(trades(...rows), TRADES), { code, line, ...(column === undefined ? {} : { column }) });
  }
  const error = await expectError(
    read(trades({ t: T, prise: "1", q: "1" }), TRADES.replace("price: p", "price: price")),
    {
      code: "DATA_LAYOUT",
    },
  );
  expect(error.hint).toContain("did you mean prise?");
});

test("text that is not JSON is an error with its line and byte, and so is a file that ends too early", async () => {
  const text = trades({ t: T, p: "1", q: "1" });
  await expectError(read(text.slice(0, -1), TRADES), { code: "DATA_MALFORMED" });
  await expectError(read(text.replace('"q":"1"', '"q":"1'), TRADES), { code: "DATA_MALFORMED" });
  const lined = BOOK.replace("contiguous", "rising");
  const whole = message("snapshot", 1, [["99.5", "1"]], [["100", "3"]]);
  const error = await expectError(read(lines(whole, whole.slice(0, -3)), lined), { code: "DATA_MALFORMED", line: 2 });
  expect(error.message).toMatch(/byte \d+ of the value/);
  const noArray = await expectError(read(lines(whole, '{"topic":"book"}'), lined), { code: "DATA_MALFORMED", line: 2 });
  expect(noArray.message).toContain("no array data.b or data.a");
});

test("what a mapping of JSON cannot have is refused with its line", () => {
  const refused: [string, string][] = [
    [TRADES.replace("json:", "header: true\njson:"), "header"],
    [TRADES.replace("json:", 'separator: ";"\njson:'), "separator"],
    [TRADES.replace("json:", "skipLines: 1\njson:"), "skipLines"],
    [TRADES.replace("in: array", "in: lines"), "json.array"],
    [TRADES.replace("result.rows", '"rows[0]"'), "json.array"],
    [TRADES.replace("result.rows", "a..b"), "json.array"],
    [TRADES.replace("in: array", "in: rows"), "lines, array"],
  ];
  for (const [text, part] of refused) expect(() => parseMapping(text, "m.yaml"), text).toThrow(part);
});

test("a field of the value around a row needs rows, and a column is a path", async () => {
  const content = trades({ t: T, p: "1", q: "1" });
  for (const column of ["$.p", "$rows", "3", '"a..b"']) {
    await expectError(read(content, TRADES.replace("price: p", `price: ${column}`)), { code: "MAPPING_INVALID" });
  }
});

test("a mapping for text does not read JSON, and one for JSON does not read text", async () => {
  const text =
    "mapping: m\nheader: true\ntime: { column: t, unit: ms }\nstreams: [{ kind: trades, price: p, size: q }]\n";
  await expectError(read(trades({ t: T, p: 1, q: 1 }), text), { code: "MAPPING_INVALID" });
  await expectError(read(`t,p,q\n${T},1,1\n`, TRADES), { code: "DATA_LAYOUT" });
});

// Trades of two instruments were read as one market where the first row was of another.
test("of several instruments in a file one is taken by where, and without it they are an error", async () => {
  const row = (symbol: string, id: number) => ({ symbol, venue: id % 2 === 0 ? "x" : "y", t: T + id, p: id + 1, q: 1 });
  const rows = [row("ETH", 0), row("BTC", 1), row("BTC", 3), row("ETH", 5)];
  const error = await expectError(read(trades(...rows), TRADES), { code: "DATA_MALFORMED", line: 2, column: "symbol" });
  expect(error.hint).toContain("where: { symbol: BTC }");
  const { events } = await read(trades(...rows), `${TRADES}where: { symbol: BTC }\n`);
  expect(events.map(({ price }) => price / 1e8)).toEqual([2, 4]);
  // The rows that are taken have two symbols.
  await expectError(read(trades(...rows), `${TRADES}where: { venue: y }\n`), { code: "DATA_MALFORMED", line: 4 });
  const both = await read(trades(...rows), `${TRADES}where: { symbol: [BTC, ETH], venue: y }\n`);
  expect(both.events).toHaveLength(3);
});

test("a large file of one line is read in bounded memory, and a value longer than 16 MB is refused", async () => {
  const rows = Array.from({ length: 50_000 }, (_, id) => ({ t: T + id, p: "1.5", q: "2" }));
  expect((await read(trades(...rows), TRADES)).events).toHaveLength(50_000);
  const long = trades({ t: T, p: "1", q: "1" }, { t: T, p: "1", q: "1", note: "x".repeat((1 << 24) + 10) });
  const error = await expectError(read(long, TRADES), { code: "DATA_MALFORMED", line: 2 });
  expect(error.message).toContain("longer than");
});
