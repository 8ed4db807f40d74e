import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import type { BacktestReport } from "../../../src/product/report/model.ts";
import type { toSweepJson } from "../../../src/product/research/sweep/sweepDocument.ts";
import { renderBars, waves } from "../../helpers/bars.ts";
import { callCliIn } from "../../helpers/cli.ts";
import { createFolder, projectRoot } from "../../helpers/project.ts";
import { TURNS } from "../../product/research/runs/turns.ts";

type Document = ReturnType<typeof toSweepJson>;

/** Closes that rise, and fall by a third at once: what is long with leverage is liquidated. */
const crash = [...waves(93), ...Array.from({ length: 60 }, (_, at) => 13_000 + 20 * at)];
const BARS = "BTC-PERP-klines-1h.csv";
const PORTFOLIO = `strategies:
  calm: { strategy: trend, params: { fast: 4, slow: 8, patience: 0 }, deposit: 60000 }
  bold: { strategy: trend, params: { fast: 4, slow: 8, patience: 0 }, deposit: 20000, leverage: 5, latency: 20 }
  turns: { strategy: ./turns.js, deposit: 5000 }
`;

function open(portfolio = PORTFOLIO) {
  const folder = createFolder({ [BARS]: renderBars(crash), "turns.js": TURNS, "p.yaml": portfolio });
  const run = (...words: string[]) => callCliIn(folder, ...words);
  const sweep = (...words: string[]) => run("sweep", "p.yaml", "--data", BARS, "--store", "store", ...words);
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  return { folder, run, sweep, read };
}

const GRID = ["--grid", "fast@bold=2,6", "leverage@bold=1,20", "every=3,5"];

const validate = new Ajv2020({ allErrors: true }).compile(
  JSON.parse(readFileSync(join(projectRoot, "docs/reference/sweep.schema.json"), "utf8")) as object,
);

describe("a sweep of several strategies", () => {
  test("has the same cells and roots for 1, 2 and 5 threads, runs nothing twice, and fits its schema", async () => {
    const { folder, sweep } = open();
    const make = async (workers: string) => {
      const { out, err, exitCode } = await sweep(...GRID, "--json", "--workers", workers);
      expect(exitCode, err).toBe(0);
      return { document: JSON.parse(out) as Document, err };
    };
    const first = await make("1");
    expect(first.err).toContain("8 new in 1 thread, 0 kept");
    validate(first.document);
    expect(validate.errors ?? []).toEqual([]);
    expect(first.document.strategy.id).toBe("bold + calm + turns");
    expect(first.document.strategies.map(({ name, id }) => [name, id])).toEqual([
      ["bold", "trend"],
      ["calm", "trend"],
      ["turns", "turns"],
    ]);
    expect(new Set(first.document.cells.map(({ root }) => root)).size).toBe(8);
    expect((await make("2")).err).toContain("0 new in 2 threads, 8 kept");
    for (const workers of ["2", "5"]) {
      rmSync(join(folder, "store"), { recursive: true });
      expect((await make(workers)).document).toEqual(first.document);
    }
  });

  test("changes one strategy by an axis of its own, and shares what the others keep", async () => {
    const { sweep } = open();
    const { cells } = JSON.parse((await sweep(...GRID, "--json")).out) as Document;
    const last = cells.at(-1)!;
    expect(last.values).toEqual({ "fast@bold": 6, "leverage@bold": 20, every: 5 });
    expect(
      last.strategies.map(({ name, params, account }) => [name, params["fast"] ?? params["every"], account]),
    ).toEqual([
      ["bold", 6, { deposit: "20000", leverage: 20, latencyMs: 20 }],
      ["calm", 4, { deposit: "60000" }],
      ["turns", 5, { deposit: "5000" }],
    ]);
    // Sums of the parts are the whole's.
    for (const { metrics, strategies } of cells) {
      const sum = strategies.reduce((total, one) => total + Number(one.metrics.fills), 0);
      expect(metrics.fills).toBe(sum);
    }
  });

  test("ranks by all accounts together, or by a metric of one strategy", async () => {
    const { sweep } = open();
    const ranked = async (sort: string) => {
      const { out } = await sweep(...GRID, "--sort", sort, "--metric", "fills@turns");
      return { out, rows: out.split("\n").flatMap((line) => /^\d+ +(\S+) +(\S+) +(\S+)/.exec(line)?.slice(1) ?? []) };
    };
    const all = await ranked("totalReturn");
    const turns = await ranked("fills@turns");
    expect(all.out).toContain("by Total return, highest first");
    expect(turns.out).toMatch(/by \S.*, turns, highest first/);
    expect(turns.out).toMatch(/^# {2}fast@bold {2}leverage@bold {2}every /m);
    const document = JSON.parse((await sweep(...GRID, "--sort", "totalReturn@turns", "--json")).out) as Document;
    expect(document.sort).toBe("totalReturn@turns");
    const values = document.cells.map(({ strategies }) => Number(strategies[2]!.metrics.totalReturn));
    const best = document.cells.findIndex(({ hash }) => hash === document.best!.hash);
    expect(values[best]).toBe(Math.max(...values));
    expect(new Set(values).size).toBeGreaterThan(1);
    // More turns of `turns` first, whatever the others do.
    expect(turns.rows.filter((_, at) => at % 3 === 2)).toEqual(["3", "3", "3", "3", "5", "5", "5", "5"]);
  });

  test("is red where any account was liquidated, opens reports of the run, and prints commands that make it again", async () => {
    const { folder, run, sweep, read } = open();
    const words = [...GRID, "--insurance", "500", "--out", "a/s.html", "a/s.csv", "a/s.json", "--reports", "all"];
    const { exitCode, out, err } = await sweep(...words);
    expect(exitCode, err).toBe(0);
    expect(out).toMatch(/bold (liquidated|wiped out)/);
    const page = read("a/s.html");
    expect(/<td class="(wipedOut|liquidated)" style=""><a/.test(page)).toBe(true);
    const links = [...page.matchAll(/<a href="(s-runs\/[0-9a-f]{16}\.html)" data-cell/g)].map(([, link]) => link!);
    expect(new Set(links).size).toBe(8);
    expect(read(join("a", links[0]!))).toContain('id="strategy-bold"');
    expect(readdirSync(join(folder, "a/s-runs"))).toHaveLength(8);

    const { cells } = JSON.parse(read("a/s.json")) as Document;
    const red = cells.filter(({ state }) => state === "liquidated");
    expect(red.map(({ values }) => values["leverage@bold"])).toEqual([20, 20]);
    for (const { strategies, state } of cells) {
      const isHit = strategies.some(
        ({ metrics, outcome }) => Number(metrics.liquidations) > 0 || outcome === "wipedOut",
      );
      expect(isHit).toBe(state === "liquidated");
    }
    const cell = cells.find(({ values }) => values["fast@bold"] === 2 && values["leverage@bold"] === 20)!;
    expect(cell.command).toContain("--param fast@bold=2 every@turns=3 --account leverage@bold=20");
    const again = await run(...cell.command.split(" ").slice(1), "--json");
    const report = JSON.parse(again.out) as BacktestReport;
    expect(report.run.engine.stateRoot).toBe(cell.root);
    const metricsOf = (name: string) => report.strategies.find((one) => one.name === name)!.report.summary;
    expect(metricsOf("bold").finalEquity).toBeDefined();

    // The table has the metrics of each strategy after those of the run.
    const [head = "", ...rows] = read("a/s.csv").trim().split("\n");
    const columns = head.split(",");
    for (const name of ["fast@bold", "outcome@bold", "totalReturn@calm", "fills@turns"])
      expect(columns).toContain(name);
    expect(columns.indexOf("totalReturn@bold")).toBeGreaterThan(columns.indexOf("totalReturn"));
    expect(rows).toHaveLength(8);
    const fills = rows.map((row) => row.split(",")[columns.indexOf("fills@turns")]);
    expect(fills).toEqual(cells.map(({ strategies }) => `${strategies[2]!.metrics.fills}`));
  });

  test("varies a setting of all accounts over what the file gives them", async () => {
    const { run, sweep } = open();
    const { cells } = JSON.parse(
      (await sweep("--grid", "leverage=1,3", "deposit@calm=1000", "--json")).out,
    ) as Document;
    for (const { command, root, strategies, values } of cells) {
      expect(strategies.map(({ account }) => account.leverage)).toEqual([undefined, undefined, undefined]);
      expect(command).toContain(`--account leverage=${values["leverage"]} deposit@calm=1000`);
      const report = JSON.parse((await run(...command.split(" ").slice(1), "--json")).out) as BacktestReport;
      expect(report.strategies.map((one) => one.report.run.driver.leverage)).toEqual(Array(3).fill(values["leverage"]));
      expect(report.run.engine.stateRoot).toBe(root);
    }
  });

  test("reads conditions over the parameters of each strategy", async () => {
    const { sweep } = open();
    const where = ["--where", "fast@bold < slow@calm and every = 3", "fast@bold + 2 > fast@calm"];
    const { cells } = JSON.parse((await sweep(...GRID, ...where, "--json")).out) as Document;
    expect(cells.map(({ values }) => [values["fast@bold"], values["every"]])).toEqual([
      [6, 3],
      [6, 3],
    ]);
  });

  test("varies latencies that differ by factors of each account's own", async () => {
    const { run, sweep } = open();
    const { out, err, exitCode } = await sweep("--sensitivity", "latency", "fees", "--json");
    expect(exitCode, err).toBe(0);
    const { cells, sensitivity } = JSON.parse(out) as Document;
    const latency = sensitivity!.axes.find(({ name }) => name === "latency")!;
    expect(latency.values.map(({ text, isBase }) => [text, isBase])).toEqual([
      ["0x", false],
      ["1x", true],
      ["2x", false],
      ["5x", false],
      ["10x", false],
      ["50x", false],
    ]);
    const fast = cells.find(({ values }) => values["latency"] === "5x")!;
    expect(fast.strategies.map(({ account }) => account.latencyMs)).toEqual([100, 500, 500]);
    expect(fast.command).toContain("--account latency@bold=100 latency@calm=500 latency@turns=500");
    const report = JSON.parse((await run(...fast.command.split(" ").slice(1), "--json")).out) as BacktestReport;
    expect(report.run.engine.stateRoot).toBe(fast.root);
    // The same latency for all is a plain axis.
    const same = await sweep("--account", "latency=50", "--sensitivity", "latency", "--json");
    const plain = JSON.parse(same.out) as Document;
    expect(plain.sensitivity!.axes[0]!.values.map(({ text }) => text)).toEqual([
      "0",
      "50",
      "100",
      "250",
      "500",
      "2500",
    ]);
    expect(plain.cells[0]!.command).toContain("--account latency=0");
  });

  test("varies a feed latency that differs by strategy, and each run is made again by its command", async () => {
    const { run, sweep, read } = open(PORTFOLIO.replace("latency: 20", "feedLatency: 60000"));
    const all = ["--account", "feed-latency@calm=1000", "feed-latency@turns=2000"];
    const files = ["--out", "s.html", "s.json", "--reports", "none"];
    const { exitCode, err } = await sweep(...all, "--sensitivity", "feed-latency", ...files);
    expect(exitCode, err).toBe(0);
    const { cells } = JSON.parse(read("s.json")) as Document;
    const slow = cells.find(({ values }) => values["feed-latency"] === "5x")!;
    expect(slow.command).toMatch(/--account feed-latency@bold=300000 feed-latency@calm=5000 feed-latency@turns=10000$/);
    const report = JSON.parse((await run(...slow.command.split(" ").slice(1), "--json")).out) as BacktestReport;
    expect(report.run.engine.stateRoot).toBe(slow.root);
    expect(read("s.html")).toContain("<caption>feed-latency <small>times that of each strategy</small>");
  });

  test("keeps the values of an axis whose name is that of a column of a strategy", async () => {
    const { folder, sweep, read } = open();
    writeFileSync(join(folder, "turns.js"), TURNS.replaceAll("every", "volatility"));
    const { exitCode, err } = await sweep("--grid", "volatility@turns=3,5", "--out", "s.csv");
    expect(exitCode, err).toBe(0);
    const [head = "", ...rows] = read("s.csv").trim().split("\n");
    const columns = head.split(",");
    expect(new Set(columns).size).toBe(columns.length);
    expect(columns).toContain("volatility@turns");
    expect(rows.map((row) => row.split(",")[columns.indexOf("axis_volatility@turns")])).toEqual(["3", "5"]);
  });

  test("shows a cell in which a strategy threw, and ends with its error", async () => {
    const { sweep, read } = open();
    const { exitCode, err } = await sweep("--grid", "mode=throw,idle", "--out", "s.json", "s.csv");
    expect(exitCode).toBe(1);
    expect(err).toMatch(
      /CELLS_FAILED .*1 of 2 runs failed, the first with STRATEGY_FAILED: strategy turns failed .*no luck/,
    );
    const { cells } = JSON.parse(read("s.json")) as Document;
    expect(cells.map(({ strategies }) => strategies.map(({ outcome }) => outcome))).toEqual([
      ["failed", "failed", "failed"],
      ["wipedOut", "completed", "completed"],
    ]);
    validate(JSON.parse(read("s.json")));
    expect(validate.errors ?? []).toEqual([]);
  });
});

describe("bad input ends with one error and what to write", () => {
  const cases: [name: string, words: string[], code: string, said: RegExp][] = [
    [
      "a parameter of two strategies",
      ["--grid", "fast=2,3"],
      "AXIS_AMBIGUOUS",
      /fast is a parameter of calm and bold\n {2}hint: write fast@calm or fast@bold/,
    ],
    ["an unknown strategy", ["--grid", "fast@blod=2"], "AXIS_UNKNOWN", /"blod"\n {2}hint: did you mean bold\?/],
    ["a parameter of another strategy", ["--grid", "every@bold=2"], "AXIS_UNKNOWN", /parameters of bold are fast/],
    [
      "an option of the venue for one strategy",
      ["--grid", "fees@bold=0/0"],
      "AXIS_UNKNOWN",
      /all of them have the same\n {2}hint: write fees=… without @bold/,
    ],
    [
      "an axis of all accounts and of one",
      ["--grid", "leverage=1,2", "leverage@bold=3"],
      "AXIS_REPEATED",
      /leverage is an axis of all strategies, and one of bold/,
    ],
    ["an axis twice", ["--grid", "every=2", "every@turns=3"], "AXIS_REPEATED", /axis twice/],
    [
      "an axis that is fixed",
      ["--param", "every=2", "--grid", "every@turns=3"],
      "AXIS_REPEATED",
      /--param every@turns gives it one value/,
    ],
    [
      "a setting that is fixed",
      ["--account", "leverage@bold=2", "--grid", "leverage=3"],
      "AXIS_REPEATED",
      /--account leverage@bold gives it one value/,
    ],
    [
      "an unknown strategy of a metric",
      ["--grid", "every=2", "--sort", "sharpe@blod"],
      "METRIC_UNKNOWN",
      /mean bold\?/,
    ],
    ["a leverage", ["--grid", "leverage@bold=0"], "OPTION_INVALID", /bold\.leverage/],
    ["an unknown setting", ["--account", "fees@bold=1", "--grid", "every=2"], "OPTION_INVALID", /settings of accounts/],
    [
      "a setting without a value",
      ["--account", "leverage@bold", "--grid", "every=2"],
      "OPTION_INVALID",
      /leverage@bold=3/,
    ],
    [
      "a setting twice",
      ["--account", "leverage=1", "leverage=2", "--grid", "every=2"],
      "OPTION_INVALID",
      /given twice/,
    ],
    ["a parameter without its strategy", ["--param", "fast=3", "--grid", "every=2"], "OPTION_INVALID", /fast@calm or/],
    [
      "a condition over an ambiguous name",
      ["--grid", "every=2", "--where", "fast < 3"],
      "WHERE_INVALID",
      /there is no "fast"/,
    ],
  ];

  test.each(cases)("%s", async (_name, words, code, said) => {
    const { folder, sweep } = open();
    const { exitCode, out, err } = await sweep(...words);
    expect(err).toMatch(new RegExp(`^error ${code} `, "m"));
    expect(err).toMatch(said);
    expect(err.match(/^error /gm)).toHaveLength(1);
    expect([out, exitCode]).toEqual(["", 2]);
    expect(readdirSync(folder).sort()).toEqual([BARS, "p.yaml", "turns.js"].sort());
  });

  test("settings of accounts are for a file of several", async () => {
    const { run } = open();
    const words = ["--data", BARS, "--account", "leverage=3"];
    for (const call of [
      ["sweep", "trend", ...words, "--grid", "fast=2"],
      ["backtest", "trend", ...words],
    ]) {
      const { err, exitCode } = await run(...call);
      expect(err).toMatch(
        /OPTION_INVALID --account is for a file .*\n {2}hint: give the settings of one account as --deposit/,
      );
      expect(exitCode).toBe(2);
    }
  });
});
