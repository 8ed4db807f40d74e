import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import {
  BookFlag,
  checkData,
  EventKind,
  readSources,
  type SourceFile,
} from "../../../../src/product/market-data/index.ts";
import { collect, createFolder, expectError, lines } from "../helpers.ts";

const folder = createFolder();
const T = 1_709_596_800_000;
const P = "exchange,symbol,timestamp,local_timestamp";
/** Received 7 ms after the venue's own time. */
const at = (ms: number): string => `binance-futures,BTCUSDT,${T + ms - 7}123,${T + ms}456`;

async function read(...sources: SourceFile[]) {
  const source = await readSources({ sources });
  return { source, manifest: source.manifest.sources[0]!, events: await collect(source) };
}

const TRADES = `${P},id,side,price,amount`;

test("trades have the taker's side, the time of their receipt and the symbol of the file name", async () => {
  const path = folder.write(
    "binance-futures_trades_2024-03-05_BTCUSDT.csv",
    lines(TRADES, `${at(0)},70,buy,100.5,0.25`, `${at(1)},71,sell,100.4,1`, `${at(1)},72,unknown,100.4,2`),
  );
  const { manifest, events } = await read({ path });
  expect(manifest).toMatchObject({ layout: "tardisTrades", market: "BTCUSDT", events: 3 });
  expect(events.map(({ timeMs, side, price, size, id }) => [timeMs - T, side, price / 1e8, size / 1e8, id])).toEqual([
    [0, 1, 100.5, 0.25, 70],
    [1, -1, 100.4, 1, 71],
    [1, 0, 100.4, 2, 72],
  ]);
  expect(manifest.notes.join(" ")).toMatch(/local_timestamp.*base units.*rounded down to milliseconds/);
});

test("a missing id of a Binance market is a gap; ids of other venues are texts and are not read", async () => {
  const hole = folder.write("a.csv", lines(TRADES, `${at(0)},70,buy,100,1`, `${at(1)},73,buy,100,1`));
  const { source } = await read({ path: hole, market: "BTC" });
  expect(source.manifest.quality.findings).toMatchObject([{ kind: "gap", count: 1 }]);
  const texts = folder.write("b.csv", lines(TRADES, `hyperliquid,BTC,${T}000,${T}000,,buy,100,1`));
  expect((await read({ path: texts, market: "BTC" })).events).toMatchObject([{ kind: EventKind.trade, id: 0 }]);
});

test("two symbols or two venues in one file are an error with the line and the column", async () => {
  const symbols = folder.write(
    "c.csv",
    lines(TRADES, `${at(0)},1,buy,100,1`, `${at(1)},2,buy,5,1`.replace("BTC", "ETH")),
  );
  const error = await expectError(read({ path: symbols }), { code: "DATA_MALFORMED", line: 3, column: "symbol" });
  expect(error.message).toContain('several symbols: "BTCUSDT" and "ETHUSDT"');
  const venues = folder.write(
    "d.csv",
    lines(TRADES, `${at(0)},1,buy,100,1`, `${at(1)},2,buy,5,1`.replace("binance-", "")),
  );
  await expectError(read({ path: venues }), { code: "DATA_MALFORMED", line: 3, column: "exchange" });
});

test.each([
  ["bitmex", "XBTUSD", "contracts", "unit: contracts"],
  ["okex-swap", "BTC-USDT-SWAP", "contracts", "unit: contracts"],
  ["bybit", "BTCUSD", "in USD", "unit: quote"],
  ["deribit", "BTC-PERPETUAL", "in USD", "unit: quote"],
])("amounts of %s %s are no base units: refused with the size to map", async (exchange, symbol, reason, hint) => {
  const path = folder.write("e.csv", lines(TRADES, `${exchange},${symbol},${T}000,${T}000,1,buy,100,1`));
  const error = await expectError(read({ path, market: "X" }), { code: "DATA_LAYOUT", file: "e.csv" });
  expect(error.message).toContain(reason);
  expect(error.hint).toContain(hint);
});

test.each([
  ["bybit", "BTCUSDT"],
  ["deribit", "BTC_USDC-PERPETUAL"],
])("amounts of %s %s are base units", async (exchange, symbol) => {
  const path = folder.write("f.csv", lines(TRADES, `${exchange},${symbol},${T}000,${T}000,1,buy,100,1`));
  expect((await read({ path, market: "X" })).events).toHaveLength(1);
});

test("liquidations have the columns of trades, and are refused by their path", async () => {
  const text = lines(TRADES, `${at(0)},1,buy,100,1`);
  const path = folder.write("binance-futures_liquidations_2024-03-05_BTCUSDT.csv", text);
  const error = await expectError(read({ path }), { code: "DATA_LAYOUT", line: 1 });
  expect(error.message).toContain("count them twice");
  expect((await read({ path, layout: "tardisTrades" })).events).toHaveLength(1);
  await expectError(read({ path: folder.write("g.csv", text), layout: "tardisLiquidations" }), { code: "DATA_LAYOUT" });
});

const BOOK = `${P},is_snapshot,side,price,amount`;

test("a book: changes before the first snapshot are left out, a run of snapshot rows is one snapshot", async () => {
  const path = folder.write(
    "h.csv",
    lines(
      BOOK,
      `${at(0)},false,bid,99,1`,
      `${at(1)},true,bid,100,1`,
      `${at(1)},true,bid,99,2`,
      `${at(2)},true,ask,101,3`,
      `${at(3)},false,ask,101,0`,
      `${at(4)},true,bid,98,4`,
    ),
  );
  const { source, manifest, events } = await read({ path, market: "BTC" });
  expect(manifest).toMatchObject({ layout: "tardisIncrementalBook", rows: 6, events: 5 });
  expect(source.manifest.quality.findings).toMatchObject([{ kind: "stale", count: 1 }]);
  const { snapshot, first } = BookFlag;
  expect(
    events.map(({ timeMs, side, price, size, flags }) => [timeMs - T, side, price / 1e8, size / 1e8, flags]),
  ).toEqual([
    [1, 1, 100, 1, snapshot | first],
    [1, 1, 99, 2, snapshot],
    // The snapshot continues in the message of the next millisecond.
    [2, -1, 101, 3, snapshot],
    [3, -1, 101, 0, 0],
    [4, 1, 98, 4, snapshot | first],
  ]);
});

const levelNames = (levels: number): string =>
  Array.from({ length: levels }, (_, i) =>
    [`asks[${i}].price`, `asks[${i}].amount`, `bids[${i}].price`, `bids[${i}].amount`].join(","),
  ).join(",");

test.each([5, 25])("the best %i levels of a row, blank where a side has fewer", async (levels) => {
  const blank = ",,,,".repeat(levels - 2);
  const path = folder.write(
    `i${levels}.csv`,
    lines(
      `${P},${levelNames(levels)}`,
      `${at(0)},101,1,100,2,102,3,,${blank}`,
      // The bid is gone, the second ask has another size.
      `${at(1)},101,1,,,102,4,,${blank}`,
    ),
  );
  const { manifest, events } = await read({ path, market: "BTC" });
  expect(manifest.layout).toBe(`tardisBookSnapshot${levels}`);
  expect(events.map(({ timeMs, side, price, size }) => [timeMs - T, side, price / 1e8, size / 1e8])).toEqual([
    [0, 1, 100, 2],
    [0, -1, 101, 1],
    [0, -1, 102, 3],
    [1, 1, 100, 0],
    [1, -1, 102, 4],
  ]);
});

test("quotes have the amount of the ask first, and a side may be blank", async () => {
  const path = folder.write(
    "j.csv",
    lines(`${P},ask_amount,ask_price,bid_price,bid_amount`, `${at(0)},3,101,100,2`, `${at(1)},,,100,2`),
  );
  const { manifest, events } = await read({ path, market: "BTC" });
  expect(manifest.layout).toBe("tardisQuotes");
  expect(events.map(({ side, price, size }) => [side, price / 1e8, size / 1e8])).toEqual([
    [1, 100, 2],
    [-1, 101, 3],
    [1, 100, 2],
    [-1, 0, 0],
  ]);
});

const TICKER = `${P},funding_timestamp,funding_rate,predicted_funding_rate,open_interest,last_price,index_price,mark_price`;

test("a ticker gives mark and index where they are stated, the last of a millisecond, and no funding", async () => {
  const path = folder.write(
    "k.csv",
    lines(
      TICKER,
      `${at(0)},${T}000,0.0001,,5,100,,`,
      `${at(1)},${T}000,0.0001,,5,100,99.5,100.1`,
      `${at(1)},${T}000,0.0001,,5,100,99.6,100.1`,
      `${at(2)},,,,,,,100.2`,
    ),
  );
  const { source, manifest, events } = await read({ path, market: "BTC" });
  expect(manifest.layout).toBe("tardisTicker");
  expect(manifest.notes.join(" ")).toContain("The funding rate is not read");
  expect(events.map(({ kind, timeMs, price }) => [kind, timeMs - T, price / 1e8])).toEqual([
    [EventKind.index, 1, 99.6],
    [EventKind.mark, 1, 100.1],
    [EventKind.mark, 2, 100.2],
  ]);
  expect(source.manifest.quality.findings.map(({ kind, count }) => [kind, count])).toEqual([["nullRow", 3]]);
});

test("the sample book of this repository is read by its header", async () => {
  const path = fileURLToPath(new URL("../../../../data/BTC-PERP-book5-2024-03-05.csv", import.meta.url));
  const source = await readSources({ sources: [{ path }] });
  expect(source.manifest.sources[0]).toMatchObject({ layout: "tardisBookSnapshot5", market: "BTC-PERP", rows: 120 });
  const [check] = await checkData(source);
  expect(check!.book).toMatchObject({ snapshots: 1, crossed: 0, locked: 0 });
});

// Recorded files of real venues may be next to the repository; they are not part of it.
const real = fileURLToPath(new URL("../../../../../shared/data/real/tardis_binance_20200222/", import.meta.url));
const isThere = existsSync(real);
if (!isThere) console.log("skipped: there is no recorded market data in ../shared/data/real");

test.skipIf(!isThere)("recorded trades and quotes of a venue are read as they are", async () => {
  const { source } = await read({ path: `${real}BTCUSDT_trades.csv.gz` }, { path: `${real}BTCUSDT_quotes.csv.gz` });
  const { sources, quality, counts } = source.manifest;
  expect(sources.map(({ layout, market, rows }) => [layout, market, rows])).toEqual([
    ["tardisTrades", "BTCUSDT", 9999],
    ["tardisQuotes", "BTCUSDT", 9999],
  ]);
  expect(counts).toMatchObject({ trade: 9999, quote: 19_998 });
  expect(quality.findings).toEqual([]);
});
