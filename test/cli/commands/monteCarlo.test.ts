import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { MonteCarloReport } from "../../../src/product/research/monte-carlo/model.ts";
import { renderBars, waves } from "../../helpers/bars.ts";
import { callCli } from "../../helpers/cli.ts";
import { createFolder } from "../../helpers/project.ts";

/** The report of a run over 40 days of hourly bars, in a folder of its own. */
async function makeReport() {
  const bars = Array.from({ length: 8 }, () => waves(120)).flat();
  const folder = createFolder({ "BTC-PERP-klines-1h.csv": renderBars(bars) });
  const report = join(folder, "report.json");
  const data = join(folder, "BTC-PERP-klines-1h.csv");
  const words = ["--param", "fast=2", "slow=8", "patience=0", "--out", report];
  const run = await callCli("backtest", "trend", "--data", data, ...words);
  expect(run.exitCode, run.err).toBe(0);
  const simulate = async (...rest: string[]) => {
    const { out, err, exitCode } = await callCli("monte-carlo", report, ...rest, "--json");
    expect(exitCode, err).toBe(0);
    return JSON.parse(out) as MonteCarloReport;
  };
  return { folder, report, simulate };
}

describe("perplab monte-carlo", () => {
  test("gives the same paths for the same seed, and others for another", async () => {
    const { simulate } = await makeReport();
    const first = await simulate("--paths", "500");
    expect(await simulate("--paths", "500")).toEqual(first);
    expect((await simulate("--paths", "500", "--seed", "2")).methods[0]!.final).not.toEqual(first.methods[0]!.final);
    expect(first.methods.map(({ method }) => method)).toEqual(["blocks", "trips"]);
  });

  test("measures the run as its report does, and ends every order of its round trips alike", async () => {
    const { report, simulate } = await makeReport();
    const { methods } = await simulate("--paths", "200");
    const { summary, daily, roundTrips } = JSON.parse(readFileSync(report, "utf8"));
    const [blocks, trips] = methods;
    expect(blocks!.recorded.final).toBeCloseTo(Number(daily.at(-1).equity) / Number(daily[0].equity), 12);
    const net = roundTrips.kept.filter((trip: { exitMs: number | null }) => trip.exitMs !== null);
    const sum = net.reduce((total: number, trip: { net: string }) => total + Number(trip.net), 0);
    expect(trips!.recorded.final).toBeCloseTo(1 + sum / Number(summary.initialEquity), 9);
    for (const final of trips!.final) expect(final / trips!.recorded.final).toBeCloseTo(1, 9);
    expect(blocks!.ruin.low).toBeLessThanOrEqual(blocks!.ruin.share);
  });

  test("states on its page where its drawdown is measured, and where that of the report is", async () => {
    const { folder, simulate } = await makeReport();
    const page = join(folder, "paths.html");
    await simulate("--paths", "200", "--out", page);
    expect(readFileSync(page, "utf8")).toContain("The report of the run measures its drawdown at every block");
  });

  test("says why a method is not possible", async () => {
    const { folder, report } = await makeReport();
    const short = JSON.parse(readFileSync(report, "utf8"));
    short.daily = short.daily.slice(0, 5);
    short.roundTrips.kept = [];
    const path = join(folder, "short.json");
    writeFileSync(path, JSON.stringify(short));
    const page = join(folder, "new/paths.html");
    const { out, err, exitCode } = await callCli("monte-carlo", path, "--out", page);
    expect([out, exitCode]).toEqual(["", 3]);
    expect(err).toContain("error PATHS_VACUOUS ");
    expect(err).toContain(": no paths can be drawn: the run has 4 full days, at least 14; the report has 0 of ");
    expect(err).toContain("hint: give the report of a longer run");
    expect(existsSync(join(folder, "new"))).toBe(false);
    writeFileSync(path, JSON.stringify({ ...short, daily: short.daily.slice(0, 2) }));
    expect((await callCli("monte-carlo", path)).err).toContain("the run has 1 full day, at least 14");
    writeFileSync(path, JSON.stringify({ ...short, daily: JSON.parse(readFileSync(report, "utf8")).daily }));
    const half = await callCli("monte-carlo", path, "--paths", "10");
    expect(half.exitCode).toBe(0);
    expect(half.out).toContain("Round trips, in another order: not possible, the report has 0 of ");
    const daily = await callCli("monte-carlo", report, "--paths", "10", "--block", "1");
    expect(daily.out).toContain("in blocks of 1 day on average");
  });

  test.each([
    [["--ruin", "1.5"], "OPTION_INVALID"],
    [["--paths", "0"], "OPTION_INVALID"],
    [["--out", "new/x.pdf"], "REPORT_FORMAT"],
    [["--out", "new/x.html", "new/x.html"], "OUTPUT_REPEATED"],
    [["--out", "./report.json"], "OUTPUT_REPEATED"],
  ])("refuses %j", async (words, code) => {
    const { err, exitCode } = await callCli("monte-carlo", "report.json", ...words);
    expect(exitCode).toBe(2);
    expect(err).toContain(code);
    expect(existsSync("new")).toBe(false);
  });

  test("names the file and the place of what is no report", async () => {
    const path = join(createFolder({}), "broken.json");
    writeFileSync(path, '{"kind":"backtest","schemaVersion":1}');
    const { err, exitCode } = await callCli("monte-carlo", path);
    expect(exitCode).not.toBe(0);
    expect(err).toContain("REPORT_VERSION");
    expect(err).toContain(path);
  });
});
