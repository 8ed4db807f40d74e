import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { openTape } from "../../../src/product/market-data/tape/openTape.ts";
import { callCli } from "../../helpers/cli.ts";
import { createFolder } from "../../helpers/project.ts";

const trades = [
  "agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker",
  "7,100.5,2,10,11,1700000000000,true",
  "8,101,0.25,12,12,1700000001000,false",
  "",
].join("\n");

test("writes a tape that reads back, and says what is in it", async () => {
  const folder = createFolder({ "BTC-PERP-aggTrades.csv": trades });
  const out = join(folder, "btc.tape");
  const called = await callCli("import", join(folder, "BTC-PERP-aggTrades.csv"), "--out", out);
  expect(called.exitCode).toBe(0);
  expect(called.out).toContain("2 events, 2023-11-14 22:13:20 to 2023-11-14 22:13:21 UTC\n");
  expect(called.out).toMatch(/BTC-PERP +2 trade/);
  expect(called.err).toContain("importing: done, 2 events");

  const tape = await openTape(out);
  expect(tape.manifest).toMatchObject({ events: 2, counts: { trade: 2 } });
  await tape.close();
});

test("prints the manifest with --json", async () => {
  const folder = createFolder({ "a.csv": trades });
  const out = join(folder, "a.tape");
  const called = await callCli("import", `ETH-PERP:aggTrades=${join(folder, "a.csv")}`, "--out", out, "--json");
  expect(JSON.parse(called.out)).toMatchObject({ tape: out, manifest: { markets: [{ name: "ETH-PERP" }], events: 2 } });
});

const bars = ["Date,Open,High,Low,Close,Volume", "2024-01-30,1,2,1,1.5,7", "2024-01-31,1.5,2,1,1.5,7", ""].join("\n");

test("imports plain bars without a mapping, and prints how they were read", async () => {
  const folder = createFolder({ "BTC-USD.csv": bars });
  const called = await callCli("import", join(folder, "BTC-USD.csv"), "--out", join(folder, "a.tape"));
  expect(called.exitCode).toBe(0);
  expect(called.out).toContain("2 events, 2024-01-31 00:00:00 to 2024-02-01 00:00:00 UTC (of a bar, its close)");
  expect(called.out).toMatch(/BTC-USD +2 bar/);
  expect(called.out).toMatch(
    /Read as\n +BTC-USD\.csv +The time is column "Date", ISO 8601; it names no zone, and UTC is assumed\./,
  );
  expect(called.out).toContain("lasts 1d");
});

test("the command that drafts a mapping names the file as it was given", async () => {
  const folder = createFolder({ "b.csv": "time,open,high,low,close\n1704067200,1,2,1,1\n1704070800,1,2,1,1\n" });
  const path = join(folder, "b.csv");
  const { err } = await callCli("import", path, "--out", join(folder, "a.tape"));
  expect(err).toContain(`hint: perplab import --draft-mapping ${path} writes`);
});

test("--draft-mapping prints a mapping that imports the file, and writes nothing", async () => {
  const folder = createFolder({ "BTC-USD.csv": bars });
  const path = join(folder, "BTC-USD.csv");
  const called = await callCli("import", "--draft-mapping", path);
  expect(called.exitCode).toBe(0);
  expect(called.err).toContain("save it as FILE.yaml");
  expect(readdirSync(folder)).toEqual(["BTC-USD.csv"]);
  writeFileSync(join(folder, "mine.yaml"), called.out);
  const out = join(folder, "a.tape");
  const imported = await callCli("import", `BTC:${join(folder, "mine.yaml")}=${path}`, "--out", out);
  expect(imported.out).toMatch(/BTC +2 bar/);
  const json = await callCli("import", "--draft-mapping", path, "--json");
  expect(JSON.parse(json.out)).toMatchObject({ mapping: { mapping: "BTC-USD", header: true }, questions: [] });
});

test("--draft-mapping takes one file and no tape, and without it a tape is needed", async () => {
  const folder = createFolder({ "a.csv": bars });
  const path = join(folder, "a.csv");
  for (const args of [
    [path],
    ["--draft-mapping", path, path],
    ["--draft-mapping", path, "--out", join(folder, "a.tape")],
  ]) {
    const called = await callCli("import", ...args);
    expect(called.err).toMatch(/^error USAGE /m);
    expect(called.exitCode).toBe(2);
  }
  expect(readdirSync(folder)).toEqual(["a.csv"]);
});

test("--detect prints a line for each file of a pattern, and writes nothing", async () => {
  const folder = createFolder({ "b.csv": bars, "a.csv": trades, "c.csv": "time,level\n1,2\n" });
  const called = await callCli("import", "--detect", join(folder, "*.csv"));
  expect(called.exitCode).toBe(0);
  const [first, second, third, ...more] = called.out.trimEnd().split("\n");
  expect(more).toEqual([]);
  expect(first).toMatch(/a\.csv +aggTrades \(trade\) +a +2 rows +from 2023-11-14 22:13:20 UTC/);
  expect(second).toMatch(/b\.csv +ohlcv \(bar\) +b +2 rows +from 2024-01-30 00:00:00 UTC/);
  expect(third).toMatch(/c\.csv +mapping needed +c +0 rows +.*no known layout .*--draft-mapping/);
  expect(readdirSync(folder).toSorted()).toEqual(["a.csv", "b.csv", "c.csv"]);
  const json = await callCli("import", "--detect", `BTC:aggTrades=${join(folder, "a*")}`, "--json");
  expect(JSON.parse(json.out)).toMatchObject({ files: [{ layout: "aggTrades", market: "BTC", rows: 2, missing: [] }] });
});

test.each([
  ["--out", ["--out", "a.tape"]],
  ["--draft-mapping", ["--draft-mapping"]],
  ["--allow", ["--allow", "gap"]],
])("--detect takes no %s", async (option, options) => {
  const folder = createFolder({ "a.csv": trades });
  const called = await callCli("import", "--detect", join(folder, "a.csv"), ...options);
  expect(called.err).toContain(`error USAGE ${option}`);
  expect(called.exitCode).toBe(2);
});

describe("bad input ends with one error, its place, and no tape", () => {
  test.each([
    ["a missing file", undefined, [], "FILE_MISSING", 2],
    ["a wrong column", trades.replace("price", "prize"), [], "DATA_LAYOUT", 1],
    ["a value that is no number", trades.replace("100.5", "1oo.5"), [], "DATA_MALFORMED", 1],
    ["a surplus digit", trades.replace("100.5", "100.123456789"), [], "DATA_PRECISION", 1],
    ["a row out of order", trades.replace("1700000001000", "1600000000000"), [], "DATA_UNSORTED", 1],
    ["an empty file", "", [], "DATA_EMPTY", 1],
    ["a finding that does not exist", trades, ["--allow", "gaps"], "FINDING_UNKNOWN", 2],
    ["a layout that does not exist", trades, ["--layout-is-unknown"], "USAGE", 2],
  ] as const)("%s", async (_name, text, options, code, exitCode) => {
    const folder = createFolder(text === undefined ? {} : { "a.csv": text });
    const out = join(folder, "a.tape");
    const called = await callCli("import", join(folder, "a.csv"), "--out", out, ...options);
    expect(called.err).toContain(`error ${code} `);
    expect(called.err.match(/^error /gm)).toHaveLength(1);
    expect(called.out).toBe("");
    expect(called.exitCode).toBe(exitCode);
    expect(readdirSync(folder)).toEqual(text === undefined ? [] : ["a.csv"]);
  });

  test("a truncated gzip file", async () => {
    const folder = createFolder();
    const packed = gzipSync(trades.repeat(50));
    writeFileSync(join(folder, "a.csv.gz"), packed.subarray(0, packed.length - 9));
    const called = await callCli("import", join(folder, "a.csv.gz"), "--out", join(folder, "a.tape"));
    expect(called.err).toMatch(/^error GZIP_TRUNCATED .*a\.csv\.gz/m);
    expect(called.exitCode).toBe(1);
    expect(existsSync(join(folder, "a.tape"))).toBe(false);
  });
});
