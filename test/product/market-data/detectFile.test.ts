import { expect, test } from "vitest";
import { detectFile } from "../../../src/product/market-data/detectFile.ts";
import { createFolder, lines } from "./helpers.ts";

const folder = createFolder();
const T = 1_709_596_800_000;
const AGG = "agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker";

test("a file of a known layout: layout, market, kinds, rows and first time", async () => {
  const path = folder.write("BTCUSDT-aggTrades.csv", lines(AGG, `7,100,1,1,1,${T},true`, `8,100,1,2,2,${T + 5},true`));
  expect(await detectFile({ path })).toEqual({
    file: path,
    layout: "aggTrades",
    market: "BTCUSDT",
    kinds: ["trade"],
    rows: 2,
    fromMs: T,
    missing: [],
  });
});

test("only the first rows of a large file are read", async () => {
  const rows = Array.from({ length: 40_000 }, (_, at) => `${at},100,1,1,1,${T + at},true`);
  const path = folder.write("large.csv", lines(AGG, ...rows));
  expect(await detectFile({ path })).toMatchObject({ rows: 16_384, fromMs: T, missing: [] });
});

test("the fault of a row, an unknown layout, a missing file and a bad name are reported", async () => {
  const faulty = folder.write("a.csv", lines(AGG, `7,1oo,1,1,1,${T},true`, `8,100,1,2,2,${T + 5},true`));
  const row = await detectFile({ path: faulty });
  expect(row).toMatchObject({ layout: "aggTrades", rows: 1, missing: [{ code: "malformed" }] });
  expect(row.missing[0]!.reason).toContain("line 2, column price");

  const other = await detectFile({ path: folder.write("b.csv", lines("time,level", "1,2")) });
  expect(other).toMatchObject({ kinds: [], rows: 0, missing: [{ code: "DATA_LAYOUT" }] });
  expect(other.layout).toBeUndefined();
  expect(other.missing[0]!.hint).toContain("--draft-mapping");

  expect((await detectFile({ path: folder.path("gone.csv") })).missing).toMatchObject([{ code: "FILE_MISSING" }]);

  const nameless = await detectFile({ path: folder.write("_.csv", lines(AGG, `8,100,1,2,2,${T},true`)) });
  expect(nameless).toMatchObject({ layout: "aggTrades", missing: [{ code: "SOURCE_INVALID" }] });
  expect(nameless.market).toBeUndefined();
});
