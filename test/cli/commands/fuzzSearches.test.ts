import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { callCli } from "../../helpers/cli.ts";
import { createFolder, writeFiles } from "../../helpers/project.ts";

const INCIDENT = "scenarios/incidents/drift-luna-2022.yaml";
const ATTACKERS = ["--attackers", "loser,winner,newcomer"];

test("exploit prints an attacker's gain step by step, and ends with 1", async () => {
  const call = ["fuzz", "exploit", INCIDENT, ...ATTACKERS, "--variant", "weak", "--attempts", "400"];
  const { exitCode, out, err } = await callCli(...call);
  expect({ exitCode, err }).toMatchObject({ exitCode: 1, err: expect.stringContaining("EXPLOIT_FOUND") });
  expect(out).toMatch(/^deposited 4,000,000 USD, withdrawn [\d,]+ USD, profit [\d,]+ USD\n/);
  expect(out).toContain("withdraw");
  const json = JSON.parse((await callCli(...call, "--json")).out);
  expect(json.profit).toBeCloseTo(json.withdrawn - json.deposited, 3);
});

test("exploit ends with 0 when no profit exists", async () => {
  const { exitCode, out } = await callCli(
    "fuzz",
    "exploit",
    INCIDENT,
    ...ATTACKERS,
    "--variant",
    "default",
    "--attempts",
    "50",
  );
  expect({ exitCode, out }).toMatchObject({ exitCode: 0, out: expect.stringContaining("none withdrew") });
});

test.each([
  [["--attackers", "mallory"], "EXPLOIT_ACCOUNT"],
  [[...ATTACKERS, "--variant", "strong"], "EXPLOIT_VARIANT"],
  [[], "OPTION_INVALID"],
  [["--extra", "0"], "OPTION_INVALID"],
])("exploit with %j is refused", async (options, code) => {
  const { exitCode, err } = await callCli("fuzz", "exploit", INCIDENT, ...options);
  expect({ exitCode, err }).toMatchObject({ exitCode: 2, err: expect.stringContaining(code) });
});

test("strategy writes the market that breaks an assertion, and that market breaks it again", async () => {
  const folder = createFolder();
  const call = ["fuzz", "strategy", "trend", "--leverage", "5", "--assert", "min-margin=1.2"];
  const found = await callCli(...call, "--attempts", "40", "--out", folder);
  expect(found).toMatchObject({ exitCode: 1, err: expect.stringContaining("ASSERTION_BROKEN") });
  expect(found.out).toContain("with charts: perplab backtest trend");
  const script = join(folder, "market.txt");
  expect(readFileSync(script, "utf8").trim().split("\n").length).toBeLessThanOrEqual(3);
  expect((await callCli(...call, "--market", script)).exitCode).toBe(1);
  const files = ["klines-15m", "markPriceKlines-15m", "fundingRate"].map((name) =>
    join(folder, `TEST-PERP-${name}.csv`),
  );
  const again = await callCli("backtest", "trend", "--data", ...files, "--leverage", "5", "--json");
  expect(again.exitCode).toBe(0);
});

test("strategy takes assertions of a module, and refuses other exports", async () => {
  const folder = createFolder();
  writeFiles(folder, {
    "calm.ts": `export const calm = { id: "calm", sentence: "Nothing happens.", slack: () => 1 };\n`,
    "empty.ts": "export const nothing = 1;\n",
    "market.txt": "calm 4 bars\nmoon 3 bars\n",
  });
  const call = ["fuzz", "strategy", "trend", "--attempts", "2"];
  expect((await callCli(...call, "--assert", join(folder, "calm.ts"))).out).toContain("calm: least slack 1.0000");
  for (const [options, exitCode, code] of [
    [["--assert", join(folder, "empty.ts")], 1, "ASSERTION_INVALID"],
    [["--assert", "profit"], 2, "ASSERTION_INVALID"],
    [["--market", join(folder, "market.txt")], 2, "market.txt:2"],
    [["--market", join(folder, "none.txt")], 2, "FILE_MISSING"],
  ] as const) {
    expect(await callCli(...call, ...options)).toMatchObject({ exitCode, err: expect.stringContaining(code) });
  }
});

const RESTING = "scenarios/orders/cancel-frees-reserve.yaml";
const AROUND = ["fuzz", "explore", "--around", RESTING, "--no-model", "--invariants", "reserves,conservation"];

test("explore prints what it tried, and ends with 0 if everything held", async () => {
  const { exitCode, out } = await callCli(...AROUND);
  expect({ exitCode, out }).toMatchObject({ exitCode: 0, out: expect.stringContaining("everything held") });
  expect(out).toMatch(/^explored: one step at each of 4 places of 1 scenario \(1 case\)$/m);
  const json = JSON.parse((await callCli(...AROUND, "--json")).out);
  expect(json).toMatchObject({ scenarios: 1, places: 4, withModel: 0, findings: [] });
  expect(json.actions.cancelOrder).toEqual({ tried: 1, applied: 1 });
});

test("explore finds a planted fault, writes it as a scenario, and ends with 1", async () => {
  const folder = createFolder();
  const { exitCode, out, err } = await callCli(...AROUND, "--canary", "keptReserve", "--failures", folder);
  expect({ exitCode, err }).toMatchObject({ exitCode: 1, err: expect.stringContaining("SEARCH_VIOLATED") });
  const [, path = ""] = /shrunk to \d+ transactions: (\S+)$/m.exec(out) ?? [];
  expect(readFileSync(path, "utf8")).toContain("scenario: reserves holds");
});

test("explore ends with 3 if no step of an account was applied", async () => {
  const text = "# Nothing.\nscenario: nothing\nmarkets: {}\nblocks: [{ expect: { fills: none } }]\n";
  const file = join(createFolder({ "empty.yaml": text }), "empty.yaml");
  const { exitCode, out, err } = await callCli("fuzz", "explore", "--around", file);
  expect({ exitCode, out, err }).toMatchObject({ exitCode: 3, err: expect.stringContaining("SEARCH_VACUOUS") });
});

test("explore without anything to explore is refused", async () => {
  const { exitCode, err } = await callCli("fuzz", "explore");
  expect({ exitCode, err }).toMatchObject({ exitCode: 2, err: expect.stringContaining("OPTION_MISSING") });
});

test("explore tries the sequences of a world, and reports what it explored", async () => {
  const { exitCode, out, err } = await callCli(
    "fuzz",
    "explore",
    "scenarios/worlds/nonces.yaml",
    "--no-model",
    "--json",
  );
  expect({ exitCode, err }).toMatchObject({ exitCode: 0 });
  const { list, ...sums } = JSON.parse(out);
  expect(sums).toMatchObject({ worlds: 1, starts: 1 });
  expect(list[0]).toMatchObject({ neverApplied: [], neverMet: [], starts: [{ depth: 4, findings: [], unequal: [] }] });
  expect(list[0].starts[0].statesAt).toHaveLength(5);
});

test("explore ends with 3 if a block of the alphabet never has its outcome", async () => {
  const call = ["fuzz", "explore", "scenarios/worlds/trade.yaml", "--no-model", "--depth", "1"];
  const { exitCode, out, err } = await callCli(...call, "--invariants", "netZero");
  expect({ exitCode, err }).toMatchObject({ exitCode: 3, err: expect.stringContaining("cancels: never applied") });
  expect(out).toMatch(/^explored: all sequences of up to the depth of each of 1 world, from 1 start$/m);
});

test.each([
  [["scenarios/worlds/trade.yaml", "--around", RESTING], "OPTION_INVALID"],
  [["--around", RESTING, "--depth", "2"], "OPTION_INVALID"],
  [[RESTING], "WORLD_EXPECTED"],
])("explore with %j is refused", async (words, code) => {
  const { exitCode, err } = await callCli("fuzz", "explore", ...words);
  expect({ exitCode, err }).toMatchObject({ exitCode: 2, err: expect.stringContaining(code) });
});
