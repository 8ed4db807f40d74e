import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { BacktestReport } from "../../../src/product/report/model.ts";
import { renderBars, waves } from "../../helpers/bars.ts";
import { callCli } from "../../helpers/cli.ts";
import { createFolder } from "../../helpers/project.ts";

/** A strategy of one hook, as a file. */
const strategy = (body: string) =>
  `export default { id: "mine", params: { type: "object", properties: {}, required: [] }, ${body} };`;

const portfolio = `strategies:
  calm: { strategy: trend, params: { fast: 4, slow: 8, patience: 0 }, deposit: 60000 }
  bold: { strategy: trend, params: { fast: 4, slow: 8, patience: 0 }, deposit: 20000, leverage: 5, latency: 20 }
  own: { strategy: ./mine.js, margin: isolated, seed: 7 }
`;

/** Runs a portfolio in a folder of its own: paths that begin with `./` are meant in it. */
function open(files: Readonly<Record<string, string>> = {}) {
  const folder = createFolder({
    "bars.csv": renderBars(waves(120)),
    "portfolio.yaml": portfolio,
    "mine.js": strategy("onBar(ctx) { ctx.log('seen'); ctx.metric('equity', ctx.account.equity); }"),
    ...files,
  });
  const place = (word: string) => word.replace(/(^|=|:)\.\//g, `$1${folder}/`);
  const run = (...words: string[]) => callCli(...words.map(place));
  const backtest = (name: string, ...words: string[]) =>
    run("backtest", name, "--data", "BTC-PERP=./bars.csv", ...words);
  return { folder, run, backtest };
}

const readReport = (folder: string, name: string) =>
  JSON.parse(readFileSync(join(folder, name), "utf8")) as BacktestReport;

test("a file of several strategies runs them side by side; the options are those of entries without", async () => {
  const { folder, backtest } = open();
  const { exitCode, out } = await backtest(
    "./portfolio.yaml",
    "--leverage",
    "2",
    "--out",
    "./r.json",
    "--notes",
    "./notes.txt",
  );
  expect(exitCode).toBe(0);
  expect(out).toMatch(/^bold \+ calm \+ own {2}/);
  expect(out).toMatch(/Strategies\n.*\n {2}bold .*\n {2}calm .*\n {2}own .*\n {2}Together /);
  expect(out).toMatch(/Figures of the strategy\n.*\n +own: \S+ /);
  const report = readReport(folder, "r.json");
  expect(report.strategies.map(({ name }) => name)).toEqual(["bold", "calm", "own"]);
  const drivers = report.strategies.map(({ report: { run } }) => run.driver);
  expect(drivers.map(({ leverage }) => leverage)).toEqual([5, 2, 2]);
  expect(drivers.map(({ latencyMs }) => latencyMs)).toEqual([20, 100, 100]);
  expect(drivers.map(({ seed }) => seed)).toEqual(["1", "1", "7"]);
  expect(report.run.command).toMatch(/^perplab backtest .*portfolio\.yaml .*--leverage 2/);
  expect(readFileSync(join(folder, "notes.txt"), "utf8")).toMatch(/^\S+Z own: seen\n/);
});

test("the report reads back, and each format has the strategies", async () => {
  const { folder, run, backtest } = open();
  await backtest("./portfolio.yaml", "--out", "./all/");
  const markdown = readFileSync(join(folder, "all/report.md"), "utf8");
  expect(markdown).toContain("## Strategies");
  const { exitCode } = await run("report", "./all/report.json", "--out", "./again.html");
  expect(exitCode).toBe(0);
  const page = readFileSync(join(folder, "again.html"), "utf8");
  expect(page).toBe(readFileSync(join(folder, "all/report.html"), "utf8"));
  for (const name of ["bold", "calm", "own"]) expect(page).toContain(`id="strategy-${name}"`);
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("the report of one of several strategies is a report by itself", async () => {
  const { folder, run, backtest } = open();
  await backtest("./portfolio.yaml", "--out", "./r.json");
  expect((await run("report", "./r.json", "--strategy", "bold", "--out", "./bold.json")).exitCode).toBe(0);
  const [bold] = readReport(folder, "r.json").strategies;
  expect(readReport(folder, "bold.json")).toEqual(bold!.report);
  expect((await run("report", "./bold.json")).out).toMatch(/^bold {2}BTC-PERP\n/);
  const { exitCode, err } = await run("report", "./r.json", "--strategy", "blod");
  expect(err).toMatch(/STRATEGY_UNKNOWN .*r\.json: .*"blod"\n {2}hint: it has bold, calm, own/);
  expect(exitCode).toBe(2);
  expect((await run("report", "./bold.json", "--strategy", "bold")).err).toContain("it is of one strategy");
});

test("tables have one more column, the strategy of the row", async () => {
  const { folder, backtest } = open();
  await backtest("./portfolio.yaml", "--out", "./fills.csv", "./equity.csv", "./orders.csv", "--equity-interval", "1d");
  const rows = (name: string) => readFileSync(join(folder, name), "utf8").trimEnd().split("\n");
  for (const name of ["fills.csv", "equity.csv", "orders.csv"]) expect(rows(name)[0]).toMatch(/^strategy,/);
  const strategies = new Set(
    rows("equity.csv")
      .slice(1)
      .map((row) => row.split(",")[0]),
  );
  expect(strategies).toEqual(new Set(["bold", "calm", "own"]));
  const traders = new Set(
    rows("fills.csv")
      .slice(1)
      .map((row) => row.split(",")[0]),
  );
  expect(traders).toEqual(new Set(["bold", "calm"]));
  expect(
    rows("orders.csv")
      .slice(1)
      .map((row) => row.split(",")[0]),
  ).toContain("bold");
});

test("with a strategy that throws, the others are in the report, and the exit code is 1", async () => {
  const { folder, backtest } = open({ "mine.js": strategy("onBar() { throw new Error('no idea'); }") });
  const { exitCode, err } = await backtest("./portfolio.yaml", "--out", "./r.json", "./r.md");
  expect(exitCode).toBe(1);
  expect(err).toMatch(/error STRATEGY_FAILED own\.onBar: strategy own failed at block .*: no idea/);
  const report = readReport(folder, "r.json");
  expect(report.run.stopped).toBeNull();
  expect(report.strategies.map(({ report: { run } }) => run.stopped?.reason)).toEqual([
    undefined,
    undefined,
    "strategyFailed",
  ]);
  expect(report.strategies[0]!.report.run.endMs).toBe(report.run.endMs);
  expect(readFileSync(join(folder, "r.md"), "utf8")).toMatch(/\*\*Error:\*\* Stopped: strategy own failed/);
});

test("two reports of several are compared strategy by strategy", async () => {
  const { run, backtest } = open({ "other.yaml": portfolio.replace("leverage: 5", "leverage: 3") });
  for (const name of ["portfolio", "other"]) await backtest(`./${name}.yaml`, "--out", `./${name}.json`);
  const { exitCode, out } = await run("compare", "./portfolio.json", "./other.json", "--json");
  expect(exitCode).toBe(4);
  const topics = (
    JSON.parse(out) as { groups: { topic: string; differences: { place: string; a: string; b: string }[] }[] }
  ).groups;
  const bold = topics.find(({ topic }) => topic === "strategy bold")!;
  expect(bold.differences).toContainEqual({ place: "leverage", a: "5", b: "3" });
  // What another strategy has is its own; it changes only where they meet.
  expect(topics.map(({ topic }) => topic)).not.toContain("strategy own");
  expect((await run("compare", "./portfolio.json", "./portfolio.json")).exitCode).toBe(0);
});

test("JSON has the same form as YAML", async () => {
  const { backtest } = open({
    "portfolio.json":
      '{ "strategies": { "one": { "strategy": "trend" }, "two": { "strategy": "trend", "leverage": 2 } } }',
  });
  const { out } = await backtest("./portfolio.json", "--json");
  expect(JSON.parse(out)).toMatchObject({ strategies: [{ name: "one" }, { name: "two" }] });
});

test("a file of one strategy is the run of that strategy", async () => {
  const { backtest } = open({ "one.yaml": "strategies: { any: { strategy: trend, params: { fast: 4, slow: 8 } } }\n" });
  const listed = JSON.parse((await backtest("./one.yaml", "--json")).out) as BacktestReport;
  const alone = JSON.parse((await backtest("trend", "--param", "fast=4", "slow=8", "--json")).out) as BacktestReport;
  expect(listed.run.engine).toEqual(alone.run.engine);
  expect(listed.strategies).toEqual([]);
});

test.each([
  [
    "a key that there is not",
    "strategies:\n  a: { strategy: trend, levrage: 3 }\n",
    /portfolio\.yaml:2: strategies\.a\.levrage: .*did you mean leverage/,
  ],
  ["no strategy", "strategies: {}\n", /PORTFOLIO_INVALID .*portfolio\.yaml:1/],
  [
    "an entry without a strategy",
    "strategies:\n  a: { leverage: 3 }\n",
    /portfolio\.yaml:2: strategies\.a: .*strategy/,
  ],
  [
    "a word that is no margin mode",
    "strategies:\n  a: { strategy: trend, margin: none }\n",
    /portfolio\.yaml:2: strategies\.a\.margin/,
  ],
  [
    "the same name twice",
    "strategies:\n  a: { strategy: trend }\n  a: { strategy: trend }\n",
    /portfolio\.yaml:3: .*unique/,
  ],
  ["text that is no YAML", "strategies: [\n", /PORTFOLIO_INVALID .*portfolio\.yaml:\d+/],
  ["a name that is none", "strategies:\n  A b: { strategy: trend }\n", /OPTION_INVALID .*"A b"/],
  [
    "a parameter that a strategy does not have",
    "strategies:\n  a: { strategy: trend, params: { quick: 1 } }\n  b: { strategy: trend }\n",
    /PARAM_UNKNOWN a\.quick/,
  ],
  [
    "a leverage that is none",
    "strategies:\n  a: { strategy: trend, leverage: 0 }\n  b: { strategy: trend }\n",
    /OPTION_INVALID .*a\.leverage/,
  ],
  ["a strategy that there is not", "strategies:\n  a: { strategy: trnd }\n", /STRATEGY_UNKNOWN/],
])("%s is one error, and nothing is written", async (_, text, message) => {
  const { folder, backtest } = open({ "portfolio.yaml": text });
  const { exitCode, err } = await backtest("./portfolio.yaml", "--out", "./r.json");
  expect(err).toMatch(message);
  expect(err.match(/^error /gm)).toHaveLength(1);
  expect(exitCode).toBe(2);
  expect(readdirSync(folder)).not.toContain("r.json");
});

test("a command changes a parameter of one strategy, and settings of one account or of all", async () => {
  const { folder, backtest } = open();
  const changes = ["--param", "fast@calm=3", "--account", "leverage=2", "leverage@bold=4", "latency@own=7"];
  const { exitCode, err } = await backtest("./portfolio.yaml", ...changes, "--out", "./r.json");
  expect(exitCode, err).toBe(0);
  const { strategies, run } = readReport(folder, "r.json");
  const drivers = strategies.map(({ report }) => report.run.driver);
  expect(drivers.map(({ leverage, latencyMs }) => [leverage, latencyMs])).toEqual([
    [4, 20],
    [2, 100],
    [2, 7],
  ]);
  expect(strategies.map(({ report }) => report.run.strategy.params["fast"])).toEqual([4, 3, undefined]);
  expect(run.command).toContain("--param fast@calm=3 --account leverage=2 leverage@bold=4 latency@own=7");
  // The same in the file.
  const written = portfolio.replace("fast: 4", "fast: 3").replace("deposit: 60000", "deposit: 60000, leverage: 2");
  const other = open({
    "portfolio.yaml": written
      .replace("leverage: 5", "leverage: 4")
      .replace("seed: 7", "seed: 7, leverage: 2, latency: 7"),
  });
  await other.backtest("./portfolio.yaml", "--out", "./r.json");
  expect(readReport(other.folder, "r.json").run.engine).toEqual(run.engine);
});

test.each([
  ["fast@blod=3", /OPTION_INVALID --param: there is no strategy "blod" in the file\n {2}hint: did you mean bold\?/],
  ["fast=3", /OPTION_INVALID --param: fast is a parameter of calm and bold\n {2}hint: write fast@calm or fast@bold/],
  ["speed=3", /OPTION_INVALID --param: no strategy has a parameter speed\n {2}hint: strategies are calm, bold, own/],
  ["fats@bold=3", /PARAM_UNKNOWN .*did you mean fast/s],
  ["fast@bold=x", /PARAM_INVALID/],
])("a parameter of a file of several that cannot be set is refused: %s", async (text, message) => {
  const { folder, backtest } = open();
  const { exitCode, err } = await backtest("./portfolio.yaml", "--param", text, "--out", "./r.json");
  expect(err).toMatch(message);
  expect(exitCode).toBe(2);
  expect(readdirSync(folder)).not.toContain("r.json");
});

test("a command that takes one strategy refuses a file of several", async () => {
  const { folder, run } = open();
  const { exitCode, err } = await run("strategies", "./portfolio.yaml");
  expect(err).toMatch(/STRATEGY_EXPECTED .*portfolio\.yaml/);
  expect(exitCode).toBe(2);
  expect(readdirSync(folder).sort()).toEqual(["bars.csv", "mine.js", "portfolio.yaml"]);
});
