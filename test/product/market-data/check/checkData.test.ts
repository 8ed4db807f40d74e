import { expect, test } from "vitest";
import { checkData, readSources, type SourceFile } from "../../../../src/product/market-data/index.ts";
import { createFolder, lines, mapBook, QUOTES, SNAPSHOT_ROWS } from "../helpers.ts";

const folder = createFolder();
const START = 1_704_067_200_000;
const MINUTE = 60_000;
let files = 0;
const BOOK = mapBook(SNAPSHOT_ROWS, "id: { column: u, rule: contiguous }");

function mapped(mapping: string, ...rows: readonly string[]): SourceFile {
  files++;
  const path = folder.write(`C${files}.csv`, lines(...rows));
  return { path, layout: folder.write(`C${files}.yaml`, mapping), market: "C" };
}

const check = async (...sources: SourceFile[]) => (await checkData(await readSources({ sources })))[0]!;

const SNAPSHOT = ["t,u,whole,s,p,q", `${START},1,y,b,100,2`, `${START},1,y,b,99,5`, `${START},1,y,a,101,3`];

test("after each update the best prices are those of the last quote up to it", async () => {
  const book = mapped(
    BOOK,
    ...SNAPSHOT,
    `${START + 10},2,n,b,100,0`,
    `${START + 20},3,n,a,101,4`,
    `${START + 20},4,n,a,100.5,1`,
  );
  const quotes = mapped(
    QUOTES,
    "t,u,bp,bq,ap,aq",
    `${START},1,100,2,101,3`,
    `${START + 10},2,99,5,101,3`,
    // Both in one millisecond: each belongs to the update of its id.
    `${START + 20},3,99,5,101,4`,
    `${START + 20},4,99,5,100.5,1`,
    `${START + 30},9,1,1,2,2`,
  );
  const { book: result, bars } = await check(book, quotes);
  expect(result).toMatchObject({ rows: 6, snapshots: 1, gaps: 0, crossed: 0, locked: 0, levelsMost: 3 });
  expect(result!.quotes).toEqual({ compared: 4, equal: 4, differences: [] });
  expect(bars).toBeUndefined();
});

test("a quote that differs in price or size is found, with both values", async () => {
  const book = mapped(BOOK, ...SNAPSHOT, `${START + 10},2,n,b,99,6`, `${START + 20},3,n,b,99,7`);
  const quotes = mapped(QUOTES, "t,u,bp,bq,ap,aq", `${START},1,100,2,101,3`, `${START + 20},3,100,2,101.5,3`);
  const { book: result } = await check(book, quotes);
  expect(result!.quotes).toEqual({
    compared: 3,
    equal: 2,
    differences: [{ timeMs: START + 20, what: "price of the best ask", recorded: 101.5e8, rebuilt: 101e8 }],
  });
});

test("crossed and locked books are counted by update, and missing updates", async () => {
  const book = mapped(
    BOOK,
    ...SNAPSHOT,
    `${START + 1},2,n,b,101,1`,
    `${START + 2},3,n,b,102,1`,
    `${START + 3},5,n,b,102,0`,
    `${START + 3},5,n,b,101,0`,
  );
  const { book: result } = await check(book);
  expect(result).toMatchObject({ locked: 1, crossed: 1, gaps: 1, quotes: { compared: 0, equal: 0 } });
});

const trade = (id: number, timeMs: number, price: number, size: number) =>
  `${id},${price},${size},1,1,${START + timeMs},true`;
const bar = (minute: number, ohlcv: string) =>
  `${START + minute * MINUTE},${ohlcv},${START + (minute + 1) * MINUTE - 1},0,0,0,0,0`;

function write(layout: string, ...rows: string[]): SourceFile {
  files++;
  return { path: folder.write(`C${files}-${layout}.csv`, lines(...rows)), layout, market: "C" };
}

test("recorded bars are compared with bars built from trades, from the first whole bar on", async () => {
  const trades = write(
    "aggTrades",
    trade(1, MINUTE - 1, 90, 1),
    trade(2, MINUTE, 100, 1),
    trade(3, 2 * MINUTE - 1, 103, 0.5),
    trade(4, 2 * MINUTE, 101, 2),
    trade(5, 4 * MINUTE, 101, 2),
  );
  const recorded = [bar(0, "90,90,90,90,5"), bar(1, "100,103,100,103,1.5"), bar(2, "101,101,101,101,3")];
  // A minute without trades.
  const bars = write("klines", ...recorded, bar(3, "101,101,101,101,0"));
  const { bars: result, book } = await check(trades, bars);
  expect(result).toEqual({
    compared: 2,
    equal: 1,
    differences: [{ timeMs: START + 2 * MINUTE, what: "volume", recorded: 3e8, rebuilt: 2e8 }],
  });
  expect(book).toBeUndefined();
});
