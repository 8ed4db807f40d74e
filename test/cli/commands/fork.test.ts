import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderBars, waves } from "../../helpers/bars.ts";
import { callCli } from "../../helpers/cli.ts";
import { writeFiles } from "../../helpers/project.ts";

let folder: string;
let log: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "perplab-test-"));
  writeFiles(folder, { "BTC-PERP-klines-1h.csv": renderBars(waves(100)) });
  log = join(folder, "run.log");
  const words = ["--data", join(folder, "BTC-PERP-klines-1h.csv"), "--param", "fast=4", "slow=8", "patience=0"];
  await callCli("backtest", "trend", ...words, "--blocks", "all", "--log", log, "--json");
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Writes what is to be injected and returns its path. */
function inject(text: string): string {
  writeFiles(folder, { "inject.yaml": text });
  return join(folder, "inject.yaml");
}

test("a fork without a change has the recorded root", async () => {
  const { exitCode, out } = await callCli("fork", log, "--at", "10", "--json");
  expect(exitCode).toBe(0);
  const { roots } = JSON.parse(out);
  expect(roots.fork).toEqual(roots.base);
  expect((await callCli("fork", log, "--at", "10", "--diff")).out).toContain(
    "Every account ends with the same values.",
  );
});

test("a changed parameter changes the figures that it should, as a table and as JSON", async () => {
  const words = ["fork", log, "--at", "10", "--set", "BTC-PERP.takerFee=0.003", "venue.liquidationsMax=5", "--diff"];
  const { out } = await callCli(...words, "--json");
  const { outcomes, difference, roots } = JSON.parse(out);
  expect(Number(outcomes.fork.fees)).toBeGreaterThan(Number(outcomes.base.fees));
  expect(difference.fees).toEqual({ base: outcomes.base.fees, fork: outcomes.fork.fees });
  expect(roots.fork.root).not.toBe(roots.base.root);
  const table = (await callCli(...words)).out;
  expect(table).toMatch(/\* fees +[\d,.]+ +[\d,.]+/);
  expect(table).toContain("1 account ends differently");
});

test("injected transactions are in their block, and their results are printed", async () => {
  const file = inject(
    `- { height: 20, oracleUpdate: { market: BTC-PERP, price: "1" } }\n- { height: 21, fundInsurance: { amount: "7.5" } }\n`,
  );
  const { out } = await callCli("fork", log, "--at", "10", "--inject", file, "--diff", "--json");
  const { injected, outcomes } = JSON.parse(out);
  expect(injected).toMatchObject([
    { height: 20, action: "oracleUpdate", status: "applied" },
    { height: 21, action: "fundInsurance", status: "applied" },
  ]);
  expect(Number(outcomes.fork.insurance.end)).not.toBe(Number(outcomes.base.insurance.end));
});

describe("what cannot be done is refused with its place", () => {
  test.each([
    [["--at", "10", "--set", "takersFee=0"], 2, "OPTION_INVALID", "did you mean takerFee?"],
    [["--at", "10", "--set", "BTC-PERP.tickSzie=1"], 2, "OPTION_INVALID", "did you mean tickSize?"],
    [["--at", "10", "--set", "takerFee=7"], 2, "INVALID_FORK", "at most"],
    [["--at", "10", "--set", "venue.height=0"], 2, "OPTION_INVALID", "liquidationsMax"],
    [["--at", "10", "--set", "BEST.takerFee=0"], 2, "INVALID_FORK", "BTC-PERP"],
    [["--at", "1000000"], 2, "LOG_HEIGHT", "blocks 1 to"],
    [["--at", "-1"], 2, "OPTION_INVALID", "--at"],
  ])("perplab fork %j", async (words, exit, code, text) => {
    const { exitCode, err } = await callCli("fork", log, ...words);
    expect(exitCode).toBe(exit);
    expect(err).toContain(code);
    expect(err).toContain(text);
  });

  test.each([
    ["height: 5", "list"],
    ["- { height: x, noop: {} }", "[0].height"],
    ["- { height: 20 }", "placeOrder"],
    ["- { height: 20, noop: {}, cancelAll: {} }", "one action"],
    ["- { height: 20, from: alice, noop: {} }", "[0].from"],
    ["- { height: 20, from: operator, noop: {} }", "[0].from"],
    [`- { height: 20, oracleUpdate: { market: BTC-PERP, price: "1.123456789" } }`, "[0].oracleUpdate.price"],
    [`- { height: 20, oracleUpdate: { market: BTC-PERP, prize: "1" } }`, "prize"],
    ["- { height: 20, noop: {} }\n- { height: 20, height: 20, noop: {} }", "inject.yaml:2"],
  ])("an injected %j", async (text, place) => {
    const { exitCode, err } = await callCli("fork", log, "--at", "10", "--inject", inject(text));
    expect(exitCode).toBe(2);
    expect(err).toContain("inject.yaml");
    expect(err).toContain(place);
  });

  test("an injected transaction beyond the log", async () => {
    const file = inject("- { height: 2000000, fundInsurance: { amount: '1' } }\n");
    const { exitCode, err } = await callCli("fork", log, "--at", "10", "--inject", file);
    expect([exitCode, err.includes("LOG_HEIGHT")]).toEqual([2, true]);
  });
});
