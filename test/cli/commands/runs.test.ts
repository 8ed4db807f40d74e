import { existsSync, readdirSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderBars, waves } from "../../helpers/bars.ts";
import { callCli } from "../../helpers/cli.ts";
import { createFolder } from "../../helpers/project.ts";

const DAY = 86_400_000;

/** A folder with the store of a sweep of two runs, and of further ones. */
async function open() {
  const folder = createFolder({ "BTC-PERP-klines-1h.csv": renderBars(waves(40)) });
  const store = join(folder, "store");
  const data = join(folder, "BTC-PERP-klines-1h.csv");
  const sweep = (...words: string[]) =>
    callCli("sweep", "trend", "--data", data, "--store", store, "--grid", "fast=2,4", "slow=8", ...words);
  const runs = (name: string, ...words: string[]) => callCli("runs", name, "--store", store, ...words);
  expect((await sweep()).err).toContain("2 new in");
  const tapes = join(store, "tapes");
  const tape = join(tapes, readdirSync(tapes)[0]!);
  const age = (path: string, days: number) => {
    const used = new Date(Date.now() - days * DAY);
    utimesSync(path, used, used);
  };
  return { store, data, sweep, runs, tape, age };
}

test("the list has the number and size of results, and each tape with its market and time", async () => {
  const { store, runs, tape } = await open();
  const { out, exitCode } = await runs("list");
  expect(exitCode).toBe(0);
  expect(out).toMatch(new RegExp(`^${store}: 2 results \\([\\d.]+ kB\\), 1 tape \\([\\d.]+ kB\\)\n`));
  expect(out).toMatch(/\ntape +size +used last, UTC +markets +from +to +events\n/);
  expect(out).toMatch(/\n[0-9a-f]{12} +[\d.]+ kB +20.* BTC-PERP .* 40$/m);
  const document = JSON.parse((await runs("list", "--json")).out);
  expect(document).toMatchObject({
    store,
    results: { count: 2 },
    tapes: [{ path: tape, bytes: statSync(tape).size, data: { markets: ["BTC-PERP"], events: 40 } }],
    remnants: { count: 0, bytes: 0 },
  });
});

test("a tape that cannot be read is listed as such, and can be removed", async () => {
  const { runs, tape } = await open();
  truncateSync(tape, 20);
  expect((await runs("list")).out).toContain("not readable");
  expect(JSON.parse((await runs("list", "--json")).out).tapes[0].data).toBeNull();
  await runs("prune", "--all", "--only", "tapes");
  expect(existsSync(tape)).toBe(false);
});

test("results that were not used for the given time are removed, and made again when needed", async () => {
  const { runs, sweep, tape, age } = await open();
  age(tape, 40);
  const dry = await runs("prune", "--older", "30d", "--dry-run");
  expect(dry.out).toMatch(
    /^Would remove {2}0 results \(0 B\), 1 tape .*\nWould keep {4}2 results .*, 0 tapes \(0 B\)$/,
  );
  expect(existsSync(tape)).toBe(true);
  const { out, exitCode } = await runs("prune", "--older", "30d", "--json");
  expect(exitCode).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    isDryRun: false,
    removed: { results: { count: 0 }, tapes: { count: 1 } },
    kept: { results: { count: 2 }, tapes: { count: 0 } },
  });
  expect(existsSync(tape)).toBe(false);
  expect((await sweep()).err).toContain("0 new in");
  expect(existsSync(tape)).toBe(true);
});

test("a sweep that reads a tape renews its last use", async () => {
  const { runs, sweep, tape, age } = await open();
  age(tape, 40);
  await sweep();
  await runs("prune", "--older", "30d");
  expect(existsSync(tape)).toBe(true);
});

test("a store is pruned to a size, and to nothing", async () => {
  const { runs, store } = await open();
  expect((await runs("prune", "--max-size", "1kB", "--only", "results")).out).toMatch(/^Removed {2}[12] results/);
  expect((await runs("prune", "--all")).out).toMatch(/\nKept {5}0 results \(0 B\), 0 tapes \(0 B\)$/);
  expect(readdirSync(store)).toEqual([]);
});

// Ten gigabytes, of which a file system stores nothing: the length of a file without contents.
test("a new tape removes those that no run has read for a week, where all of them are above ten gigabytes", async () => {
  const { sweep, data, tape, age } = await open();
  const [idle, young] = ["a", "b"].map((digit) => join(tape, "..", `${digit.repeat(64)}.tape`)) as [string, string];
  for (const path of [idle, young]) {
    writeFileSync(path, "");
    truncateSync(path, 6e9);
  }
  age(idle, 8);
  age(young, 6);
  writeFileSync(data, renderBars(waves(41)));
  const { err, exitCode } = await sweep();
  expect(exitCode, err).toBe(0);
  expect(err).toContain("removed 1 that no run has read for a week");
  expect([idle, young, tape].map((path) => existsSync(path))).toEqual([false, true, true]);
});

test.each([
  [["prune"], "USAGE there is no limit to prune to"],
  [["prune", "--all", "--older", "1d"], "USAGE --all leaves nothing for --older or --max-size"],
  [["prune", "--max-size", "2"], 'OPTION_INVALID --max-size: "2" is not a size'],
  [["prune", "--older", "30"], 'OPTION_INVALID --older: "30" is not a duration'],
  [["prune", "--all", "--only", "logs"], 'OPTION_INVALID --only: there is no "logs"'],
])("%j is refused before anything is removed", async (words, message) => {
  const { exitCode, err, out } = await callCli("runs", ...words, "--store", createFolder());
  expect(err).toContain(`error ${message}`);
  expect(err).toContain("hint: ");
  expect(out).toBe("");
  expect(exitCode).toBe(2);
});

test.each(["list", "prune"])("a store that does not exist, given to %s", async (name) => {
  const store = join(createFolder(), "gone");
  const { exitCode, err } = await callCli("runs", name, "--store", store, ...(name === "prune" ? ["--all"] : []));
  expect(err).toContain(`error STORE_MISSING ${store}: there is no such folder, so nothing is stored`);
  expect(exitCode).toBe(2);
});
