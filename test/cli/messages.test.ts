import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commands } from "../../src/cli/commands.ts";
import { callCli } from "../helpers/cli.ts";
import { createFolder, projectRoot } from "../helpers/project.ts";
import { writeLog } from "../product/scenario/freezeHelpers.ts";

const BARS = join(projectRoot, "data/BTC-PERP-klines-1m-2024-07-19.csv.gz");
const FUNDING = join(projectRoot, "data/BTC-PERP-fundingRate-2024.csv");
const SCENARIO = join(projectRoot, "scenarios/orders/cancel-frees-reserve.yaml");

test("a port that is taken is named, with what to do", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  const { exitCode, err } = await callCli("devnet", "--port", `${port}`, "--check", "--silent");
  other.close();
  expect(err).toContain(`error PORT_TAKEN 127.0.0.1:${port}: another program already listens on this port`);
  expect(err).toContain("hint: give --port another number, or 0 for any that is free");
  expect(exitCode).toBe(1);
});

test.each([
  ["fuzz", "run", "--tx", "10"],
  ["fuzz", "replay", "some.case"],
  ["fuzz", "tmin", "some.case"],
  ["scenario", "run", SCENARIO],
])("a module of invariants that does not exist, given to %s %s", async (...words) => {
  const module = join(createFolder(), "gone.ts");
  const { exitCode, err } = await callCli(...words, "--user-invariants", module);
  expect(err).toContain(`error INVARIANT_MISSING ${module}: there is no such file`);
  expect(exitCode).toBe(2);
});

test.each([
  [["fuzz", "run", "--tx", "10", "--from"], "CORPUS_MISSING", "the folder has no case"],
  [["verify"], "LOG_MISSING", "this is a folder, a file was expected"],
])("an empty folder, given to %s", async (words, code, reason) => {
  const folder = createFolder();
  const { exitCode, err } = await callCli(...words, folder);
  expect(err).toContain(`error ${code} ${folder}: ${reason}`);
  expect(err).toContain("hint: ");
  expect(exitCode).toBe(2);
});

test("a file as the folder for failures is refused before the search", async () => {
  const file = join(createFolder(), "notes.txt");
  writeFileSync(file, "");
  const { exitCode, out, err } = await callCli("fuzz", "run", "--tx", "10", "--failures", file);
  expect(err).toContain(`error FOLDER_EXPECTED ${file}: this is a file, a folder was expected`);
  expect(out).toBe("");
  expect(exitCode).toBe(2);
});

test.each([
  [["fuzz", "run", "--tx", "10", "--workers", "100000"], "--workers", "256"],
  [["scenario", "run", SCENARIO, "--workers", "257"], "--workers", "256"],
  [["compare-rules", BARS, "--accounts", "99999999"], "--accounts", "100,000"],
  [["backtest", "trend", "--data", BARS, "--deposit", "99999999999"], "deposit", "9,000,000,000 USD"],
])("a number that is too large, given to %s", async (words, option, most) => {
  const { exitCode, err } = await callCli(...words);
  expect(err).toMatch(new RegExp(`error OPTION_INVALID ${option}[^\n]* is too large, at most ${most}`));
  expect(exitCode).toBe(2);
});

test("a mistyped invariant gets the nearest name", async () => {
  const { exitCode, err } = await callCli("fuzz", "run", "--tx", "10", "--invariants", "conservaton");
  expect(err).toContain("hint: did you mean conservation?");
  expect(exitCode).toBe(2);
});

const LOGS = mkdtempSync(join(tmpdir(), "perplab-test-"));
const LOG = join(LOGS, "chain.log");
beforeAll(() => void writeLog("orders/cancel-frees-reserve.yaml", LOG));
afterAll(() => rmSync(LOGS, { recursive: true }));

const STORE = "out/runs-of-tests";
const SPANS = ["--train", "6h", "--test", "6h"];

/** Calls that write a file or files, but for its name: each has an option or argument for it last. */
const WRITERS: readonly (readonly [words: readonly string[], file: string])[] = [
  [["backtest", "trend", "--data", BARS, "--to", "2024-07-19T01:00", "--out"], "r.json"],
  [["backtest", "trend", "--data", BARS, "--to", "2024-07-19T01:00", "--log"], "run.log"],
  [["sweep", "trend", "--data", BARS, "--store", STORE, "--grid", "fast=2", "slow=4", "--out"], "s.json"],
  [
    ["walk-forward", "trend", "--data", BARS, "--store", STORE, "--grid", "fast=2", "slow=4", ...SPANS, "--out"],
    "w.json",
  ],
  [["import", FUNDING, "--out"], "f.tape"],
  [["tape", "slice", FUNDING, "--to", "2024-01-02", "--out"], "s.tape"],
  [["tape", "export", FUNDING, "--to", "2024-01-02", "--out"], "f.csv"],
  [["compare-rules", BARS, "--accounts", "3", "--to", "2024-07-19T00:10", "--presets", "perplab", "--out"], "r.html"],
  [["scenario", "run", SCENARIO, "--out"], "s.txt"],
  [["scenario", "new"], "mine.yaml"],
  [["compare", LOG, LOG, "--out"], "c.html"],
  [["freeze", LOG, "--blocks", "1..2", "--out"], "frozen.yaml"],
  [["fuzz", "run", "--seed", "1", "--tx", "50", "--workers", "1", "--invariants", "conservation", "--out"], "f.txt"],
  [["devnet", "--port", "0", "--check", "--silent", "--config-out"], "devnet.json"],
  [["devnet", "--port", "0", "--check", "--silent", "--dump-state"], "venue.dump"],
  [["devnet", "--port", "0", "--check", "--silent", "--state"], "venue.dump"],
  [["devnet", "--port", "0", "--check", "--silent", "--block-log"], "venue.log"],
];

describe("folders of what is written", () => {
  test.each(WRITERS)("%j makes those that are missing", async (words, file) => {
    const path = join(createFolder(), "not there/nor this", file);
    const { err } = await callCli(...words, path);
    expect(existsSync(path), err).toBe(true);
  });

  // A folder in which a backtest is to write its report gets one of each format.
  test.each(WRITERS.filter(([, file]) => file !== "r.json"))(
    "%j refuses a folder in the place of the file, before it works",
    async (words, file) => {
      const path = join(createFolder({ [`taken/${file}/inside`]: "" }), "taken", file);
      const { exitCode, err } = await callCli(...words, path);
      expect(err).toMatch(
        /^error (FILE_EXPECTED .*: this is a folder, a file was expected|REPORT_FORMAT|SCENARIO_EXISTS)/m,
      );
      expect(err).toContain(path);
      expect(exitCode).toBe(2);
      expect(err, "nothing was begun").not.toMatch(/^(reading|importing|replaying|searching|recording)/m);
    },
  );

  test("a file in the place of a folder, however far up", async () => {
    const folder = createFolder({ taken: "" });
    const { exitCode, err } = await callCli("import", FUNDING, "--out", join(folder, "taken/a/b.tape"));
    expect(err).toContain(`error FOLDER_EXPECTED ${join(folder, "taken")}: this is a file, a folder was expected`);
    expect(exitCode).toBe(2);
  });

  test("every option that writes is in this list, or makes a folder of its own", () => {
    const writing: string[] = [];
    for (const entry of commands) {
      for (const definition of "commands" in entry ? entry.commands : [entry]) {
        const text = String(definition.configure);
        for (const [, option] of text.matchAll(
          /[oO]ption\(\s*"(?:-\w, )?(--(?:out|log|notes|config-out|dump-state|state|block-log)) </g,
        )) {
          writing.push(`${"commands" in entry ? `${entry.name} ` : ""}${definition.name} ${option}`);
        }
      }
    }
    expect(writing).toContain("import --out");
    const covered = (call: string) =>
      WRITERS.some(([words]) => `${words.join(" ").replace("devnet", "serve")}`.startsWith(call.replace(/ --.*/, "")));
    const uncovered = writing.filter((call) => !covered(call));
    // bundle, report and monte-carlo need a report, and tape merge two tapes; the others: `fuzz.test.ts`, and logs are
    // levels for serve.
    expect(uncovered.sort()).toEqual([
      "bundle --out",
      "fuzz cmin --out",
      "fuzz strategy --out",
      "fuzz tmin --out",
      "monte-carlo --out",
      "report --out",
      "tape merge --out",
    ]);
  });
});

describe("numbers that are too large are refused with the largest number allowed", () => {
  test.each([
    [["backtest", "trend", "--data", "gone.csv", "--leverage", "1e99"], "--leverage", undefined],
    [["scenario", "run", SCENARIO, "--workers", "99999999999999999"], "--workers", "256"],
    [["fuzz", "run", "--tx", "1e99"], "--tx", "9,007,199,254,740,991"],
    [["fuzz", "run", "--tx", "1", "--case-timeout", "900d"], "--case-timeout", "24d"],
    [["fuzz", "run", "--tx", "1", "--seed", "99999999999"], "--seed", "4,294,967,295"],
    [["devnet", "--port", "99999"], "--port", "65,535"],
    [["devnet", "--accounts", "11"], "--accounts", "10"],
    [["devnet", "--makers", "11"], "--makers", "10"],
    [["devnet", "--balance", "99999999999"], "--balance", "999,999,999"],
    [["fuzz", "exploit", SCENARIO, "--extra", "5000000000"], "--extra", "1,000,000,000"],
  ] as const)("%j", async (words, option, most) => {
    const { exitCode, err } = await callCli(...words);
    expect(err).toContain(`error OPTION_INVALID ${option}: `);
    if (most !== undefined) expect(err).toContain(`is too large, at most ${most}`);
    expect(exitCode).toBe(2);
  });
});

describe("options are checked before any data is read", () => {
  const gone = join(projectRoot, "data/gone.csv");
  test.each([
    [["backtest", "trend", "--data", gone, "--leverage", "5000"], "leverage must be a whole number from 1 to 1000"],
    [["backtest", "trend", "--data", gone, "--latency", "99999999999999999"], "86400000, not 99999999999999999"],
    [["backtest", "trend", "--data", gone, "--deposit", "much"], "deposit"],
    [["backtest", "trend", "--data", gone, "--participation", "2"], "participation must be from 0 to 1"],
    [["backtest", "trend", "--data", gone, "--from", "2024-02-01", "--to", "2024-01-01"], "from must be before"],
    [["backtest", "trend", "--data", gone, "--set", "takrFee=0"], "did you mean takerFee?"],
    [["compare-rules", gone, "--set", "takrFee=0"], "did you mean takerFee?"],
    [["backtest", "trend", "--data", gone, "--set", "takerFee=much"], 'takerFee: "much" is not a canonical decimal'],
    [["compare-rules", gone, "--set", "takerFee=9"], "takerFee: must be at most 0.999999"],
    [["devnet", "--data", gone, "--set", "tier1=0 2 1"], "--set: tier1: "],
    [["backtest", "trend", "--data", gone, "--set", "tier1="], "tier2: tier1 is missing"],
    [["compare-rules", gone, "--insurance", "much"], "is not an amount in USD"],
    [["compare-rules", gone, "--insurance", "-1"], "is not an amount in USD"],
    [["compare-rules", gone, "--insurance", "9000000001"], "is too large, at most 9,000,000,000"],
    [["compare-rules", gone, "--from", "yesterday"], "is not a time"],
    [["devnet", "--data", gone, "--set", "takrFee=0"], "did you mean takerFee?"],
    [["devnet", "--data", gone, "--participation", "2"], "participation must be from 0 to 1"],
    [["devnet", "--data", gone, "--mode", "batch"], "the number of transactions of a block is missing"],
    [["devnet", "--data", gone, "--price", "BTC-PERP=cheap"], "is no price"],
    [["devnet", "--data", gone, "--public-url", "venue"], "is no address"],
  ])("%j", async (words, text) => {
    const { exitCode, err } = await callCli(...words);
    expect(err).toContain(text);
    expect(err).not.toContain("gone.csv");
    expect(exitCode).toBe(2);
  });
});
