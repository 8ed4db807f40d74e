import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { callCli } from "../../helpers/cli.ts";
import { createFolder, projectRoot } from "../../helpers/project.ts";

const folder = mkdtempSync(join(tmpdir(), "perplab-test-"));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string) => join(folder, name);
const TAPE = path("day.tape");
const data = (name: string) => join(projectRoot, "data", name);

beforeAll(async () => {
  const { exitCode, err } = await callCli(
    "import",
    data("BTC-PERP-klines-1m-2024-07-19.csv.gz"),
    data("BTC-PERP-fundingRate-2024.csv"),
    "--out",
    TAPE,
  );
  expect(exitCode, err).toBe(0);
});

const json = async (...words: string[]) => {
  const { out, err, exitCode } = await callCli("tape", ...words, "--json");
  expect(exitCode, err).toBe(0);
  return JSON.parse(out);
};

test("info shows markets, kinds and the span of time", async () => {
  const { out } = await callCli("tape", "info", TAPE);
  expect(out).toContain("BTC-PERP  1,098 funding, 1,440 bar");
  expect(await json("info", TAPE)).toMatchObject({ format: "perplab-tape", counts: { bar: 1440 } });
});

test("head prints the first events of a part, with the columns that they use", async () => {
  const { out } = await callCli("tape", "head", TAPE, "--from", "2024-07-19", "--kind", "bar", "--rows", "2");
  const [names, first, ...rest] = out.trimEnd().split("\n");
  expect(names).toMatch(/^time +market +kind +price +size +open +high +low +intervalMs$/);
  expect(first).toMatch(/^2024-07-19 00:01:00\.000 +BTC-PERP +bar /);
  expect(rest).toHaveLength(1);
  const [bar] = await json("head", TAPE, "--from", "2024-07-19", "--kind", "bar", "-n", "1");
  expect(bar).toMatchObject({ time: "2024-07-19T00:01:00.000Z", market: "BTC-PERP", intervalMs: 60_000 });
  expect(bar.price).toMatch(/^\d+(\.\d+)?$/);
  expect((await callCli("tape", "head", TAPE, "--from", "2030-01-01")).out).toContain("no event in this part");
});

test("slices of a day give the backtest of that time, and joined again the whole of it", async () => {
  const [first, second, joined] = [path("a.tape"), path("b.tape"), path("c.tape")];
  await json("slice", TAPE, "--to", "2024-07-19T12:00", "--out", first);
  await json("slice", TAPE, "--from", "2024-07-19T12:00", "--out", second);
  const { manifest } = await json("merge", first, second, "--out", joined);
  expect(manifest.counts).toMatchObject({ funding: 1098, bar: 1440 });

  const run = async (...words: string[]) => {
    const { out, err, exitCode } = await callCli("backtest", "trend", ...words, "--json");
    expect(exitCode, err).toBe(0);
    return JSON.parse(out).summary;
  };
  const part = ["--from", "2024-07-19", "--to", "2024-07-19T12:00"];
  expect(await run("--data", first)).toEqual(await run("--data", TAPE, ...part));
  expect(await run("--data", joined)).toEqual(await run("--data", TAPE));
});

test("check reads everything and reports streams without a counterpart", async () => {
  const { out, exitCode } = await callCli("tape", "check", TAPE, "--strict");
  expect(exitCode).toBe(0);
  expect(out).toContain("2,538 events, every one read");
  expect(out).toContain("nothing to compare");
});

test("with --strict a check of streams that differ fails", async () => {
  const trades = "1,100,1,1,1,1704067200000,true\n2,101,1,2,2,1704067260000,true\n";
  const bars = "1704067200000,100,100,100,100,2,1704067259999,0,0,0,0,0\n";
  const place = createFolder({ "M-aggTrades.csv": trades, "M-klines.csv": bars });
  const files = [`M:aggTrades=${join(place, "M-aggTrades.csv")}`, `M:klines=${join(place, "M-klines.csv")}`];
  const { out, err, exitCode } = await callCli("tape", "check", ...files, "--strict");
  expect(out).toContain("0 of 1 equal the recorded bars\n    2024-01-01 00:00:00 volume: 2 recorded, 1 built");
  expect(err).toContain("error DATA_DIFFERS M: the streams do not agree");
  expect(exitCode).toBe(1);
  expect((await callCli("tape", "check", ...files)).exitCode).toBe(0);
});

test("export writes a table of exact numbers, and leaves nothing where it fails", async () => {
  const csv = path("bars.csv");
  expect(await json("export", TAPE, "--kind", "funding", "--to", "2024-01-02", "--out", csv)).toEqual({
    table: csv,
    rows: 2,
  });
  const [names, row] = readFileSync(csv, "utf8").split("\n");
  expect(names).toMatch(/^time,market,kind,side,price,size,/);
  expect(row).toMatch(/^2024-01-01T08:00:00\.000Z,BTC-PERP,funding,,,,,,,-?0\.\d+,28800000,,,,,$/);
  const before = readdirSync(folder).sort();
  for (const [words, code] of [
    [["export", TAPE, "--from", "2030-01-01", "--out", path("none.csv")], "DATA_EMPTY"],
    [["export", TAPE, "--out", path("none.xlsx")], "TABLE_FORMAT"],
    [["slice", TAPE, "--market", "ETH", "--out", path("none.tape")], "SOURCE_INVALID"],
    [["slice", TAPE, "--kind", "bars", "--out", path("none.tape")], "OPTION_INVALID"],
    [["slice", TAPE, "--from", "2024-02-01", "--to", "2024-01-01", "--out", path("none.tape")], "OPTION_INVALID"],
    [["merge", TAPE, TAPE, "--out", path("none.tape")], "SOURCE_INVALID"],
    [["merge", TAPE, "--out", path("none.tape")], "USAGE"],
  ] as const) {
    const { err, exitCode } = await callCli("tape", ...words);
    expect(err).toMatch(new RegExp(`^error ${code} `, "m"));
    expect(err).toMatch(/^ {2}hint: /m);
    expect(exitCode, code).toBe(code === "DATA_EMPTY" ? 1 : 2);
  }
  expect(readdirSync(folder).sort()).toEqual(before);
  expect(existsSync(path("none.tape"))).toBe(false);
});
