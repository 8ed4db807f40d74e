import { join } from "node:path";
import { expect, test } from "vitest";
import { callCli } from "../helpers/cli.ts";
import { createFolder } from "../helpers/project.ts";

// Goal: no option is dropped without a word. Method: each call has an option that the work would not use, or that
// names a place that does not exist. It is refused by name, before Redis is asked.

const AWAY = ["--redis", "redis://127.0.0.1:1"];

test.each([
  [["sweep", "trend", "--data", "x", "--grid", "fast=1"]],
  [["walk-forward", "trend", "--data", "x", "--grid", "fast=1", "--train", "1d", "--test", "1d"]],
  [["fuzz", "run"]],
  [["fuzz", "explore", "scenarios/worlds"]],
  [["monte-carlo", "report.json"]],
  [["scenario", "run", "scenarios"]],
])("%j with a prefix of keys needs the address of Redis", async (words) => {
  const { exitCode, err } = await callCli(...words, "--redis-prefix", "own");
  expect(err).toContain("error OPTION_MISSING --redis-prefix: a prefix of keys needs the address of Redis");
  expect(exitCode).toBe(2);
});

test.each([
  [["run", "--assert", "no-liquidation"], "OPTION_MISSING --assert"],
  [["run", "--attempts", "3"], "OPTION_MISSING --attempts"],
  [["run", "--strategy", "trend", "--tx", "5"], "OPTION_INVALID --tx"],
  [["run", "--strategy", "trend", "--user-invariants", "own.ts"], "OPTION_INVALID --user-invariants"],
  [["explore", "scenarios/worlds", "--depth", "1", "--nightly"], "OPTION_INVALID --nightly"],
])("fuzz %j is refused", async (words, fault) => {
  const { exitCode, err } = await callCli("fuzz", ...words);
  expect(err).toContain(`error ${fault}: `);
  expect(exitCode).toBe(2);
});

test("fuzz run with a strategy takes the options of a search for a market", async () => {
  const own = ["--strategy", "trend", "--seed", "1", "--attempts", "1", "--assert", "no-liquidation"];
  const { exitCode, err } = await callCli("fuzz", "run", ...own, "--json", "--no-color");
  expect(exitCode, err).toBe(0);
});

test("a worker refuses places for tapes and copies that are no folders, before it takes jobs", async () => {
  const folder = createFolder({ "btc.tape": "" });
  const worker = (place: string) => callCli("worker", "--tapes", place, "--cache", folder, ...AWAY);
  const missing = await worker(join(folder, "tapes"));
  expect(missing.err).toContain(`error FILE_MISSING --tapes: there is no folder ${join(folder, "tapes")}`);
  const file = await worker(join(folder, "btc.tape"));
  expect(file.err).toContain(`error FOLDER_EXPECTED --tapes: ${join(folder, "btc.tape")} is a file`);
  const cache = await callCli("worker", "--cache", join(folder, "btc.tape"), ...AWAY);
  expect(cache.err).toContain(`error FOLDER_EXPECTED --cache: ${join(folder, "btc.tape")} is a file`);
  expect([missing.exitCode, file.exitCode, cache.exitCode]).toEqual([2, 2, 2]);
});
