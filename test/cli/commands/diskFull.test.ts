import { existsSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderBars, waves } from "../../helpers/bars.ts";
import { callCli } from "../../helpers/cli.ts";
import { createFolder } from "../../helpers/project.ts";

/** Any write to this device of Linux fails as on a full disk. */
const FULL = "/dev/full";

// Goal: of several files, the user learns which one the disk had no room for, and none is left half written.
test.skipIf(!existsSync(FULL)).each([
  ["backtest", ["trend", "--data", "./BTC-PERP.csv", "--out", "./r.html"], "r.html"],
  ["backtest", ["trend", "--data", "./BTC-PERP.csv", "--out", "./fills.csv"], "fills.csv"],
  ["import", ["./BTC-PERP.csv", "--out", "./x.tape"], "x.tape"],
])("%s: a full disk is reported with the file, case %#", async (command, words, name) => {
  const folder = createFolder({ "BTC-PERP.csv": renderBars(waves(50)) });
  const path = join(folder, name);
  symlinkSync(FULL, `${path}.${process.pid}.part`);
  const { exitCode, err } = await callCli(command, ...words.map((word) => word.replace(/^\.\//, `${folder}/`)));
  expect(exitCode).toBe(1);
  expect(err).toContain(`error DISK_FULL ${path}: no space left on the device\n  hint: free space`);
  expect(readdirSync(folder)).toEqual(["BTC-PERP.csv"]);
});

test("a folder instead of a file of data is refused with its path, by every command that reads data", async () => {
  const folder = createFolder({ "in/bars.csv": renderBars(waves(50)) });
  for (const words of [
    ["sweep", "trend", "--grid", "fast=4,5", "--store", join(folder, "store"), "--data"],
    ["backtest", "trend", "--data"],
  ]) {
    const { exitCode, err } = await callCli(...words, join(folder, "in"));
    expect(exitCode).toBe(1);
    expect(err).toContain(
      `error FILE_UNREADABLE ${join(folder, "in")}: this is not a file\n  hint: name the files in it`,
    );
  }
});
