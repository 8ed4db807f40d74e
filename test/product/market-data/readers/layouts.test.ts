import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { EventKind, parseSource, readSources, type SourceFile } from "../../../../src/product/market-data/index.ts";
import { collect, createFolder, expectError, lines } from "../helpers.ts";

const folder = createFolder();

const KLINES =
  "open_time,open,high,low,close,volume,close_time,quote_volume,count,taker_buy_volume,taker_buy_quote_volume,ignore";
const AGG = "agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker";

async function read(...sources: SourceFile[]) {
  const source = await readSources({ sources });
  return { source, events: await collect(source) };
}

const empty = { side: 0, price: 0, size: 0, open: 0, high: 0, low: 0, rate: 0, intervalMs: 0, id: 0, flags: 0 };

test("klines are bars at the time of their close", async () => {
  const path = folder.write(
    "BTCUSDT-1h-2024-01.csv",
    lines(KLINES, "1704067200000,42000.1,42100,41900.5,42050,12.5,1704070799999,525000,100,6,252000,0"),
  );
  const { source, events } = await read({ path });
  expect(source.manifest.sources[0]).toMatchObject({ layout: "klines", market: "BTCUSDT", rows: 1, events: 1 });
  expect(events).toEqual([
    {
      ...empty,
      kind: EventKind.bar,
      market: "BTCUSDT",
      timeMs: 1_704_070_800_000,
      intervalMs: 3_600_000,
      open: 4_200_010_000_000,
      high: 4_210_000_000_000,
      low: 4_190_050_000_000,
      price: 4_205_000_000_000,
      size: 1_250_000_000,
    },
  ]);
  expect(source.manifest.markets[0]).toMatchObject({ priceStep: 10_000_000, sizeStep: 1_250_000_000 });
});

test("aggTrades give the side of the taker, with or without a header, in ms or us, plain or zipped", async () => {
  const rows = (unit: string): string[] => [
    `10,42000.1,0.5,1,2,1704067200001${unit},true`,
    `11,42000.2,1,3,3,1704067200001${unit},False`,
  ];
  const files = [
    folder.write("A.csv", lines(AGG, ...rows(""))),
    folder.write("B.csv", lines(...rows(""))),
    folder.write("C.csv", lines(AGG, ...rows("999"))),
    folder.write("D.csv", `\uFEFF${[AGG, ...rows("999")].join("\r\n")}`),
    folder.write("E.zip", zipSync({ "E.csv": strToU8(lines(...rows(""))) })),
    folder.write("F.csv", lines(`"${AGG.split(",").join('","')}"`, ...rows(""))),
  ];
  for (const path of files) {
    const { source, events } = await read({ path, market: "BTC" });
    expect(source.manifest.sources[0]!.dialect).toBe(path.endsWith("F.csv") ? "csv" : "scanner");
    expect(events).toEqual([
      {
        ...empty,
        kind: EventKind.trade,
        market: "BTC",
        timeMs: 1_704_067_200_001,
        side: -1,
        price: 4_200_010_000_000,
        size: 50_000_000,
        id: 10,
      },
      {
        ...empty,
        kind: EventKind.trade,
        market: "BTC",
        timeMs: 1_704_067_200_001,
        side: 1,
        price: 4_200_020_000_000,
        size: 100_000_000,
        id: 11,
      },
    ]);
  }
});

test("trades and funding rates are found by their columns", async () => {
  const trades = folder.write("T.csv", lines("5,100,2,200,1704067200001,false"));
  const funding = folder.write(
    "F2.csv",
    lines("calc_time,funding_interval_hours,last_funding_rate", "1704067200003,8,-0.00012345"),
  );
  const { source, events } = await read({ path: trades, market: "X" }, { path: funding, market: "X" });
  expect(source.manifest.sources.map(({ layout }) => layout)).toEqual(["trades", "fundingRate"]);
  expect(events[0]).toMatchObject({ kind: EventKind.trade, side: 1, id: 5 });
  expect(events[1]).toMatchObject({ kind: EventKind.funding, rate: -123_450, intervalMs: 28_800_000 });
});

const REFERENCE = "1704067200000,42000,42100,41900,42050,0,1704070799999,0,3600,0,0,0";

test("mark and index klines are distinguished by the path or by the user", async () => {
  const byPath = folder.write("BTC-markPriceKlines-1h.csv", lines(KLINES, REFERENCE));
  const anyName = folder.write("G.csv", lines(KLINES, REFERENCE));
  expect((await read({ path: byPath })).events[0]!.kind).toBe(EventKind.mark);
  expect((await read({ path: anyName, layout: "indexPriceKlines" })).events[0]!.kind).toBe(EventKind.index);
});

test("klines without any volume are not taken for bars of trades unless the user says so", async () => {
  const path = folder.write("H.csv", lines(KLINES, REFERENCE));
  const error = await expectError(read({ path }), { code: "DATA_LAYOUT", file: "H.csv" });
  expect(error.hint).toContain("markPriceKlines");
  expect((await read({ path, layout: "klines" })).events[0]!.kind).toBe(EventKind.bar);
});

test("an unknown header is an error that names the known layouts", async () => {
  const path = folder.write("I.csv", lines("time,price,amount", "1,2,3"));
  const error = await expectError(read({ path }), { code: "DATA_LAYOUT", file: "I.csv", line: 1 });
  for (const name of ["klines", "aggTrades", "trades", "fundingRate"]) expect(error.message).toContain(name);
  expect(error.hint).toContain("mapping file");
});

test("a file whose header is not that of the layout asked for is an error", async () => {
  const path = folder.write("J.csv", lines(AGG.replace("quantity", "amount"), "10,1,1,1,1,1704067200001,true"));
  await expectError(read({ path, layout: "aggTrades" }), { code: "DATA_LAYOUT", line: 1 });
  await expectError(read({ path, layout: "nonsense" }), { code: "DATA_LAYOUT" });
});

test("an empty file, and one with a header alone, have no data", async () => {
  await expectError(read({ path: folder.write("K.csv", "") }), { code: "DATA_EMPTY" });
  await expectError(read({ path: folder.write("L.csv", lines(AGG)) }), { code: "DATA_EMPTY" });
});

test("a source is read as [MARKET[:LAYOUT]=]PATH", async () => {
  expect(parseSource("a/b.csv")).toEqual({ path: "a/b.csv" });
  expect(parseSource("BTC-PERP=a/b.csv")).toEqual({ path: "a/b.csv", market: "BTC-PERP" });
  expect(parseSource("BTC-PERP:maps/x.yaml=b.csv")).toEqual({
    path: "b.csv",
    market: "BTC-PERP",
    layout: "maps/x.yaml",
  });
  expect(parseSource(":trades=b.csv")).toEqual({ path: "b.csv", layout: "trades" });
  expect(parseSource("dir/a=b.csv")).toEqual({ path: "dir/a=b.csv" });
  expect(() => parseSource("BTC:nothing=b.csv")).toThrow(/no layout/);
  expect(() => parseSource("BTC=")).toThrow(/names no file/);
});
