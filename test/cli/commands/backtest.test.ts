import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { DEFAULTS } from "../../../src/product/backtest/options.ts";
import type { BacktestReport } from "../../../src/product/report/model.ts";
import { renderBars, waves } from "../../helpers/bars.ts";
import { callCli } from "../../helpers/cli.ts";
import { readCodeBlocks } from "../../helpers/pages.ts";
import { createFolder, projectRoot, runNode } from "../../helpers/project.ts";

const BIN = join(projectRoot, "bin/perplab.js");
const bars = renderBars(waves(200));
const quick = ["--param", "fast=4", "slow=8", "patience=0"];

/** A strategy of one hook, as a file. JavaScript, so that any loader takes it. */
const strategy = (body: string) => `export default {
  id: "mine",
  params: { type: "object", properties: {}, required: [] },
  ${body}
};`;

/** Everything in a folder, by its path in it. */
const list = (folder: string) => readdirSync(folder, { recursive: true }).map(String).sort();

/** Runs a backtest in a folder of its own: paths that begin with `./` are meant in it. */
function open(files: Readonly<Record<string, string>> = {}) {
  const folder = createFolder({ "BTC-PERP-klines-1h.csv": bars, ...files });
  const place = (word: string) => word.replace(/(^|=|:)\.\//g, `$1${folder}/`);
  const run = (...words: string[]) => callCli(...words.map(place));
  const backtest = (name: string, ...words: string[]) =>
    run("backtest", name, "--data", "./BTC-PERP-klines-1h.csv", ...words);
  return { folder, run, backtest };
}

describe("a run", () => {
  test("shows a summary and the written files", async () => {
    const { folder, backtest } = open();
    const { exitCode, out, err } = await backtest("trend", ...quick, "--out", "./a/r.html", "./a/r.json");
    expect(err).toMatch(/^reading: [\d,]+ bytes\n(.*\n)*reading: done, 200 events\n/);
    expect(err).toMatch(/\nreplaying: [\d,]+ minutes\n(.*\n)*replaying: done, 200 events in [\d,]+ blocks$/);
    expect(out).toMatch(/^trend {2}BTC-PERP\n/);
    expect(out).toMatch(/ {2}Total return +/);
    expect(out).toMatch(/\nWritten\n.*r\.html\n.*r\.json$/);
    expect(exitCode).toBe(0);
    expect(list(folder)).toEqual(["BTC-PERP-klines-1h.csv", "a", "a/r.html", "a/r.json"]);
    expect(readFileSync(join(folder, "a/r.html"), "utf8")).toMatch(/^<!doctype html>/i);
  });

  test("with --json prints the report, and nothing else", async () => {
    const { backtest } = open();
    const { exitCode, out } = await backtest("trend", "--json");
    expect(JSON.parse(out)).toMatchObject({ kind: "backtest", run: { strategy: { id: "trend" } } });
    expect(exitCode).toBe(0);
  });

  test("writes a report of each format into a folder", async () => {
    const { folder, backtest } = open();
    await backtest("trend", "--out", "./all/");
    expect(list(join(folder, "all"))).toEqual(["report.html", "report.json", "report.md"]);
  });

  test("writes tables next to its reports, and lists them", async () => {
    const { folder, backtest } = open();
    const names = ["fills.csv", "x-orders.csv", "trades.parquet", "equity.csv"];
    const paths = names.map((name) => `./t/${name}`);
    const { exitCode, out } = await backtest(
      "trend",
      ...quick,
      "--equity-interval",
      "1d",
      "--out",
      "./t/r.json",
      ...paths,
    );
    expect(exitCode).toBe(0);
    expect(out).toMatch(/\nWritten\n.*r\.json\n.*fills\.csv\n.*x-orders\.csv\n.*trades\.parquet\n.*equity\.csv$/);
    expect(list(join(folder, "t"))).toEqual(["r.json", ...names].sort());
    const report = JSON.parse(readFileSync(join(folder, "t/r.json"), "utf8")) as BacktestReport;
    const linesOf = (name: string) =>
      readFileSync(join(folder, "t", name), "utf8")
        .trimEnd()
        .split("\n");
    expect(linesOf("fills.csv")).toHaveLength(report.fills.total + 1);
    expect(linesOf("equity.csv").length).toBeLessThan(15);
    expect(report.run.command).not.toMatch(/--(out|equity-interval)/);
  });

  // Goal: the command in a report is enough. Method: options of every kind, among them one with a space in it; the
  // words of the command are typed again.
  test("the command in its report makes the same run again", async () => {
    const { run, backtest } = open();
    const options = ["--from", "2024-01-02", "--leverage", "5", "--fees", "0.0001/0.0003", "--impact", "0"];
    options.push("--blocks", "all");
    const tiers = ["--set", "tier1=0 0.05 0.02", "tier2="];
    const first = await backtest(
      "trend",
      ...quick,
      ...options,
      ...tiers,
      "--seed",
      "it's",
      "--out",
      "./r.json",
      "--json",
    );
    const before = JSON.parse(first.out) as BacktestReport;
    const { command } = before.run;
    expect(command).toMatch(/^perplab backtest trend --data .* --param fast=4 slow=8 patience=0 --from 2024-01-02 /);
    expect(command).toContain(" --set 'tier1=0 0.05 0.02' tier2=");
    expect(command).not.toMatch(/--(out|json)/);

    const words = [...command.matchAll(/(?:[^\s'\\]|\\.|'[^']*')+/g)].map(([word]) =>
      word.replace(/\\(.)|'([^']*)'/g, (_, escaped, quoted) => escaped ?? quoted),
    );
    const again = JSON.parse((await run(...words.slice(1), "--json")).out) as BacktestReport;
    expect(again.run.command).toBe(command);
    expect({ ...again.run, performance: 0 }).toEqual({ ...before.run, performance: 0 });
    expect(again.summary).toEqual(before.summary);
    expect(again.run.engine.stateRoot).toMatch(/^0x[0-9a-f]{64}$/);
  });

  test("a tape gives the same state root as the files it was made of", async () => {
    const { run, backtest } = open();
    await run("import", "./BTC-PERP-klines-1h.csv", "--out", "./x.tape");
    const rootOf = ({ out }: { readonly out: string }) => (JSON.parse(out) as BacktestReport).run.engine.stateRoot;
    expect(rootOf(await run("backtest", "trend", "--data", "./x.tape", ...quick, "--json"))).toBe(
      rootOf(await backtest("trend", ...quick, "--json")),
    );
  });

  test("shows the strategy's own figures, and writes its lines", async () => {
    const { folder, backtest } = open({
      "mine.js": strategy(`onBar(ctx, bar) { ctx.metric("close", bar.close); ctx.log("close " + bar.close); }`),
    });
    const { out } = await backtest("./mine.js", "--notes", "./notes.txt");
    expect(out).toMatch(
      /\nFigures of the strategy\n +Figure +Values +Last +Least +Greatest +Mean *\n +close +200 +[\d,]+ +20,000 +20,800 +[\d,.]+ *\n/,
    );
    expect(out).toContain("The strategy logged 200 lines");
    expect(readFileSync(join(folder, "notes.txt"), "utf8")).toMatch(/^2024-01-01T01:00:00\.000Z close 20000\n/);
  });
});

// The command line states defaults in words, because help loads nothing else; the driver has them.
test("the defaults that the help states are those of the driver", async () => {
  const { out } = await callCli("backtest", "--help");
  const stated = (option: string) =>
    new RegExp(`--${option} <[^>]*>[^]*?\\(default:\\s+([^)]*)\\)`).exec(out)?.[1]?.replace(/\s+/g, " ");
  const { latencyMs, feedLatencyMs, receiptLatencyMs, blockMs, spreadTicks, impactTicks, ...same } = DEFAULTS;
  const latencies = { latency: latencyMs, "feed-latency": feedLatencyMs, "receipt-latency": receiptLatencyMs };
  const expected = { ...same, ...latencies, block: blockMs, spread: spreadTicks, impact: impactTicks };
  for (const [option, value] of Object.entries(expected)) expect(stated(option), option).toBe(`${value}`);
});

describe("a strategy that fails leaves the report up to then, and one error", () => {
  const files = {
    "throws.js": strategy(`onBar(ctx, bar) {\n    if (bar.close > 20100) throw new Error("no luck"); }`),
    "waits.js": strategy("async onBlock() {}"),
    "off.js": strategy(`onBar(ctx) { ctx.place({ side: "buy", size: 1, price: 19999.999 }); }`),
  };

  test.each([
    ["that throws", "./throws.js", /onBar: the strategy failed at block \d+ .*no luck\n.*throws\.js:5:/],
    ["that waits", "./waits.js", /onBlock: .*promise/],
    ["with an order off the grid", "./off.js", /onBar: .*price/],
  ])("%s", async (_name, name, place) => {
    const { folder, run, backtest } = open(files);
    const { exitCode, out, err } = await backtest(name, "--out", "./x/r.html", "./x/r.json", "--log", "./x/r.log");
    expect(exitCode).toBe(1);
    expect(err).toMatch(/^error STRATEGY_FAILED /m);
    expect(err).toMatch(place);
    expect(err.match(/^error /gm)).toHaveLength(1);
    expect(out).toMatch(/^Stopped: the strategy failed at block \d+ /m);
    expect(list(join(folder, "x"))).toEqual(["r.html", "r.json", "r.log"]);
    const report = JSON.parse(readFileSync(join(folder, "x/r.json"), "utf8")) as BacktestReport;
    expect(report.run.stopped).toMatchObject({ reason: "strategyFailed", height: report.run.engine.blocks });
    expect((await run("verify", "./x/r.log")).exitCode).toBe(0);
  });

  test("with --json on the terminal as well", async () => {
    const { backtest } = open(files);
    const { exitCode, out, err } = await backtest("./throws.js", "--json");
    expect(exitCode).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ kind: "backtest", run: { stopped: { reason: "strategyFailed" } } });
    expect(JSON.parse(err.split("\n").at(-1)!)).toMatchObject({ error: { code: "STRATEGY_FAILED" } });
  });
});

test("a strategy that ends the process is an error, and leaves nothing", () => {
  const body = "onBar(ctx, bar) { if (bar.close > 20100) process.exit(0); }";
  const folder = createFolder({ "BTC-PERP-klines-1h.csv": bars, "exits.js": strategy(body) });
  const words = ["--data", "BTC-PERP-klines-1h.csv", "--out", "x/r.json", "x/fills.csv", "--log", "x/r.log"];
  const { status, stdout, stderr } = runNode([BIN, "backtest", "./exits.js", ...words], { cwd: folder });
  expect(stderr).toMatch(
    /^error STRATEGY_BROKEN the process was ended before the command was done\n {2}hint: a strategy/m,
  );
  expect([status, stdout]).toEqual([1, ""]);
  expect(list(folder)).toEqual(["BTC-PERP-klines-1h.csv", "exits.js"]);
});

// The run that the README shows: at twenty times its equity it is liquidated in July, and sizes by an equity of 0 from
// then.
test("the README's own breakout runs through at a leverage that it does not survive", () => {
  const code = readCodeBlocks("README.md").find(({ file }) => file === "breakout.ts")!.text;
  const folder = createFolder({ "breakout.ts": code });
  const data = ["--data", "data/BTC-PERP-klines-1h-2024.csv.gz", "--from", "2024-07-01", "--to", "2024-08-01"];
  const options = ["--param", "bars=72", "--leverage", "20"];
  const call = ["bin/perplab.js", "backtest", join(folder, "breakout.ts"), ...data, ...options];
  const { status, stdout } = runNode(call);
  expect(stdout).toMatch(/\nWiped out at block \d+ \(2024-07-19 /);
  expect(status).toBe(0);
});

describe("bad input ends with one error, its place, and nothing written", () => {
  const cases: [name: string, words: string[], code: string, place: RegExp, exitCode: 1 | 2][] = [
    ["an unknown strategy", ["trnd"], "STRATEGY_UNKNOWN", /"trnd"\n {2}hint: did you mean trend\?/, 2],
    ["a missing strategy file", ["./yours.ts"], "STRATEGY_UNKNOWN", /yours\.ts/, 2],
    [
      "an unknown parameter",
      ["trend", "--param", "fats=3"],
      "PARAM_UNKNOWN",
      /fats.*\n {2}hint: did you mean fast\?/,
      2,
    ],
    ["a parameter out of range", ["trend", "--param", "share=2"], "PARAM_INVALID", /share/, 2],
    ["a missing file", ["trend", "--data", "./none.csv"], "FILE_MISSING", /none\.csv/, 2],
    ["a wrong column", ["trend", "--data", "./prize.csv"], "DATA_LAYOUT", /prize\.csv:1/, 1],
    ["a value that is no number", ["trend", "--data", "./word.csv"], "DATA_MALFORMED", /word\.csv:7, column close/, 1],
    ["an unknown layout", ["trend", "--data", "BTC:bars=./BTC-PERP-klines-1h.csv"], "SOURCE_INVALID", /"bars"/, 2],
    [
      "a wrong mapping",
      ["trend", "--data", "BTC:./bad.yaml=./BTC-PERP-klines-1h.csv"],
      "MAPPING_INVALID",
      /bad\.yaml/,
      2,
    ],
    ["an empty range", ["trend", "--from", "2025-01-01"], "DATA_UNUSABLE", /reaches from 2024-01-01/, 1],
    [
      "a range the wrong way round",
      ["trend", "--from", "2024-02-01", "--to", "2024-01-01"],
      "OPTION_INVALID",
      /from/,
      2,
    ],
    ["a day that does not exist", ["trend", "--from", "2024-02-30"], "OPTION_INVALID", /--from: "2024-02-30"/, 2],
    ["a leverage that is no number", ["trend", "--leverage", "3x"], "OPTION_INVALID", /--leverage: "3x"/, 2],
    ["more leverage than there is", ["trend", "--leverage", "41"], "OPTION_INVALID", /BTC-PERP.*\n.*at most 40/, 2],
    ["fees that are no ratio", ["trend", "--fees", "1%"], "OPTION_INVALID", /fees: .*"1%"|fees "1%"/, 2],
    ["a deposit with an exponent", ["trend", "--deposit", "1e6"], "OPTION_INVALID", /"1e6".*\n.*write it as 1000/, 2],
    ["a folder of files", ["trend", "--data", "."], "FILE_UNREADABLE", /\n {2}hint: name the files in it, such as/, 1],
    ["a deposit of nothing", ["trend", "--deposit", "0"], "OPTION_INVALID", /deposit/, 2],
    ["an unknown order of a bar", ["trend", "--intrabar", "best"], "OPTION_INVALID", /--intrabar: .*"best"/, 2],
    [
      "an impossible market",
      ["trend", "--set", "makerFee=-0.001", "takerFee=0.0001"],
      "MARKET_IMPOSSIBLE",
      /BTC-PERP: parameter makerFee/,
      2,
    ],
    ["an impossible tier", ["trend", "--set", "tier1=0 0.01 0.02"], "OPTION_INVALID", /--set: tier1: /, 2],
    ["an unknown market parameter", ["trend", "--set", "tickSie=1"], "OPTION_INVALID", /did you mean tickSize/, 2],
    ["a tick of nothing", ["trend", "--tick", "0"], "OPTION_INVALID", /tick "0"/, 2],
    [
      "a tick too fine for the lot",
      ["trend", "--tick", "0.00000001", "--lot", "0.00000001"],
      "MARKET_IMPOSSIBLE",
      /lotSize/,
      2,
    ],
    ["a pair without a sign", ["trend", "--set", "makerFee"], "OPTION_INVALID", /--set: "makerFee"/, 2],
    ["an ending without a format", ["trend", "--out", "./x/r.pdf"], "REPORT_FORMAT", /r\.pdf/, 2],
    [
      "a table of no name",
      ["trend", "--out", "./x/filled.csv"],
      "TABLE_UNKNOWN",
      /filled\.csv[\s\S]*fills, orders, trades/,
      2,
    ],
    [
      "a file that is named twice",
      ["trend", "--out", "./x/fills.csv", "./x/../x/fills.csv"],
      "OUTPUT_REPEATED",
      /fills/,
      2,
    ],
    [
      "a file that two options name",
      ["trend", "--out", "./x/r.json", "--notes", "./x/r.json"],
      "OUTPUT_REPEATED",
      /r\.json/,
      2,
    ],
    ["an interval without its table", ["trend", "--equity-interval", "1h"], "OPTION_INVALID", /equity-interval/, 2],
    ["a file where a folder should be", ["trend", "--out", "./prize.csv/r.html"], "FOLDER_EXPECTED", /prize\.csv/, 2],
    ["a folder where a file should be", ["trend", "--log", "./taken"], "FILE_EXPECTED", /taken/, 2],
    ["a log that exists", ["trend", "--out", "./x/", "--log", "./old.log"], "OUTPUT_EXISTS", /old\.log/, 2],
  ];
  const files = {
    "prize.csv": bars.replace("close,volume", "prize,volume"),
    "word.csv": bars
      .split("\n")
      .with(6, bars.split("\n")[6]!.replace(/,\d+,50,/, ",much,50,"))
      .join("\n"),
    "bad.yaml": "mapping: bad\nheader: perhaps\n",
    "old.log": "kept",
  };

  test.each(cases)("%s", async (_name, [name = "", ...words], code, place, exitCode) => {
    const { folder, run, backtest } = open(files);
    mkdirSync(join(folder, "taken"));
    const before = list(folder);
    const outputs =
      words.includes("--out") || words.includes("--log") ? [] : ["--out", "./x/r.html", "--log", "./x/r.log"];
    const called = words.includes("--data")
      ? await run("backtest", name, ...words, ...outputs)
      : await backtest(name, ...words, ...outputs);
    expect(called.err).toContain(`error ${code} `);
    expect(called.err).toMatch(place);
    expect(called.err.match(/^error /gm)).toHaveLength(1);
    expect(called.out).toBe("");
    expect(called.exitCode).toBe(exitCode);
    expect(list(folder)).toEqual(before);
    expect(readFileSync(join(folder, "old.log"), "utf8")).toBe("kept");
  });

  test("without data", async () => {
    const { exitCode, err } = await callCli("backtest", "trend");
    expect(err).toContain("error USAGE required option '-d, --data <source...>' not specified");
    expect(exitCode).toBe(2);
  });

  test("a mistyped name of an option that must be given", async () => {
    const { exitCode, err } = await callCli("backtest", "trend", "--dat", "bars.csv");
    expect(err).toBe("error USAGE unknown option '--dat'\n  hint: did you mean --data?");
    expect(exitCode).toBe(2);
  });

  test("a leverage of 100, which the options of the hint allow", async () => {
    const { backtest } = open();
    const refused = await backtest("trend", "--leverage", "100");
    const [, tier, slippage] = /--set "(tier1=[^"]*)" (insuranceSlippage=\S+)/.exec(refused.err) ?? [];
    expect((await backtest("trend", "--leverage", "100", "--set", tier!, slippage!)).exitCode).toBe(0);
  });

  test("a truncated gzip file", async () => {
    const { folder, run } = open();
    const packed = gzipSync(bars);
    writeFileSync(join(folder, "cut.csv.gz"), packed.subarray(0, packed.length - 9));
    const { err, exitCode } = await run("backtest", "trend", "--data", "./cut.csv.gz", "--out", "./r.html");
    expect(err).toMatch(/^error GZIP_TRUNCATED .*cut\.csv\.gz/m);
    expect(exitCode).toBe(1);
    expect(list(folder)).toEqual(["BTC-PERP-klines-1h.csv", "cut.csv.gz"]);
  });

  // A byte in the middle of a tape is in one of its columns; the last one is in its end mark.
  test.each([0.5, 1])("a tape with a byte changed at %f of it", async (share) => {
    const { folder, run } = open();
    await run("import", "./BTC-PERP-klines-1h.csv", "--out", "./x.tape");
    const bytes = readFileSync(join(folder, "x.tape"));
    const at = Math.floor((bytes.length - 1) * share);
    bytes[at] = bytes[at]! ^ 1;
    writeFileSync(join(folder, "x.tape"), bytes);
    const { err, exitCode } = await run(
      "backtest",
      "trend",
      "--data",
      "./x.tape",
      "--out",
      "./r.html",
      "--log",
      "./r.log",
    );
    expect(err).toMatch(/^error TAPE_CORRUPT .*x\.tape, byte \d+: .*\n {2}hint: import the sources again/m);
    expect(exitCode).toBe(1);
    expect(list(folder)).toEqual(["BTC-PERP-klines-1h.csv", "x.tape"]);
  });
});
