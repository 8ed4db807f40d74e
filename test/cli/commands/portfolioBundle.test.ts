import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { BacktestReport } from "../../../src/product/report/model.ts";
import type { BundleHeader, PortfolioBundleHeader } from "../../../src/product/research/bundle/bundle.ts";
import { readBundle, unpackTape, writeBundle } from "../../../src/product/research/bundle/format.ts";
import type { BundleProof } from "../../../src/product/research/bundle/proveBundle.ts";
import { renderBars, waves } from "../../helpers/bars.ts";
import { callCliIn } from "../../helpers/cli.ts";
import { createFolder, projectRoot } from "../../helpers/project.ts";

const PORTFOLIO = `strategies:
  calm: { strategy: trend, params: { fast: 4, slow: 8, patience: 0 }, deposit: 60000 }
  own: { strategy: ./code/mine.js, params: { size: 2 }, margin: isolated, seed: 7, leverage: 3 }
  again: { strategy: ./code/mine.js, latency: 20 }
`;
const MINE = `import { every } from "./every.js";
export default {
  id: "mine",
  params: { type: "object", properties: { size: { type: "number", default: 1, description: "Base." } }, required: [] },
  init: () => ({ bars: 0 }),
  onBar(ctx) {
    if (ctx.memory.bars++ % every === 0) ctx.setPosition(ctx.rng.chance(1, 2) ? ctx.params.size : -ctx.params.size);
  },
};
`;

function open() {
  const folder = createFolder({
    "BTC-PERP-klines-1h.csv": renderBars(waves(120)),
    "both.yaml": PORTFOLIO,
    "code/mine.js": MINE,
    "code/every.js": "export const every = 7;\n",
    "package.json": '{"type":"module"}',
  });
  symlinkSync(join(projectRoot, "node_modules"), join(folder, "node_modules"), "junction");
  const call = (...words: string[]) => callCliIn(folder, ...words);
  const backtest = (...words: string[]) =>
    call("backtest", "both.yaml", "--data", "BTC-PERP-klines-1h.csv", "--leverage", "2", ...words);
  return { call, backtest, path: (name: string) => join(folder, name) };
}

const headerOf = async (path: string) => (await readBundle(path)).header as PortfolioBundleHeader;
const codeOf = ({ exitCode, err }: { readonly exitCode: number; readonly err: string }) => [
  exitCode,
  /error ([A-Z_]+)/.exec(err)?.[1],
];

/** Writes a bundle again with another header. */
async function rewrite(path: string, change: (header: PortfolioBundleHeader) => object): Promise<void> {
  const bundle = await readBundle(path);
  await unpackTape(bundle, `${path}.tape`);
  const header = { ...bundle.header, ...change(bundle.header as PortfolioBundleHeader) } as BundleHeader;
  await writeBundle(path, header, bundle.effects, `${path}.tape`);
}

test("a run of several strategies is proved in a folder that has nothing else, once its code is trusted", async () => {
  const { backtest, path } = open();
  const made = await backtest("--bundle", "both.bundle", "--json");
  expect(made.exitCode, made.err).toBe(0);
  const { run } = JSON.parse(made.out) as BacktestReport;
  const { version, code, strategies } = await headerOf(path("both.bundle"));
  expect(version).toBe(2);
  // Two strategies of one module share its files.
  expect(Object.keys(code.files)).toEqual(["every.js", "mine.js"]);
  expect(strategies.map(({ name, entry, example }) => [name, entry, example])).toEqual([
    ["again", "mine.js", null],
    ["calm", null, "trend"],
    ["own", "mine.js", null],
  ]);
  expect(strategies.map(({ account }) => account)).toEqual([
    { deposit: "10000", leverage: 2, margin: "cross", latencyMs: 20, seed: "1" },
    { deposit: "60000", leverage: 2, margin: "cross", latencyMs: 100, seed: "1" },
    { deposit: "10000", leverage: 3, margin: "isolated", latencyMs: 100, seed: "7" },
  ]);
  const elsewhere = createFolder();
  expect(codeOf(await callCliIn(elsewhere, "rerun", path("both.bundle")))).toEqual([2, "BUNDLE_UNTRUSTED"]);
  const proved = await callCliIn(elsewhere, "rerun", path("both.bundle"), "--trust", "--json");
  expect(proved.exitCode, proved.err).toBe(0);
  expect(JSON.parse(proved.out) as BundleProof).toMatchObject({
    equal: true,
    again: { root: run.engine.stateRoot, head: run.engine.effectsHead },
  });
});

test("the report of such a run is bundled by its command, and shown without running it", async () => {
  const { call, backtest, path } = open();
  await backtest("--out", "report.json", "--bundle", "at-once.bundle");
  const made = await call("bundle", "report.json", "--out", "later.bundle");
  expect(made.exitCode, made.err).toBe(0);
  expect(await headerOf(path("later.bundle"))).toEqual(await headerOf(path("at-once.bundle")));
  expect((await call("compare", "at-once.bundle", "later.bundle")).exitCode).toBe(0);
  const { out } = await call("rerun", "later.bundle", "--show");
  expect(out).toMatch(/ {2}calm +the example trend\n {4}parameters +fast=4 slow=8/);
  expect(out).toMatch(/ {2}own +mine, mine\.js\n {4}parameters +size=2\n {4}account +deposit=10000 leverage=3/);
  expect(out).toMatch(/files +every\.js, mine\.js/);
  expect(out).toContain("--- every.js\nexport const every = 7;");
});

test("an account, a parameter or a file that is another is found by the first block, and named by compare", async () => {
  const { call, backtest, path } = open();
  await backtest("--bundle", "both.bundle");
  await backtest("--bundle", "other.bundle");
  const changes: readonly [(header: PortfolioBundleHeader) => object, RegExp][] = [
    [
      ({ strategies }) => ({
        strategies: strategies.map((one) => ({ ...one, account: { ...one.account, latencyMs: 4_000_000 } })),
      }),
      /Accounts\n.*\n +again\.latencyMs +20 +4000000/,
    ],
    [
      ({ strategies }) => ({ strategies: strategies.map((one) => ({ ...one, params: { ...one.params, size: 3 } })) }),
      /Parameters\n.*\n +again\.size +1 +3/,
    ],
    [
      ({ code }) => ({ code: { ...code, files: { ...code.files, "every.js": "export const every = 5;" } } }),
      /Strategy\n.*\n +files\.every\.js/,
    ],
  ];
  for (const [change, found] of changes.slice(0, 1).concat(changes.slice(2))) {
    writeFileSync(path("other.bundle"), readFileSync(path("both.bundle")));
    await rewrite(path("other.bundle"), change);
    const called = await call("rerun", "other.bundle", "--trust");
    expect(codeOf(called)).toEqual([4, "RUNS_DIFFER"]);
    expect(called.out).toMatch(/block \d+ is the first whose events differ/);
    const compared = await call("compare", "both.bundle", "other.bundle");
    expect(compared.out).toMatch(found);
    expect(codeOf(compared)).toEqual([4, "RUNS_DIFFER"]);
  }
  writeFileSync(path("other.bundle"), readFileSync(path("both.bundle")));
  await rewrite(path("other.bundle"), changes[1]![0]);
  expect((await call("compare", "both.bundle", "other.bundle")).out).toMatch(changes[1]![1]);
});

test("a header of the other form, and a file outside of its folder, are refused", async () => {
  const { call, backtest, path } = open();
  await backtest("--bundle", "both.bundle");
  const whole = readFileSync(path("both.bundle"));
  const changes: ((header: PortfolioBundleHeader) => object)[] = [
    () => ({ version: 1 }),
    () => ({ strategies: undefined }),
    ({ code }) => ({ code: { ...code, files: { "../out.js": "" } } }),
  ];
  for (const change of changes) {
    writeFileSync(path("both.bundle"), whole);
    await rewrite(path("both.bundle"), change);
    expect(codeOf(await call("rerun", "both.bundle", "--trust"))).toEqual([1, "BUNDLE_FORMAT"]);
  }
});
