import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { WalkForwardReport } from "../../../src/product/research/walk-forward/model.ts";
import { renderBars, waves } from "../../helpers/bars.ts";
import { callCli, callCliIn } from "../../helpers/cli.ts";
import { createFolder } from "../../helpers/project.ts";
import { TURNS } from "../../product/research/runs/turns.ts";

/** Runs walk-forwards over 40 days of hourly bars in a folder of their own. */
function open() {
  const bars = Array.from({ length: 8 }, () => waves(120)).flat();
  const folder = createFolder({ "BTC-PERP-klines-1h.csv": renderBars(bars), "turns.js": TURNS });
  const place = (word: string) => word.replace(/^\.\//, `${folder}/`);
  const walk = (...rest: string[]) => {
    const data = ["--data", "./BTC-PERP-klines-1h.csv", "--store", "./store", "--param", "patience=0"];
    return callCli(...["walk-forward", "trend", ...data, ...rest].map(place));
  };
  return { folder, walk };
}

const grid = ["--grid", "fast=2..6:2", "slow=8,16"];
const spans = ["--train", "10d", "--test", "5d"];

describe("perplab walk-forward", () => {
  test("has the same windows, choices and roots for 1 and 3 threads, and runs nothing twice", async () => {
    const { walk } = open();
    const first = await walk(...grid, ...spans, "--workers", "1", "--json");
    expect(first.exitCode, first.err).toBe(0);
    const report = JSON.parse(first.out) as WalkForwardReport;
    expect(report.windows.length).toBeGreaterThan(2);
    expect(report.windows.every(({ ranked }) => ranked === 6)).toBe(true);
    const again = await walk(...grid, ...spans, "--workers", "3", "--json");
    expect(JSON.parse(again.out)).toEqual(report);
    const fresh = open();
    const other = await fresh.walk(...grid, ...spans, "--workers", "3", "--json");
    expect((JSON.parse(other.out) as WalkForwardReport).windows).toEqual(report.windows);
  });

  test("chooses parameters of one of several strategies by its own metric, with the curve of all accounts", async () => {
    const { folder, walk: _walk } = open();
    writeFileSync(
      join(folder, "p.yaml"),
      "strategies:\n  fast: { strategy: trend, params: { patience: 0 } }\n  turns: { strategy: ./turns.js, deposit: 5000 }\n",
    );
    const walk = (...rest: string[]) =>
      callCliIn(folder, "walk-forward", "p.yaml", "--data", "BTC-PERP-klines-1h.csv", "--store", "store", ...rest);
    const words = ["--grid", "fast@fast=2,4", "slow=8,16", "every=3,7", ...spans, "--json"];
    const first = await walk(...words, "--choose", "totalReturn@fast", "--workers", "1");
    expect(first.exitCode, first.err).toBe(0);
    const report = JSON.parse(first.out) as WalkForwardReport;
    expect([report.strategy, report.metric]).toEqual(["fast + turns", "totalReturn@fast"]);
    // `every` is of the other strategy: among equal points the first is chosen.
    const chosen = report.windows.map(({ chosen: point }) => report.points[point!]![2]);
    expect(new Set(chosen)).toEqual(new Set([0]));
    const all = JSON.parse(
      (await walk(...words, "--choose", "totalReturn", "--workers", "3")).out,
    ) as WalkForwardReport;
    const { trainValue, trainReturn } = all.windows[0]!;
    expect(trainValue).toBe(trainReturn);
    expect(report.windows[0]!.trainValue).not.toBe(report.windows[0]!.trainReturn);
    // The best of all accounts is at least as good as the one chosen by one strategy.
    for (const [at, window] of all.windows.entries()) {
      expect(window.trainReturn!).toBeGreaterThanOrEqual(report.windows[at]!.trainReturn!);
    }
  });

  test("writes a page, a table and JSON", async () => {
    const { folder, walk } = open();
    const paths = ["out/walk.html", "out/walk.csv", "out/walk.json"].map((name) => join(folder, name));
    const { out, exitCode, err } = await walk(...grid, ...spans, "--out", ...paths);
    expect(exitCode, err).toBe(0);
    expect(out).toContain("Out-of-sample return");
    const [page, table, json] = paths.map((path) => readFileSync(path, "utf8"));
    const report = JSON.parse(json!) as WalkForwardReport;
    expect(table!.trim().split("\n")).toHaveLength(report.windows.length + 1);
    expect(page).toContain("Equity of the tests");
    expect(page).toContain("walk-forward trend");
  });

  test("whose runs failed shows and writes them, and ends with the first error", async () => {
    const { folder, walk: _walk } = open();
    const words = [
      "--grid",
      "mode=throw,idle",
      "every=3",
      "--train",
      "25d",
      "--test",
      "10d",
      "--choose",
      "totalReturn",
    ];
    const files = ["--store", "store", "--out", "w.html", "w.json"];
    const { exitCode, out, err } = await callCliIn(
      folder,
      ...["walk-forward", "./turns.js", "--data", "BTC-PERP-klines-1h.csv", ...words, ...files],
    );
    expect(exitCode).toBe(1);
    const said = /1 of 3 runs failed, the first with STRATEGY_FAILED: the strategy failed .*no luck/;
    expect(err).toMatch(/error CELLS_FAILED /);
    expect(err).toMatch(said);
    expect(out).toContain("mode=idle");
    expect(out).toMatch(/Of 1 window\.$/m);
    expect(readFileSync(join(folder, "w.html"), "utf8")).toMatch(said);
    const report = JSON.parse(readFileSync(join(folder, "w.json"), "utf8")) as WalkForwardReport;
    expect(report.failed).toMatchObject({ runs: 1, of: 3, first: { code: "STRATEGY_FAILED" } });
  });

  test("names the values of a grid of one point", async () => {
    const { walk } = open();
    const { out, exitCode, err } = await walk("--grid", "fast=4", "slow=8", ...spans);
    expect(exitCode, err).toBe(0);
    expect(out).toContain("fast=4 slow=8");
    expect(out).not.toContain("Drift of the parameters");
  });

  test.each([
    ["no window", ["--train", "200d", "--test", "5d"], "WINDOWS_INVALID", "train"],
    ["overlapping tests", ["--train", "10d", "--test", "5d", "--step", "1d"], "WINDOWS_INVALID", "step"],
    ["an unknown metric", [...spans, "--choose", "sharp"], "METRIC_UNKNOWN", "did you mean sharpe"],
    ["times as an axis", [...spans, "--grid", "from=2024-01-01,2024-01-03"], "OPTION_INVALID", "from is an axis"],
    ["a file that is named twice", [...spans, "--out", "w.csv", "w.csv"], "OUTPUT_REPEATED", "w.csv"],
  ])("refuses %s, and writes nothing", async (_, words, code, hint) => {
    const { folder, walk } = open();
    const { err, exitCode } = await walk(...grid, ...words, "--out", join(folder, "new/walk.html"));
    expect(exitCode).toBe(2);
    expect(err).toContain(code);
    expect(err).toContain(hint);
    expect(existsSync(join(folder, "new"))).toBe(false);
  });
});
