import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { EventKind, marketOf, readSources, type SourceFile } from "../../../../src/product/market-data/index.ts";
import { JSON_LAYOUT_NAMES } from "../../../../src/product/market-data/readers/table.ts";
import { collect, createFolder, expectError, lines } from "../helpers.ts";

const folder = createFolder();
const T = 1_709_596_800_000;

async function read(source: SourceFile) {
  const opened = await readSources({ sources: [source] });
  return { ...opened.manifest, source: opened.manifest.sources[0]!, events: await collect(opened) };
}

const level = (px: number, sz: string) => ({ px: `${px}.0`, sz, n: 3 });

/** A line of the archive: the recorder's time and number around the venue's message. */
const l2Book = (at: number, bids: object[], asks: object[]): string =>
  JSON.stringify({
    time: "2024-03-05T00:00:00.123456789",
    ver_num: 1,
    raw: { channel: "l2Book", data: { coin: "BTC", time: T + at, levels: [bids, asks] } },
  });

test("Hyperliquid l2Book: whole books become the changes from one to the next, at the venue's time", async () => {
  const rows = [
    l2Book(0, [level(100, "1"), level(99, "2")], [level(101, "3")]),
    l2Book(500, [level(100, "1")], [level(101, "2.5"), level(102, "1")]),
    l2Book(1000, [], [level(102, "1")]),
  ];
  const { source, events } = await read({ path: folder.write("BTC.jsonl", lines(...rows)) });
  expect(source).toMatchObject({ layout: "hyperliquidBook", market: "BTC", dialect: "json" });
  expect(events.map((row) => [row.timeMs - T, row.side, row.price / 1e8, row.size / 1e8, row.flags])).toEqual([
    [0, 1, 100, 1, 3],
    [0, 1, 99, 2, 1],
    [0, -1, 101, 3, 1],
    [500, 1, 99, 0, 0],
    [500, -1, 101, 2.5, 0],
    [500, -1, 102, 1, 0],
    [1000, 1, 100, 0, 0],
    [1000, -1, 101, 0, 0],
  ]);
});

test("Hyperliquid l2Book as the socket sends it has no recorder around it; two coins in a file are an error", async () => {
  const bare = (coin: string): string =>
    JSON.stringify({ channel: "l2Book", data: { coin, time: T, levels: [[level(100, "1")], [level(101, "1")]] } });
  const one = await read({ path: folder.write("socket.jsonl", lines(bare("BTC"), bare("BTC"))), market: "BTC" });
  expect(one.events).toHaveLength(2);
  const two = read({ path: folder.write("two.jsonl", lines(bare("BTC"), bare("ETH"))), market: "BTC" });
  const error = await expectError(two, { code: "DATA_MALFORMED", line: 2, column: "data.coin" });
  expect(error.message).toContain("several symbols");
});

const fill = (coin: string, crossed: boolean, side: string, tid: number, more: object = {}) => [
  "0x0000000000000000000000000000000000000001",
  {
    coin,
    px: "60000.5",
    sz: "0.25",
    side,
    time: T + tid,
    startPosition: "-1.5",
    dir: "Open Long",
    closedPnl: "0.0",
    hash: "0x00",
    oid: 7,
    crossed,
    fee: "1.2",
    feeToken: "USDC",
    tid,
    ...more,
  },
];

test("Hyperliquid fills: of the two fills of a trade that of the taker is read, of the coin that the market names", async () => {
  const rows = [
    fill("BTC", false, "A", 1),
    fill("BTC", true, "B", 1),
    fill("ETH", true, "A", 2),
    fill("BTC", true, "A", 3, { liquidation: { liquidatedUser: "0x02", markPx: "60000", method: "market" } }),
    fill("BTC", false, "B", 3),
  ];
  const path = folder.write("fills.jsonl", lines(...rows.map((row) => JSON.stringify(row))));
  for (const market of ["BTC", "BTC-PERP"]) {
    const { source, events } = await read({ path, market });
    expect(source).toMatchObject({ layout: "hyperliquidFills", rows: 5, events: 2 });
    expect(events).toMatchObject([
      { kind: EventKind.trade, timeMs: T + 1, side: 1, price: 6_000_050_000_000, size: 25_000_000, id: 1 },
      { timeMs: T + 3, side: -1, id: 3 },
    ]);
  }
  const error = await expectError(read({ path }), { code: "DATA_LAYOUT", line: 1 });
  expect(error.hint).toContain("BTC=");
  await expectError(read({ path, market: "SOL" }), { code: "DATA_EMPTY" });
});

test("Hyperliquid fills by block have all fills of a block in one value, and a block may have none", async () => {
  const block = (number: number, ...events: unknown[]): string =>
    JSON.stringify({
      local_time: "2025-08-01T00:00:00.1",
      block_time: "2025-08-01T00:00:00",
      block_number: number,
      events,
    });
  const rows = [
    block(1),
    block(2, fill("BTC", true, "B", 5), fill("BTC", false, "A", 5)),
    block(3, fill("BTC", true, "A", 9)),
  ];
  const { events, source } = await read({ path: folder.write("blocks.jsonl", lines(...rows)), market: "BTC" });
  expect(events.map(({ id, side }) => [id, side])).toEqual([
    [5, 1],
    [9, -1],
  ]);
  expect(source.rows).toBe(3);
});

test("Hyperliquid fills: a trade that two files have is found by its id, and 0 is no id", async () => {
  const row = (tid: number): string => JSON.stringify(fill("BTC", true, "B", tid, { time: T }));
  const path = folder.write("twice.jsonl", lines(row(5), row(0), row(0), row(5)));
  await expectError(read({ path, market: "BTC" }), { code: "DATA_DUPLICATE", line: 4, column: "id" });
});

const bybit = (type: string, u: number, b: string[][], a: string[][], more: object = { cts: T + u }): string =>
  JSON.stringify({
    topic: "orderbook.500.BTCUSDT",
    type,
    ts: T + u + 5,
    data: { s: "BTCUSDT", b, a, u, seq: u * 10 },
    ...more,
  });

test("Bybit books in their zip: a snapshot, changes, and a snapshot again after a restart", async () => {
  const rows = [
    bybit("snapshot", 10, [["66000.5", "1"]], [["66001", "2"]]),
    bybit("delta", 11, [["66000.5", "0"]], [["66001", "1.5"]]),
    bybit("delta", 14, [["66000", "3"]], []),
    bybit("snapshot", 1, [["65000", "1"]], [["65001", "1"]], { cts: T + 20 }),
    bybit("delta", 2, [], [["65001", "0"]], { cts: T + 21 }),
  ];
  const name = "2025-05-09_BTCUSDT_ob500.data";
  const path = folder.write(`${name}.zip`, zipSync({ [name]: strToU8(lines(...rows)) }));
  const { source, events, quality } = await read({ path });
  expect(source).toMatchObject({ layout: "bybitBook", market: "BTCUSDT", rows: 8 });
  expect(source.notes).toEqual(["The time of a row is cts, that of the matching engine."]);
  expect(events.map((row) => [row.timeMs - T, row.side, row.price / 1e8, row.size / 1e8, row.id, row.flags])).toEqual([
    [10, 1, 66000.5, 1, 10, 3],
    [10, -1, 66001, 2, 10, 1],
    [11, 1, 66000.5, 0, 11, 0],
    [11, -1, 66001, 1.5, 11, 0],
    [14, 1, 66000, 3, 14, 0],
    [20, 1, 65000, 1, 1, 3],
    [20, -1, 65001, 1, 1, 1],
    [21, -1, 65001, 0, 2, 0],
  ]);
  expect(quality.findings).toEqual([]);
});

test("Bybit books of older files have no cts, and their time is ts", async () => {
  const row = bybit("snapshot", 10, [["66000.5", "1"]], [["66001", "2"]], {});
  const { events, source } = await read({ path: folder.write("old.data", lines(row)), market: "BTC" });
  expect(events[0]!.timeMs).toBe(T + 15);
  expect(source.notes[0]).toContain("ts");
});

test("Bybit books of an inverse contract are refused with the mapping, and an update that goes back is a gap", async () => {
  const inverse = bybit("snapshot", 1, [["66000", "100"]], []).replaceAll("BTCUSDT", "BTCUSD");
  const error = await expectError(read({ path: folder.write("inverse.data", lines(inverse)), market: "BTC" }), {
    code: "DATA_LAYOUT",
    line: 1,
  });
  expect(error.hint).toContain("unit: quote");
  const layout = new URL("../../../../data/mappings/bybit_book.yaml", import.meta.url).pathname;
  const { events } = await read({ path: folder.path("inverse.data"), market: "BTC", layout });
  expect(events[0]!.size).toBe(Math.floor(1e10 / 66000));
  const back = [
    bybit("snapshot", 5, [["1", "1"]], []),
    bybit("delta", 9, [["1", "2"]], []),
    bybit("delta", 7, [["1", "3"]], []),
  ];
  const rows = back.map((row) => row.replace(/"cts":\d+/, `"cts":${T}`));
  const { quality } = await read({ path: folder.write("back.data", lines(...rows)), market: "BTC" });
  expect(quality.findings).toMatchObject([{ kind: "gap", count: 1, samples: [{ line: 3 }] }]);
});

const okx = (instId: string, action: string, at: number, bids: string[][], asks: string[][]): string =>
  JSON.stringify({ instId, action, ts: String(T + at), asks, bids });

test("OKX books of spot are base units; the third cell of a level is a count of orders and not read", async () => {
  const rows = [
    okx("BTC-USDT", "snapshot", 0, [["66000.1", "0.5", "2"]], [["66000.2", "1", "1"]]),
    okx("BTC-USDT", "update", 10, [["66000.1", "0", "0"]], []),
  ];
  const name = "BTC-USDT-L2orderbook-400lv-2025-11-08.zip";
  const path = folder.write(name, zipSync({ "BTC-USDT-L2orderbook-400lv-2025-11-08.data": strToU8(lines(...rows)) }));
  const { source, events } = await read({ path });
  expect(source).toMatchObject({ layout: "okxBook", market: "BTC-USDT" });
  expect(events.map((row) => [row.timeMs - T, row.side, row.price / 1e8, row.size / 1e8, row.flags])).toEqual([
    [0, -1, 66000.2, 1, 3],
    [0, 1, 66000.1, 0.5, 1],
    [10, 1, 66000.1, 0, 0],
  ]);
});

test.each(["BTC-USDT-SWAP", "BTC-USD-240329"])(
  "OKX books of %s are contracts: refused with the mapping, which reads them",
  async (instrument) => {
    const path = folder.write("swap.data", lines(okx(instrument, "snapshot", 0, [["66000.1", "50", "2"]], [])));
    const error = await expectError(read({ path, market: "BTC" }), { code: "DATA_LAYOUT", line: 1 });
    expect(error.hint).toContain("okx_book.yaml");
    const layout = new URL("../../../../data/mappings/okx_book.yaml", import.meta.url).pathname;
    const mapped = read({ path, market: "BTC", layout });
    if (instrument !== "BTC-USDT-SWAP") await expectError(mapped, { code: "DATA_EMPTY" });
    else expect((await mapped).events[0]!.size).toBe(5000_0000);
  },
);

test("a layout of JSON that the user names must fit the first value, and does not read text", async () => {
  const path = folder.write("g.data", lines(okx("BTC-USDT", "snapshot", 0, [["1", "1"]], [])));
  expect((await read({ path, market: "BTC", layout: "okxBook" })).source.layout).toBe("okxBook");
  for (const layout of JSON_LAYOUT_NAMES) {
    if (layout !== "okxBook")
      await expectError(read({ path, market: "BTC", layout }), { code: "DATA_LAYOUT", line: 1 });
  }
  await expectError(read({ path, market: "BTC", layout: "klines" }), { code: "DATA_LAYOUT" });
  const text = folder.write("t.csv", lines("1,2,3"));
  await expectError(read({ path: text, market: "BTC", layout: "okxBook" }), { code: "DATA_LAYOUT" });
});

test("the market is in the middle of the name of a Bybit book", () => {
  expect(marketOf({ path: "x/2023-01-18_ETHUSDT_ob500.data.zip" })).toBe("ETHUSDT");
});
