import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { splitCommand } from "../../../src/ground/collections/commandLine.ts";
import type { BacktestReport } from "../../../src/product/report/model.ts";
import { renderBars, waves } from "../../helpers/bars.ts";
import { callCliIn } from "../../helpers/cli.ts";
import { createFolder, projectRoot } from "../../helpers/project.ts";

const DATA = ["--data", "BTC-PERP-klines-1h.csv"];
const quick = ["--param", "fast=4", "slow=8", "patience=0"];
const START = Date.UTC(2024, 0, 1);

function open() {
  const folder = createFolder({
    "BTC-PERP-klines-1h.csv": renderBars(waves(200)),
    "mine/latencies.csv": `time,latency\n${START},100\n${START + 40 * 3_600_000},9000000\n`,
    "outages.csv": "from,to,stops\n2024-01-02,2024-01-03T12:00,submit\n",
    "mine/both.yaml": `strategies:
  near: { strategy: trend, params: { fast: 4, slow: 8, patience: 0 } }
  far:
    strategy: trend
    params: { fast: 4, slow: 8, patience: 0 }
    latency: latencies.csv
    feedLatency: lognormal(20,0.5)
    receiptLatency: 300
    rateLimit: 1/1h
    outages: [2024-01-04..2024-01-05, ../outages.csv]
`,
    "package.json": '{"type":"module"}',
  });
  symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"), "junction");
  const call = (...words: string[]) => callCliIn(folder, ...words);
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8")) as BacktestReport;
  return { folder, call, read };
}

const LINK = [
  ...["--latency", "mine/latencies.csv", "--feed-latency", "uniform(0,90000)", "--receipt-latency=250"],
  ...["--rate-limit", "2/1h,3/1d", "--outage", "2024-01-04..2024-01-05:feed", "outages.csv"],
];

describe("the connection of a run", () => {
  test("is in the report, with what it cost, and in the command that makes the run again", async () => {
    const { call, read } = open();
    const { exitCode, err } = await call("backtest", "trend", ...DATA, ...quick, ...LINK, "--out", "r.json");
    expect(exitCode, err).toBe(0);
    const { run, rejections } = read("r.json");
    expect(run.driver).toMatchObject({ latencyMs: null, latency: "latencies.csv" });
    const facts = Object.fromEntries(run.driver.other.map(({ name, value }) => [name, value]));
    expect(facts).toMatchObject({
      "feed latency": "uniform(0,90000)",
      "receipt latency": "250 ms",
      "rate limit": "2/3600000ms,3/86400000ms",
      outages: "1 d 12 h of the run without a way to the venue, 1 d without messages from it",
    });
    const refused = rejections.find(({ code }) => code === "VENUE_UNREACHABLE")!.count;
    expect(refused).toBeGreaterThan(0);
    expect(run.assumptions.join(" ")).toContain(`${refused} transaction`);
    for (const word of ["--feed-latency", "--receipt-latency 250", "--rate-limit", "--outage"])
      expect(run.command).toContain(word);
    // Files are in the command by their paths.
    const again = await call(...splitCommand(run.command)!, "--out", "again.json");
    expect(again.exitCode, again.err).toBe(0);
    expect(read("again.json").run.engine).toEqual(run.engine);
  });

  test("of a strategy in a file is its own, and paths are relative to the file", async () => {
    const { call, read } = open();
    const { exitCode, err } = await call("backtest", "mine/both.yaml", ...DATA, "--out", "r.json");
    expect(exitCode, err).toBe(0);
    const [far, near] = read("r.json").strategies.map(({ report }) => report);
    expect(near!.run.driver).toMatchObject({ latencyMs: 100, latency: "100" });
    expect(far!.run.driver).toMatchObject({ latencyMs: null, latency: "latencies.csv" });
    expect(Object.fromEntries(far!.run.driver.other.map(({ name, value }) => [name, value]))).toMatchObject({
      "feed latency": "lognormal(20,0.5)",
      "receipt latency": "300 ms",
      "rate limit": "1/3600000ms",
      outages: "2 d 12 h of the run without a way to the venue, 1 d without messages from it",
    });
    expect(near!.run.driver.other.map(({ name }) => name)).not.toContain("feed latency");
    expect(far!.run.engine).toEqual(near!.run.engine);
    expect(far!.summary.finalEquity).not.toBe(near!.summary.finalEquity);
  });

  test("is in a bundle, which is proved without the files that it was read from", async () => {
    const { call, folder } = open();
    const made = await call("backtest", "trend", ...DATA, ...quick, ...LINK, "--bundle", "run.bundle");
    expect(made.exitCode, made.err).toBe(0);
    writeFileSync(join(folder, "mine/latencies.csv"), "gone");
    const proof = await call("rerun", "run.bundle");
    expect(proof.exitCode, proof.err).toBe(0);
  });

  test("is an axis of a sweep, and names its runs", async () => {
    const { call, folder } = open();
    const sweep = async (...words: string[]) => {
      const { exitCode, err } = await call(
        ...["sweep", "trend", ...DATA, ...quick, "--store", "store", "--workers", "1", ...words],
      );
      expect(exitCode, err).toBe(0);
    };
    await sweep("--grid", "feed-latency=0,7200000", "receipt-latency=0,60000", "--out", "s.csv");
    const rows = readFileSync(join(folder, "s.csv"), "utf8").trim().split("\n");
    expect(rows).toHaveLength(5);
    const [head, ...cells] = rows.map((row) => row.split(","));
    const roots = cells.map((cell) => cell[head!.indexOf("root")]);
    expect(new Set(roots).size).toBeGreaterThan(1);
  });

  test("with a recorded latency in another folder is repeated by the command of each cell", async () => {
    const { call, read, folder } = open();
    const sweep = ["sweep", "trend", ...DATA, ...quick.filter((word) => word !== "fast=4"), "--workers", "1"];
    const words = ["--latency", "mine/latencies.csv", "--outage", "outages.csv", "--grid", "fast=3,4"];
    const made = await call(...sweep, ...words, "--out", "s.json");
    expect(made.exitCode, made.err).toBe(0);
    const { cells } = JSON.parse(readFileSync(join(folder, "s.json"), "utf8")) as {
      cells: { command: string; root: string }[];
    };
    expect(cells).toHaveLength(2);
    for (const { command, root } of cells) {
      const again = await call(...splitCommand(command)!, "--out", "again.json");
      expect(again.exitCode, again.err).toBe(0);
      expect(read("again.json").run.engine.stateRoot).toBe(root);
    }
  });

  test("is an axis of distributions, of limits and of times without a connection", async () => {
    const { call, folder } = open();
    const sweep = ["sweep", "trend", ...DATA, ...quick, "--workers", "1", "--out", "s.json"];
    const axes = ["latency=uniform(1,90),7", "rate-limit=1/1d,9/1s", "outage=2024-01-03..2024-01-07"];
    const made = await call(...sweep, "--grid", ...axes);
    expect(made.exitCode, made.err).toBe(0);
    const { cells } = JSON.parse(readFileSync(join(folder, "s.json"), "utf8")) as { cells: { values: object }[] };
    const outage = "2024-01-03..2024-01-07";
    expect(cells.map(({ values }) => values)).toEqual([
      { latency: "uniform(1,90)", "rate-limit": "1/1d", outage },
      { latency: "uniform(1,90)", "rate-limit": "9/1s", outage },
      { latency: 7, "rate-limit": "1/1d", outage },
      { latency: 7, "rate-limit": "9/1s", outage },
    ]);
  });

  test("of several strategies is on the page of their sweep by the names of its options", async () => {
    const { call, folder } = open();
    const words = ["mine/both.yaml", ...DATA, "--workers", "1", "--reports", "none", "--out", "s.html"];
    const made = await call("sweep", ...words, "--grid", "receipt-latency@far=0,60000");
    expect(made.exitCode, made.err).toBe(0);
    const page = readFileSync(join(folder, "s.html"), "utf8");
    for (const [name, value] of [
      ["latency", "latencies.csv"],
      ["feed-latency", "lognormal(20,0.5)"],
      ["rate-limit", "1/1h"],
      ["outage", "2 times"],
    ])
      expect(page).toContain(`<li>${name} <b>${value}</b></li>`);
    // An axis gives it another value in each run.
    expect(page).not.toContain("<li>receipt-latency");
  });

  test("is part of the look-ahead check: a late view needs no later data", async () => {
    const { call } = open();
    const { exitCode, out, err } = await call(
      ...["backtest", "trend", ...DATA, ...quick, "--feed-latency", "uniform(0,90000)", "--check-lookahead", "2"],
    );
    expect(exitCode, err).toBe(0);
    expect(out).toContain("no decision depends on data that was not known yet");
  });
});

describe("a connection that cannot be read is refused with its option, before any data is read", () => {
  test.each([
    [["--latency", "slow"], "--latency", /no latency/],
    [["--latency", "gone.csv"], "--latency", /no file gone\.csv/],
    [["--latency", "outages.csv"], "--latency", /outages\.csv:1/],
    [["--feed-latency", "uniform(5,1)"], "--feed-latency", /low first/],
    [["--receipt-latency=-1"], "--receipt-latency", /no latency/],
    [["--rate-limit", "10"], "--rate-limit", /no rate limit/],
    [["--outage", "noon"], "--outage", /no outage/],
    [["--outage", "mine/latencies.csv"], "--outage", /latencies\.csv:1/],
    [["--outage", "2024-01-02..2024-01-01"], "--outage", /ends before it begins/],
  ] as const)("%j", async (words, place, reason) => {
    const { call } = open();
    const { exitCode, err } = await call("backtest", "trend", "--data", "missing.csv", ...words);
    expect(exitCode).toBe(2);
    expect(err).toContain(`error OPTION_INVALID ${place}`);
    expect(err).toMatch(reason);
  });

  test("a sensitivity of a latency that is no number", async () => {
    const { call } = open();
    const words = ["sweep", "trend", ...DATA, ...quick, "--latency", "normal(30,10)", "--sensitivity"];
    const { exitCode, err } = await call(...words);
    expect(exitCode).toBe(2);
    expect(err).toMatch(
      /the latency normal\(30,10\) is no number of ms[\s\S]*name the others: feed-latency, receipt-latency, fees, participation/,
    );
  });
});
