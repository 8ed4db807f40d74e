import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DEFAULTS } from "../../../src/product/backtest/options.ts";
import type { toSweepJson } from "../../../src/product/research/sweep/sweepDocument.ts";
import { renderBars, waves } from "../../helpers/bars.ts";
import { callCli } from "../../helpers/cli.ts";
import { createFolder, projectRoot } from "../../helpers/project.ts";
import { TURNS } from "../../product/research/runs/turns.ts";

type Document = ReturnType<typeof toSweepJson>;

/** Closes that rise, and fall by a third at once: what is long with leverage is liquidated. */
const crash = [...waves(93), ...Array.from({ length: 60 }, (_, at) => 13_000 + 20 * at)];

/** Runs sweeps in a folder of their own: paths that begin with `./` are meant in it. */
function open() {
  const folder = createFolder({ "BTC-PERP-klines-1h.csv": renderBars(crash), "turns.js": TURNS });
  const place = (word: string) => word.replace(/(^|=|:)\.\//g, `$1${folder}/`);
  const words = (name: string, ...rest: string[]) =>
    ["sweep", name, "--data", "./BTC-PERP-klines-1h.csv", "--store", "./store", ...rest].map(place);
  const sweep = (name: string, ...rest: string[]) => callCli(...words(name, ...rest));
  return { folder, words, sweep };
}

const quick = ["--param", "patience=0"];
const grid = ["--grid", "fast=2..6:2", "slow=8,16", "leverage=1,20"];

/** Files of a folder and below, sorted. */
const list = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

const countRecords = (folder: string) => list(folder).filter((path) => path.endsWith(".run")).length;

describe("a sweep", () => {
  test("has the same cells, roots and ranking for 1, 2 and 5 threads, and runs nothing twice", async () => {
    const { folder, sweep } = open();
    const run = async (workers: string) => {
      const { out, err, exitCode } = await sweep("trend", ...quick, ...grid, "--json", "--workers", workers);
      expect(exitCode, err).toBe(0);
      return { document: JSON.parse(out) as Document, err };
    };
    const first = await run("1");
    expect(first.err).toContain("12 new in 1 thread, 0 kept");
    expect(first.document.cells).toHaveLength(12);
    expect((await run("2")).err).toContain("0 new in 2 threads, 12 kept");
    for (const workers of ["2", "5"]) {
      rmSync(join(folder, "store"), { recursive: true });
      const again = await run(workers);
      expect(again.err).toContain(`12 new in ${workers} threads`);
      expect(again.document).toEqual(first.document);
    }
  });

  test("runs only the cells of values that are new", async () => {
    const { sweep } = open();
    await sweep("trend", ...quick, "--grid", "fast=2,4");
    expect((await sweep("trend", ...quick, "--grid", "fast=2..8:2")).err).toContain("2 new in");
    expect(
      (await sweep("trend", ...quick, "--grid", "fast=2..8:2", "--sort", "maxDrawdown", "--top", "1")).err,
    ).toContain("0 new in");
  });

  test("shows cells that were wiped out, never traded or failed, and ends with one error for those that failed", async () => {
    const { folder, sweep } = open();
    const files = ["./s.html", "./s.json", "./s.csv"];
    const cells = ["--grid", "every=3", "mode=throw,idle,,exit".replace(",,", ","), "leverage=1,99", "--out", ...files];
    const { exitCode, out, err } = await sweep("./turns.js", ...cells);
    expect(exitCode).toBe(1);
    expect(err.match(/^error /gm)).toHaveLength(1);
    expect(err).toMatch(/error CELLS_FAILED .*5 of 6 runs failed, the first with STRATEGY_FAILED: .*no luck/);
    expect(out).toMatch(/^turns {2}BTC-PERP {2}6 runs, 1 never traded, 5 failed\n/);
    expect(out).toMatch(/WORKER_LOST: its thread ended twice/);
    expect(out).toMatch(/OPTION_INVALID: leverage 99 is above/);
    const document = JSON.parse(readFileSync(join(folder, "s.json"), "utf8")) as Document;
    expect(document.counts).toEqual({ cells: 6, traded: 0, idle: 1, liquidated: 0, wipedOut: 0, failed: 5 });
    expect(document.best).toBeNull();
    expect(readFileSync(join(folder, "s.html"), "utf8")).toContain('class="failed"');
    expect(readFileSync(join(folder, "s.csv"), "utf8").trim().split("\n")).toHaveLength(7);
  });

  test("writes a page whose cells open reports, red where the run was liquidated, with the command of each run", async () => {
    const { folder, sweep } = open();
    const { exitCode, out } = await sweep(
      "trend",
      ...quick,
      ...grid,
      "--insurance",
      "500",
      "--out",
      "./a/s.html",
      "./a/s.csv",
    );
    expect(exitCode).toBe(0);
    expect(out).toMatch(/The best of 12 runs .*luck/);
    expect(out).toMatch(/Written\n.*s\.html\n.*s\.csv$/);
    const page = readFileSync(join(folder, "a/s.html"), "utf8");
    const links = [...page.matchAll(/<a href="(s-runs\/[0-9a-f]{16}\.html)" data-cell/g)].map(([, link]) => link!);
    expect(new Set(links).size).toBe(12);
    for (const link of links) expect(readFileSync(join(folder, "a", link), "utf8")).toMatch(/^<!doctype html>/);
    expect(/<td class="(wipedOut|liquidated)" style=""><a/.test(page)).toBe(true);
    expect(/ (src|href)="(https?:)?\/\//.test(page)).toBe(false);

    // The command of a cell is its run: the same root.
    const rows = readFileSync(join(folder, "a/s.csv"), "utf8").trim().split("\n");
    const at = rows[0]!.split(",").indexOf("root");
    const row = rows[8]!;
    const command = row.slice(row.indexOf("perplab backtest"));
    expect(command).toContain("--insurance 500");
    const report = JSON.parse((await callCli(...command.split(" ").slice(1), "--json")).out) as {
      run: { engine: { stateRoot: string } };
    };
    expect(report.run.engine.stateRoot).toBe(row.split(",")[at]);
    // Reports that are there are not made again.
    expect((await sweep("trend", ...quick, ...grid, "--insurance", "500", "--out", "./a/s.html")).err).not.toContain(
      "reports:",
    );
  });

  test("has on its page the fees and the parameters of the markets that all runs share", async () => {
    const { folder, sweep } = open();
    const venue = ["--fees", "0.0001/0.0004", "--set", "liquidationFee=0.02"];
    const files = ["--out", "./s.html", "--reports", "none"];
    const { exitCode, err } = await sweep("trend", "--grid", "fast=2,4", ...venue, ...files);
    expect(exitCode, err).toBe(0);
    const page = readFileSync(join(folder, "s.html"), "utf8");
    expect(page).toContain("<li>fees <b>0.0001/0.0004</b></li>");
    expect(page).toContain("<li>liquidationFee <b>0.02</b></li>");
  });

  test("does not take the failure of an option that its data refuses for the result of a run without it", async () => {
    const { sweep } = open();
    const refused = await sweep("trend", ...quick, "--grid", `queue=${DEFAULTS.queue}`);
    expect(refused.err).toMatch(/CELLS_FAILED .*OPTION_INVALID: no market of this run has a recorded order book/);
    const { exitCode, err } = await sweep("trend", ...quick, "--grid", "leverage=1");
    expect(exitCode, err).toBe(0);
    expect((await sweep("trend", ...quick, "--grid", "bars=1m")).err).toContain("no bars are made of trades");
  });

  test("draws points, keeps conditions, and varies options, market parameters and seeds", async () => {
    const { sweep } = open();
    const axes = ["fast=2..20:2", "slow=4..40:2", "set.makerFee=0,0.0001", "seed=1,2"];
    const conditions = ["--where", "fast * 2 <= slow", "seed = 1 or fast < 8"];
    const draw = ["--random", "6", "--seed", "a"];
    const call = ["--grid", ...axes, ...conditions, ...draw, "--json"];
    const document = JSON.parse((await sweep("trend", ...call)).out) as Document;
    expect(document.cells).toHaveLength(6);
    for (const { values, params, options } of document.cells) {
      expect(Number(values["fast"]) * 2).toBeLessThanOrEqual(Number(values["slow"]));
      expect(params["fast"]).toBe(values["fast"]);
      expect(options.parameters?.["makerFee"]).toBe(`${values["set.makerFee"]}`);
      expect(options.seed).toBe(`${values["seed"]}`);
    }
  });
});

describe("a sweep that is killed", () => {
  test("continues, and ends with the result of an uninterrupted sweep", async () => {
    const { folder, words, sweep } = open();
    const cells = [...quick, "--grid", "fast=2..13", "slow=16,24"];
    const call = words("trend", ...cells, "--workers", "1");
    const child = spawn(process.execPath, [join(projectRoot, "bin/perplab.js"), ...call], { cwd: projectRoot });
    mkdirSync(join(folder, "store"), { recursive: true });
    const ended = new Promise((resolve) => child.once("exit", (_code, signal) => resolve(signal)));
    while (countRecords(join(folder, "store")) < 3 && child.exitCode === null) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    child.kill("SIGKILL");
    expect(await ended).toBe("SIGKILL");
    const kept = countRecords(join(folder, "store"));
    expect(kept).toBeGreaterThanOrEqual(3);
    const { out, err } = await sweep("trend", ...cells, "--json");
    expect(err).toContain(`${24 - kept} new in`);
    rmSync(join(folder, "store"), { recursive: true });
    expect(JSON.parse(out)).toEqual(JSON.parse((await sweep("trend", ...cells, "--json")).out));
  });

  test("by Ctrl-C says how to continue", async () => {
    const { folder, words } = open();
    const call = words("trend", ...quick, "--grid", "fast=2..60", "--workers", "1");
    const child = spawn(process.execPath, [join(projectRoot, "bin/perplab.js"), ...call], { cwd: projectRoot });
    let err = "";
    child.stderr.on("data", (text: Buffer) => {
      err += text.toString();
    });
    const ended = new Promise((resolve) => child.once("exit", (_code, signal) => resolve(signal)));
    mkdirSync(join(folder, "store"), { recursive: true });
    while (countRecords(join(folder, "store")) < 1 && child.exitCode === null) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    child.kill("SIGINT");
    expect(await ended).toBe("SIGINT");
    expect(err).toMatch(
      /stopped after \d+ of 59 runs; finished runs are kept; to continue: perplab sweep trend --data .* --grid fast=2\.\.60/,
    );
  });
});

test("a strategy that keeps state between runs is refused", async () => {
  const { folder, sweep } = open();
  const body = TURNS.replace("export default", "let total = 0;\nexport default").replace(
    "const turn = ++memory.bars;",
    "const turn = ++memory.bars; if (++total % 7 === 0) return;",
  );
  writeFileSync(join(folder, "sticky.js"), body);
  const { exitCode, err } = await sweep("./sticky.js", "--grid", "every=1..12", "--workers", "1");
  expect(exitCode).toBe(1);
  expect(err).toMatch(
    /error STRATEGY_STATEFUL .*every=1 .*was made twice, with two results\n {2}hint: the strategy remembers/,
  );
});

test("a record that is damaged is named in one line, and its run is made again", async () => {
  const { folder, sweep } = open();
  const call = ["trend", ...quick, "--grid", "fast=2,4,6", "--json"] as const;
  const first = await sweep(...call);
  const [path = ""] = list(join(folder, "store")).filter((one) => one.endsWith(".run"));
  writeFileSync(path, readFileSync(path, "utf8").slice(0, 300));
  const again = await sweep(...call);
  expect(again.err.split("\n").filter((line) => line.includes("damaged"))).toEqual([
    `${path}: damaged, its checksum differs; the run is made again`,
  ]);
  expect(again.err).toContain("1 new in");
  expect(again.out).toBe(first.out);
});

describe("bad input ends with one error, its place, and nothing written", () => {
  const cases: [name: string, words: string[], code: string, said: RegExp, exitCode: 1 | 2][] = [
    ["an unknown strategy", ["trnd", "--grid", "fast=2"], "STRATEGY_UNKNOWN", /did you mean trend/, 2],
    ["an unknown axis", ["trend", "--grid", "fats=2,3"], "AXIS_UNKNOWN", /"fats"\n {2}hint: did you mean fast\?/, 2],
    ["an unknown option", ["trend", "--grid", "run.leverge=2,3"], "AXIS_UNKNOWN", /did you mean leverage\?/, 2],
    ["no values", ["trend", "--grid", "fast"], "GRID_INVALID", /not name=values/, 2],
    ["an empty value", ["trend", "--grid", "fast=2,,3"], "GRID_INVALID", /empty value/, 2],
    ["a range that ends early", ["trend", "--grid", "fast=9..2"], "GRID_INVALID", /hint: write 2\.\.9/, 2],
    ["a value that the strategy refuses", ["trend", "--grid", "share=0.5,2"], "PARAM_INVALID", /share cannot be 2/, 2],
    ["a value that is no number", ["trend", "--grid", "fast=2,x"], "PARAM_INVALID", /fast is not a number: "x"/, 2],
    [
      "an option's value",
      ["trend", "--grid", "participation=0.1,7"],
      "OPTION_INVALID",
      /participation must be from 0 to 1/,
      2,
    ],
    ["an axis twice", ["trend", "--grid", "fast=2", "param.fast=3"], "AXIS_REPEATED", /axis twice/, 2],
    ["an axis that is fixed", ["trend", "--param", "fast=2", "--grid", "fast=3"], "AXIS_REPEATED", /--param fast/, 2],
    ["an option that is fixed", ["trend", "--leverage", "2", "--grid", "leverage=3"], "AXIS_REPEATED", /--leverage/, 2],
    [
      "fees, of which a parameter of the markets fixes one",
      ["trend", "--set", "takerFee=0.001", "--grid", "fees=0.0001/0.0002"],
      "AXIS_REPEATED",
      /--set takerFee gives it one value/,
      2,
    ],
    [
      "a huge grid",
      ["trend", "--grid", "fast=2..2000", "slow=3..2000"],
      "GRID_TOO_LARGE",
      /3,994,002 points .*\n {2}hint: .*--random/,
      2,
    ],
    [
      "a grid without a point",
      ["trend", "--grid", "fast=2..9", "--where", "fast > slow"],
      "GRID_EMPTY",
      /none of the grid/,
      2,
    ],
    [
      "a grid whose only point is left out",
      ["trend", "--grid", "fast=2", "--where", "fast > slow"],
      "GRID_EMPTY",
      /the grid's only point does not meet the conditions/,
      2,
    ],
    [
      "fees, of which an axis would change one",
      ["trend", "--fees", "0.0001/0.0002", "--grid", "set.takerFee=0.001,0.002"],
      "OPTION_INVALID",
      /fees and the market parameter takerFee are both given/,
      2,
    ],
    [
      "a condition of unknown names",
      ["trend", "--grid", "fast=2", "--where", "fats > 1"],
      "WHERE_INVALID",
      /did you mean fast\?/,
      2,
    ],
    [
      "an unknown metric",
      ["trend", "--grid", "fast=2", "--sort", "sharp"],
      "METRIC_UNKNOWN",
      /did you mean sharpe\?/,
      2,
    ],
    ["a seed without a draw", ["trend", "--grid", "fast=2", "--seed", "1"], "OPTION_MISSING", /--random COUNT/, 2],
    [
      "reports without a page",
      ["trend", "--grid", "fast=2", "--reports", "all"],
      "OPTION_MISSING",
      /--out sweep\.html/,
      2,
    ],
    ["no threads", ["trend", "--grid", "fast=2", "--workers", "0"], "OPTION_INVALID", /at least 1/, 2],
    ["an ending", ["trend", "--grid", "fast=2", "--out", "./s.md"], "REPORT_FORMAT", /s\.md/, 2],
    [
      "a file that is named twice",
      ["trend", "--grid", "fast=2", "--out", "./s.csv", "./s.csv"],
      "OUTPUT_REPEATED",
      /s\.csv/,
      2,
    ],
    ["a missing file", ["trend", "--grid", "fast=2", "--data", "./none.csv"], "FILE_MISSING", /none\.csv/, 2],
  ];

  test.each(cases)("%s", async (_name, words, code, said, expected) => {
    const { folder, sweep } = open();
    const { exitCode, out, err } = await sweep(words[0]!, ...words.slice(1));
    expect(err).toMatch(new RegExp(`^error ${code} `, "m"));
    expect(err).toMatch(said);
    expect(err.match(/^error /gm)).toHaveLength(1);
    expect(out).toBe("");
    expect(exitCode).toBe(expected);
    expect(list(folder).map((path) => path.slice(folder.length + 1))).toEqual(["BTC-PERP-klines-1h.csv", "turns.js"]);
  });

  test("a name that is both a parameter and an option needs its prefix", async () => {
    const { folder, sweep } = open();
    writeFileSync(join(folder, "both.js"), TURNS.replaceAll("every", "leverage"));
    const { err } = await sweep("./both.js", "--grid", "leverage=2,3");
    expect(err).toMatch(/AXIS_AMBIGUOUS .*\n {2}hint: write param\.leverage or run\.leverage/);
    const { out } = await sweep(
      "./both.js",
      "--grid",
      "param.leverage=2,3",
      "run.leverage=1,2",
      "--where",
      "param.leverage > run.leverage",
      "--json",
    );
    const { cells } = JSON.parse(out) as Document;
    expect(cells.map(({ params, options }) => [params["leverage"], options.leverage])).toEqual([
      [2, 1],
      [3, 1],
      [3, 2],
    ]);
  });
});
