import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { BundleHeader, SingleBundleHeader } from "../../../src/product/research/bundle/bundle.ts";
import { readBundle, unpackTape, writeBundle } from "../../../src/product/research/bundle/format.ts";
import type { BundleProof } from "../../../src/product/research/bundle/proveBundle.ts";
import { renderBars, waves } from "../../helpers/bars.ts";
import { callCliIn } from "../../helpers/cli.ts";
import { createFolder, projectRoot } from "../../helpers/project.ts";

const BARS = "BTC-PERP-klines-1h.csv";
const MINE = `
import { SMA } from "trading-signals";
import { defineStrategy, Type } from "perplab/strategy";
import { sizeOf } from "./lib/size.ts";
export default defineStrategy({
  id: "mine",
  params: Type.Object({ length: Type.Integer({ default: 5, description: "Bars." }) }),
  init: ({ params }) => ({ average: new SMA(params.length) }),
  onBar({ memory, ...ctx }, { close }) {
    memory.average.add(close);
  },
  onBlock(ctx) {
    const { last } = ctx.market;
    const average = ctx.memory.average.getResult();
    if (last !== undefined && average !== null) ctx.setPosition(last > average ? sizeOf(ctx.rng) : -0.1);
  },
});
`.replace("onBar({ memory, ...ctx }, { close }) {\n    memory", "onBar(ctx, { close }) {\n    ctx.memory");
const SIZE = "export const sizeOf = (rng: { below(most: number): number }) => 0.1 + rng.below(3) / 10;\n";

function open() {
  const folder = createFolder({
    [BARS]: renderBars(waves(120)),
    "my strategy/mine.ts": MINE,
    "my strategy/lib/size.ts": SIZE,
  });
  symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"), "junction");
  const call = (...words: string[]) => callCliIn(folder, ...words);
  const path = (name: string) => join(folder, name);
  return { folder, call, path };
}

const trend = ["backtest", "trend", "--data", BARS, "--param", "fast=4", "slow=8", "patience=0", "--leverage", "2"];
const mine = [
  "backtest",
  "my strategy/mine.ts",
  "--data",
  BARS,
  "--param",
  "length=7",
  "--seed",
  "9",
  "--latency",
  "250",
];

const ofOne = (header: BundleHeader) => header as SingleBundleHeader;
const proofOf = ({ out }: { readonly out: string }) => JSON.parse(out) as BundleProof;
const codeOf = ({ exitCode, err }: { readonly exitCode: number; readonly err: string }) => [
  exitCode,
  /error ([A-Z_]+)/.exec(err)?.[1],
];

describe("a bundle is proved", () => {
  test("of an example, with its data, in an empty folder", async () => {
    const { call, path } = open();
    const made = await call(...trend, "--bundle", "a.bundle", "--json");
    expect(made.exitCode, made.err).toBe(0);
    const { stateRoot } = JSON.parse(made.out).run.engine;
    const elsewhere = createFolder();
    const proved = await callCliIn(elsewhere, "rerun", path("a.bundle"), "--json");
    expect(proved.exitCode, proved.err).toBe(0);
    expect(proofOf(proved)).toMatchObject({ equal: true, again: { root: stateRoot } });
    expect((await callCliIn(elsewhere, "rerun", path("a.bundle"))).out).toMatch(
      /is proved: the run gives the same venue/,
    );
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test("of a user's strategy with an imported file and a package, once it is trusted", async () => {
    const { call, path } = open();
    const made = await call(...mine, "--bundle", "mine.bundle");
    expect(made.exitCode, made.err).toBe(0);
    const header = ofOne((await readBundle(path("mine.bundle"))).header);
    expect(header.strategy).toMatchObject({ id: "mine", entry: "mine.ts", example: null });
    expect(Object.keys(header.strategy.files)).toEqual(["lib/size.ts", "mine.ts"]);
    expect(header.params).toEqual({ length: 7 });
    const elsewhere = createFolder();
    const refused = await callCliIn(elsewhere, "rerun", path("mine.bundle"));
    expect(codeOf(refused)).toEqual([2, "BUNDLE_UNTRUSTED"]);
    expect(refused.err).toContain("this would run code from the bundle: lib/size.ts, mine.ts");
    const proved = await callCliIn(elsewhere, "rerun", path("mine.bundle"), "--trust");
    expect(proved.exitCode, proved.err).toBe(0);
  });

  test("of a report, by the command in it, with the data or with its hash", async () => {
    const { call, path } = open();
    await call(...mine, "--out", "a report.json");
    expect(await call("bundle", "a report.json", "--out", "whole.bundle")).toMatchObject({
      exitCode: 0,
      out: "whole.bundle",
    });
    expect(await call("bundle", "a report.json", "--out", "small.bundle", "--by-hash")).toMatchObject({ exitCode: 0 });
    const [whole, small] = [await readBundle(path("whole.bundle")), await readBundle(path("small.bundle"))];
    expect(small.header.result).toEqual(whole.header.result);
    expect(small.tape.from).toBe(small.tape.to);
    expect((await call("rerun", "whole.bundle", "--trust")).exitCode).toBe(0);
    expect((await call("rerun", "small.bundle", "--trust", "--data", BARS)).exitCode).toBe(0);
  });

  test("--show prints what is in it, and runs nothing", async () => {
    const { call } = open();
    await call(...mine, "--bundle", "mine.bundle");
    const shown = await call("rerun", "mine.bundle", "--show");
    expect(shown.exitCode).toBe(0);
    expect(shown.out).toContain(`--- lib/size.ts\n${SIZE.trimEnd()}`);
    expect(shown.out).toMatch(/parameters +length=7/);
    const header = JSON.parse((await call("rerun", "mine.bundle", "--show", "--json")).out) as BundleHeader;
    expect(header.format).toBe("perplab-bundle");
  });
});

describe("a run that is another", () => {
  /** Writes a bundle again with another header. */
  async function rewrite(path: string, change: (header: SingleBundleHeader) => object, block?: number): Promise<void> {
    const bundle = await readBundle(path);
    const tape = `${path}.tape`;
    await unpackTape(bundle, tape);
    const effects = bundle.effects.slice();
    if (block !== undefined) effects[block - 1]! ^= 1;
    await writeBundle(path, { ...bundle.header, ...change(ofOne(bundle.header)) } as BundleHeader, effects, tape);
  }

  test("is named by its first block: another option", async () => {
    const { call, path } = open();
    await call(...trend, "--bundle", "a.bundle");
    await rewrite(path("a.bundle"), ({ options }) => ({ options: { ...options, leverage: 3 } }));
    const called = await call("rerun", "a.bundle", "--json");
    expect(codeOf({ ...called, err: called.err.replaceAll(/.*"code":"([A-Z_]+)".*/g, "error $1") })).toEqual([
      4,
      "RUNS_DIFFER",
    ]);
    expect(proofOf(called)).toMatchObject({ equal: false, firstBlock: { height: 1 } });
  });

  test("is named by its first block: a block whose events were others", async () => {
    const { call, path } = open();
    await call(...trend, "--bundle", "a.bundle");
    await rewrite(path("a.bundle"), () => ({}), 9);
    const called = await call("rerun", "a.bundle");
    expect(codeOf(called)).toEqual([4, "RUNS_DIFFER"]);
    expect(called.out).toContain("block 9 is the first whose events differ");
  });

  test("of a report with another result is not bundled", async () => {
    const { call, path } = open();
    await call(...trend, "--out", "report.json");
    const report = readFileSync(path("report.json"), "utf8");
    expect(codeOf(await call("bundle", "report.json", "--out", "./report.json"))).toEqual([2, "OUTPUT_REPEATED"]);
    const root = /"stateRoot": ?"0x[0-9a-f]{64}"/.exec(report)![0];
    writeFileSync(path("report.json"), report.replace(root, `"stateRoot":"0x${"0".repeat(64)}"`));
    expect(codeOf(await call("bundle", "report.json", "--out", "a.bundle"))).toEqual([4, "RUNS_DIFFER"]);
    expect(existsSync(path("a.bundle"))).toBe(false);
  });

  test("with other versions is refused, each by its name, unless it is asked for", async () => {
    const { call, path } = open();
    await call(...mine, "--bundle", "a.bundle");
    await rewrite(path("a.bundle"), ({ versions, strategy }) => ({
      versions: { ...versions, perplab: "9.9.9", protocol: "7" },
      strategy: { ...strategy, packages: ["trading-signals@0.0.1"] },
    }));
    const refused = await call("rerun", "a.bundle", "--trust");
    expect(codeOf(refused)).toEqual([1, "BUNDLE_VERSION"]);
    expect(refused.err).toMatch(
      /perplab 9\.9\.9, here [\d.]+; protocol 7, here \d+; package trading-signals@0\.0\.1, here trading-signals@\d/,
    );
    expect((await call("rerun", "a.bundle", "--trust", "--any-version")).exitCode).toBe(0);
  });
});

describe("refused", () => {
  test("a bundle with any byte changed, or cut", async () => {
    const { call, path } = open();
    await call(...trend, "--bundle", "a.bundle");
    const bytes = readFileSync(path("a.bundle"));
    for (const at of [20, bytes.length >> 1, bytes.length - 40, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      writeFileSync(path("b.bundle"), changed);
      expect(codeOf(await call("rerun", "b.bundle")), `byte ${at}`).toEqual([1, "BUNDLE_DAMAGED"]);
    }
    writeFileSync(path("b.bundle"), bytes.subarray(0, bytes.length - 100));
    expect(codeOf(await call("rerun", "b.bundle"))).toEqual([1, "BUNDLE_DAMAGED"]);
  });

  test("a file that is not a bundle", async () => {
    const { call, path } = open();
    writeFileSync(path("short"), "x");
    writeFileSync(path("text"), "x".repeat(500));
    expect(codeOf(await call("rerun", "short"))).toEqual([1, "BUNDLE_FORMAT"]);
    expect(codeOf(await call("rerun", "text"))).toEqual([1, "BUNDLE_FORMAT"]);
    expect(codeOf(await call("rerun", "missing"))).toEqual([2, "FILE_MISSING"]);
    expect(codeOf(await call("rerun", "."))).toEqual([2, "FILE_EXPECTED"]);
  });

  test("a bundle whose strategy would be written outside of its folder", async () => {
    const { call, path } = open();
    await call(...mine, "--bundle", "a.bundle");
    const bundle = await readBundle(path("a.bundle"));
    for (const name of ["../escape.ts", "/escape.ts", "a/../../escape.ts", "c:\\\\escape.ts"]) {
      const header = ofOne(bundle.header);
      const strategy = { ...header.strategy, entry: name, files: { [name]: MINE } };
      await writeBundle(path("b.bundle"), { ...header, strategy }, bundle.effects, undefined);
      expect(codeOf(await call("rerun", "b.bundle", "--trust")), name).toEqual([1, "BUNDLE_FORMAT"]);
    }
  });

  test("data that is missing, not needed, or another", async () => {
    const { call, path } = open();
    await call(...trend, "--bundle", "a.bundle", "--out", "report.json");
    await call("bundle", "report.json", "--out", "small.bundle", "--by-hash");
    expect(codeOf(await call("rerun", "small.bundle"))).toEqual([1, "BUNDLE_DATA"]);
    expect(codeOf(await call("rerun", "a.bundle", "--data", BARS))).toEqual([1, "BUNDLE_DATA"]);
    writeFileSync(path("BTC-PERP-other.csv"), renderBars(waves(121)));
    expect(codeOf(await call("rerun", "small.bundle", "--data", "BTC-PERP-other.csv"))).toEqual([1, "BUNDLE_DATA"]);
  });

  test("a file that is not a report, and a report whose command is no backtest", async () => {
    const { call, path } = open();
    await call(...trend, "--out", "report.json");
    const report = readFileSync(path("report.json"), "utf8");
    for (const command of ["perplab compare a b", "rm -rf x", "perplab backtest trend --nothing 1"]) {
      const text = report.replace(/"command": ?"(?:[^"\\\\]|\\\\.)*"/, `"command":${JSON.stringify(command)}`);
      writeFileSync(path("other.json"), text);
      expect(codeOf(await call("bundle", "other.json", "--out", "a.bundle")), command).toEqual([2, "REPORT_COMMAND"]);
    }
    writeFileSync(path("other.json"), "{}");
    expect(codeOf(await call("bundle", "other.json", "--out", "a.bundle"))).toEqual([1, "REPORT_SCHEMA"]);
    expect(existsSync(path("a.bundle"))).toBe(false);
  });
});
