import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import type { toSweepJson } from "../../../src/product/research/sweep/sweepDocument.ts";
import { renderBars, waves } from "../../helpers/bars.ts";
import { callCliIn } from "../../helpers/cli.ts";
import { createFolder, projectRoot } from "../../helpers/project.ts";
import { TURNS } from "../../product/research/runs/turns.ts";

type Document = ReturnType<typeof toSweepJson>;

const BARS = "BTC-PERP-klines-1h.csv";
const schema = JSON.parse(readFileSync(join(projectRoot, "docs/reference/sweep.schema.json"), "utf8")) as object;
const validate = new Ajv2020({ allErrors: true }).compile(schema);

function findFaults(document: unknown): string[] {
  validate(document);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function open(closes: readonly number[] = waves(400)) {
  const folder = createFolder({ [BARS]: renderBars(closes), "turns.js": TURNS });
  const sweep = (strategy: string, ...words: string[]) =>
    callCliIn(folder, "sweep", strategy, "--data", BARS, "--store", "store", "--workers", "1", ...words);
  return { folder, sweep };
}

const quick = ["--param", "fast=4", "slow=8", "patience=0"];

describe("a sensitivity", () => {
  test("varies each assumption alone around those of the run, in table, page and document", async () => {
    const { folder, sweep } = open();
    const words = [...quick, "--fees", "0.0002/0.0005", "--sensitivity", "--out", "s.html", "s.json", "s.csv"];
    const { exitCode, out, err } = await sweep("trend", ...words, "--reports", "none");
    expect(exitCode, err).toBe(0);
    expect(out).toContain("One assumption at a time around latency 100, feed-latency 0, receipt-latency 0, fees");
    const document = JSON.parse(readFileSync(join(folder, "s.json"), "utf8")) as Document;
    expect(document.counts.cells).toBe(26);
    const fees = document.sensitivity!.axes.find(({ name }) => name === "fees")!.values;
    expect(fees.map(({ text }) => text)).toEqual([
      "0/0",
      "0.0001/0.00025",
      "0.0002/0.0005",
      "0.0003/0.00075",
      "0.0004/0.001",
      "0.0006/0.0015",
    ]);
    const returns = fees.map(({ totalReturn }) => totalReturn!);
    for (const [at, value] of returns.entries()) if (at > 0) expect(value).toBeLessThan(returns[at - 1]!);
    expect(fees.filter(({ isBase }) => isBase).map(({ text, change }) => [text, change])).toEqual([
      ["0.0002/0.0005", 0],
    ]);
    const page = readFileSync(join(folder, "s.html"), "utf8");
    expect(page.match(/<table class="tornado">[\s\S]*?<\/table>/)![0].match(/<tr><th>[a-z]/g)).toHaveLength(5);
    expect(page).toContain('<a href="#sensitivity">');
    expect(findFaults(document)).toEqual([]);
    expect(readFileSync(join(folder, "s.csv"), "utf8").split("\n")).toHaveLength(28);
  });

  test("is of the best cell of a grid with its own assumptions, and counts no changed one as a trial", async () => {
    const { sweep } = open();
    const grid = ["--param", "patience=0", "--grid", "fast=4,6", "slow=8,16", "--sensitivity", "fees"];
    const found = JSON.parse((await sweep("trend", ...grid, "--json")).out) as Document;
    const plain = JSON.parse((await sweep("trend", ...grid.slice(0, -2), "--json")).out) as Document;
    expect(found.cells).toHaveLength(4 * 6);
    expect(found.best!.values).toMatchObject(plain.best!.values);
    expect(found.sensitivity!.values).toEqual(found.best!.values);
    expect(found.luck!.deflatedSharpe).toEqual(plain.luck!.deflatedSharpe);
    expect(found.notes[0]).toContain("The best of 4 runs");
    const base = found.cells.find(({ hash }) => hash === found.best!.hash)!;
    const own = plain.cells.find(({ hash }) => hash === plain.best!.hash)!;
    // Fees that are given are a parameter of the genesis, so only the root differs.
    expect(base.metrics).toEqual(own.metrics);
  });

  test("of runs without a value of the metric is missing, and the table and the page say why", async () => {
    const { folder, sweep } = open(waves(48));
    const words = ["--sensitivity", "fees", "--sort", "sharpe", "--out", "s.html", "--reports", "none"];
    const { exitCode, out } = await sweep("trend", ...quick, ...words);
    expect(exitCode).toBe(0);
    const reason = "There is no sensitivity: no run with all of its own assumptions traded and has a value of Sharpe.";
    expect(out).toContain(reason);
    expect(readFileSync(join(folder, "s.html"), "utf8")).toContain(reason);
  });

  test("of a cell is made again by its command, with each option once", async () => {
    const { folder, sweep } = open();
    const { out } = await sweep("trend", ...quick, "--latency", "250", "--sensitivity", "latency", "--json");
    const { cells } = JSON.parse(out) as Document;
    const slow = cells.at(-1)!;
    expect(slow.command.match(/--latency/g)).toHaveLength(1);
    expect(slow.command).toContain("--latency 12500");
    const again = await callCliIn(folder, ...slow.command.split(" ").slice(1), "--json");
    expect(JSON.parse(again.out).run.engine.stateRoot).toBe(slow.root);
  });

  test("of the feed is around the feed's own latency, and is made again by its command", async () => {
    const { folder, sweep } = open();
    const words = [...quick, "--feed-latency", "60000", "--sensitivity", "feed-latency", "--json"];
    const { cells, sensitivity } = JSON.parse((await sweep("trend", ...words)).out) as Document;
    const texts = sensitivity!.axes.map(({ name, values }) => [name, values.map(({ text }) => text)]);
    expect(texts).toEqual([["feed-latency", ["0", "60000", "120000", "300000", "600000", "3000000"]]]);
    const slow = cells.at(-1)!;
    expect(slow.command.match(/--feed-latency/g)).toHaveLength(1);
    expect(slow.command).toContain("--feed-latency 3000000");
    const again = await callCliIn(folder, ...slow.command.split(" ").slice(1), "--json");
    expect(JSON.parse(again.out).run.engine.stateRoot).toBe(slow.root);
    expect(new Set(cells.map(({ root }) => root)).size).toBeGreaterThan(1);
  });

  test.each([
    [
      ["--sensitivity", "feed-latency", "--feed-latency", "uniform(1,9)"],
      "OPTION_INVALID",
      /give --feed-latency in ms/,
    ],
    [["--sensitivity", "receipt-latency", "--grid", "receipt-latency=1,2"], "AXIS_REPEATED", /twice/],
    [
      ["--sensitivity", "spread"],
      "OPTION_INVALID",
      /use latency, feed-latency, receipt-latency, fees, participation or all/,
    ],
    [["--sensitivity", "fees", "--set", "takerFee=0.001"], "OPTION_INVALID", /--fees maker\/taker/],
    [["--sensitivity", "fees", "--fees", "none"], "OPTION_INVALID", /has nothing to vary/],
    [["--sensitivity", "--random", "5"], "OPTION_INVALID", /leave it out with --sensitivity/],
    [["--sensitivity", "latency", "--grid", "latency=1,2"], "AXIS_REPEATED", /latency is an axis twice/],
    [
      ["--sensitivity", "latency", "--grid", "fast=4,6", "--where", "latency > 100", "--out", "s.html"],
      "OPTION_INVALID",
      /no point .* has the run's own assumptions\n {2}hint: let a condition be met by latency 100$/,
    ],
    [[], "OPTION_MISSING", /add axes, for example --grid/],
  ])("%j is one error", async (words, code, hint) => {
    const { sweep } = open();
    const { exitCode, err } = await sweep("trend", ...words);
    expect(exitCode).toBe(2);
    expect(err).toContain(`error ${code} `);
    expect(err).toMatch(hint);
  });
});

test("the page of a sweep has a map and a comparison of values, unless its grid has one point", async () => {
  const { folder, sweep } = open();
  const sectionsOf = async (name: string, ...words: string[]) => {
    const { exitCode } = await sweep("trend", ...quick, ...words, "--reports", "none", "--out", `./${name}`);
    expect(exitCode).toBe(0);
    const page = readFileSync(join(folder, name), "utf8");
    return ["map", "best", "axes", "cells"].filter((id) => page.includes(`<section id="${id}">`));
  };
  expect(await sectionsOf("grid.html", "--grid", "leverage=1,2")).toEqual(["map", "best", "axes", "cells"]);
  expect(await sectionsOf("point.html", "--sensitivity", "fees")).toEqual(["best", "cells"]);
});

describe("the published schema of a sweep", () => {
  test("takes a sweep with cells that traded, never traded, were liquidated, wiped out or failed", async () => {
    const crash = [...waves(93), ...Array.from({ length: 60 }, (_, at) => 13_000 + 20 * at)];
    const { sweep } = open(crash);
    const grid = ["--param", "patience=0", "--grid", "fast=2..6:2", "slow=8,16,5000", "leverage=1,20"];
    const many = JSON.parse((await sweep("trend", ...grid, "--json")).out) as Document;
    expect(many.counts.idle).toBeGreaterThan(0);
    expect(many.counts.liquidated + many.counts.wipedOut).toBeGreaterThan(0);
    expect(findFaults(many)).toEqual([]);
    const failed = JSON.parse((await sweep("./turns.js", "--grid", "mode=throw,idle", "--json")).out) as Document;
    expect(findFaults(failed)).toEqual([]);
  });

  test("refuses what is missing, too much, or of another kind", async () => {
    const { sweep } = open();
    const found = JSON.parse((await sweep("trend", ...quick, "--grid", "leverage=1,2", "--json")).out) as Document;
    expect(findFaults(found)).toEqual([]);
    const { sort: _sort, ...missing } = found;
    expect(findFaults(missing)).toEqual([" must have required property 'sort'"]);
    expect(findFaults({ ...found, more: 1 })).toEqual([" must NOT have additional properties"]);
    const [cell] = found.cells;
    const metrics = { ...cell!.metrics, takerFees: 1.5 };
    expect(findFaults({ ...found, cells: [{ ...cell, metrics }] })).not.toEqual([]);
    expect(findFaults({ ...found, cells: [{ ...cell, state: "unknown" }] })).not.toEqual([]);
  });

  test("is exported by the package", () => {
    expect(createRequire(import.meta.url)("perplab/sweep.schema.json")).toEqual(schema);
  });
});
