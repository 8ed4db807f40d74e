import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BlockLogReader } from "../../../src/venue/simulation/log/readBlockLog.ts";
import { renderBars, waves } from "../../helpers/bars.ts";
import { callCli, callCliIn } from "../../helpers/cli.ts";
import { createFolder, writeFiles } from "../../helpers/project.ts";

let folder: string;
let log: string;
/** Height of the last block: a run makes few of them. */
let last: number;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "perplab-test-"));
  writeFiles(folder, { "BTC-PERP-klines-1h.csv": renderBars(waves(100)) });
  log = join(folder, "run.log");
  const words = ["--data", join(folder, "BTC-PERP-klines-1h.csv"), "--param", "fast=4", "slow=8", "patience=0"];
  await callCli("backtest", "trend", ...words, "--log", log, "--json");
  const reader = new BlockLogReader(log);
  for (const record of reader) if (record.kind === "block") last = record.block.height;
  reader.close();
});

afterAll(() => rmSync(folder, { recursive: true }));

test("blocks of a run with passed instants are a scenario that passes, and that fails once a fill is changed", async () => {
  const out = createFolder();
  const made = await callCliIn(out, "freeze", log, "--blocks", `2..${last}`, "--out", "tests/of a run.yaml");
  expect(made.exitCode, made.err).toBe(0);
  expect(made.out).toContain("run it with: perplab scenario run 'tests/of a run.yaml'");
  expect(readdirSync(join(out, "tests")).sort()).toEqual(["of a run.snapshot", "of a run.yaml"]);
  const run = () => callCliIn(out, "scenario", "run", "tests/of a run.yaml");
  expect((await run()).exitCode).toBe(0);
  const file = join(out, "tests/of a run.yaml");
  const text = readFileSync(file, "utf8");
  expect(text).toMatch(/taker: strategy/);
  expect(text).toMatch(/houseFlow: \{ account: house, steps: "(last|quote|print)|steps:\s+"(last|quote|print)/);
  const fee = /takerFee: "([0-9.]+)"/.exec(text)![1]!;
  writeFileSync(file, text.replace(`takerFee: "${fee}"`, `takerFee: "${fee}1"`));
  const changed = await run();
  expect(changed.exitCode).toBe(1);
  expect(changed.out).toContain("takerFee of fill 1");
});

test("lists the written files for a program", async () => {
  const out = createFolder();
  const { out: text } = await callCliIn(out, "freeze", log, "--blocks", "3", "--out", "one.yaml", "--json");
  expect(JSON.parse(text)).toMatchObject({ file: "one.yaml", snapshot: "one.snapshot", from: 3, to: 3, blocks: 1 });
});

test.each([
  [["--blocks", "some", "--out", "a.yaml"], "OPTION_INVALID --blocks"],
  [["--blocks", "5..4", "--out", "a.yaml"], "FREEZE_RANGE"],
  [["--blocks", "1..99999", "--out", "a.yaml"], "FREEZE_TOO_LARGE"],
  [["--blocks", "1..999", "--out", "new/a.yaml"], "FREEZE_RANGE"],
  [["--blocks", "1..2", "--out", "a.txt"], "SCENARIO_EXISTS a.txt: a scenario file ends in .yaml"],
])("%j is one error, and nothing is written", async (words, message) => {
  const out = createFolder();
  const { exitCode, err } = await callCliIn(out, "freeze", log, ...words);
  expect(exitCode).toBe(2);
  expect(err).toContain(`error ${message}`);
  expect(err).toContain("hint: ");
  expect(readdirSync(out)).toEqual([]);
});

test("an existing scenario is kept without --force", async () => {
  const out = createFolder({ "a.yaml": "mine\n" });
  const { exitCode, err } = await callCliIn(out, "freeze", log, "--blocks", "1..2", "--out", "a.yaml");
  expect(exitCode).toBe(2);
  expect(err).toContain("error SCENARIO_EXISTS a.yaml: the file exists");
  expect(existsSync(join(out, "a.snapshot"))).toBe(false);
  expect((await callCliIn(out, "freeze", log, "--blocks", "1..2", "--out", "a.yaml", "--force")).exitCode).toBe(0);
  expect(readFileSync(join(out, "a.yaml"), "utf8")).toContain("tags: [frozen]");
});

test("a snapshot of another scenario is kept without --force", async () => {
  const out = createFolder();
  const freeze = (name: string, blocks: string) => callCliIn(out, "freeze", log, "--blocks", blocks, "--out", name);
  expect((await freeze("a.yaml", "1..2")).exitCode).toBe(0);
  const { exitCode, err } = await freeze("a.yml", "4..5");
  expect(exitCode).toBe(2);
  expect(err).toContain("error SCENARIO_EXISTS a.snapshot: the file exists");
  expect((await callCliIn(out, "scenario", "run", "a.yaml")).exitCode).toBe(0);
});

test("a frozen scenario cannot run under other rules, and its error says so", async () => {
  const out = createFolder();
  await callCliIn(out, "freeze", log, "--blocks", "2..4", "--out", "a.yaml");
  const { exitCode, err } = await callCliIn(out, "compare-rules", "a.yaml");
  expect(exitCode).not.toBe(0);
  expect(err).toContain("its chain starts from a stored venue");
});

test("blocks of a bundle are those of its run's log", async () => {
  const out = createFolder();
  const words = ["--data", join(folder, "BTC-PERP-klines-1h.csv"), "--param", "fast=4", "slow=8", "patience=0"];
  await callCliIn(out, "backtest", "trend", ...words, "--bundle", "run.bundle");
  await callCliIn(out, "freeze", log, "--blocks", `2..${last}`, "--out", "log/a.yaml");
  const made = await callCliIn(out, "freeze", "run.bundle", "--blocks", `2..${last}`, "--out", "bundle/a.yaml");
  expect(made.exitCode, made.err).toBe(0);
  const text = (name: string) => readFileSync(join(out, name), "utf8");
  expect(text("bundle/a.snapshot")).toBe(text("log/a.snapshot"));
  const page = (name: string) => text(name).replace(/.*run\.(bundle|log).*\n/g, "");
  expect(page("bundle/a.yaml")).toBe(page("log/a.yaml"));
  expect(text("bundle/a.yaml")).toContain(`scenario: "blocks 2 to ${last} of run.bundle"`);
  const beyond = await callCliIn(out, "freeze", "run.bundle", "--blocks", `2..${last + 1}`, "--out", "b.yaml");
  expect(beyond.err).toContain(`error FREEZE_RANGE run.bundle: has blocks 1 to ${last}, not 2 to ${last + 1}`);
});

test("blocks of a bundle of several strategies name each of them, once its code is trusted", async () => {
  const out = createFolder({
    "both.yaml":
      "strategies:\n  house: { strategy: trend, params: { fast: 4, slow: 8, patience: 0 } }\n  own: { strategy: ./own.js }\n",
    "own.js":
      'export default { id: "own", params: { type: "object", properties: {}, required: [] }, onBar(ctx) { ctx.setPosition(1); } };',
    "package.json": '{"type":"module"}',
  });
  const data = join(folder, "BTC-PERP-klines-1h.csv");
  expect((await callCliIn(out, "backtest", "both.yaml", "--data", data, "--bundle", "run.bundle")).exitCode).toBe(0);
  const words = ["freeze", "run.bundle", "--blocks", "2..30", "--out", "a.yaml"];
  const refused = await callCliIn(out, ...words);
  expect(refused.err).toContain("BUNDLE_UNTRUSTED");
  expect(existsSync(join(out, "a.yaml"))).toBe(false);
  const made = await callCliIn(out, ...words, "--trust");
  expect(made.exitCode, made.err).toBe(0);
  expect((await callCliIn(out, "scenario", "run", "a.yaml")).exitCode).toBe(0);
  const page = readFileSync(join(out, "a.yaml"), "utf8");
  // The account of recorded prices has its name first.
  expect(page).toMatch(/^ {2}own: \{ address:/m);
  expect(page).toMatch(/^ {2}house2: \{ address:/m);
});

test.each(["--trust", "--any-version"])("%s is refused for a log, of which nothing is run", async (option) => {
  const out = createFolder();
  const { exitCode, err } = await callCliIn(out, "freeze", log, "--blocks", "2", "--out", "a.yaml", option);
  expect(exitCode).toBe(2);
  expect(err).toContain(`error OPTION_INVALID ${option}: a block log is not run`);
  expect(readdirSync(out)).toEqual([]);
});
