import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { toSweepJson } from "../../../src/product/research/sweep/sweepDocument.ts";
import { renderBars, waves } from "../../helpers/bars.ts";
import { callCliIn } from "../../helpers/cli.ts";
import { createFolder } from "../../helpers/project.ts";

type Document = ReturnType<typeof toSweepJson>;

// A real full disk: a file system in memory with room for some records. Where none can be mounted, `runStore.test.ts`
// has the same with a write that fails.

const mount = (...words: string[]) => spawnSync("mount", words, { encoding: "utf8" });

/** A folder with a disk of this size in it, or why there is none. */
function openDisk(size: string): { readonly folder: string; readonly disk: string } | string {
  const folder = createFolder({ "BTC-PERP-klines-1h.csv": renderBars(waves(60)) });
  const disk = join(folder, "disk");
  mkdirSync(disk);
  const { status, stderr, error } = mount("-t", "tmpfs", "-o", `size=${size}`, "tmpfs", disk);
  if (status !== 0) return error?.message ?? stderr.trim();
  onTestFinished(() => void spawnSync("umount", [disk]));
  return { folder, disk };
}

const filesOf = (folder: string) => readdirSync(folder, { recursive: true }).map(String);

test("a disk that fills up during a sweep is one error, and the finished cells are kept", async (context) => {
  const opened = openDisk("160k");
  if (typeof opened === "string") return context.skip(`no file system of a fixed size can be mounted: ${opened}`);
  const { folder, disk } = opened;
  const words = ["sweep", "trend", "--data", "BTC-PERP-klines-1h.csv", "--store", "disk/store", "--workers", "1"];
  const grid = ["--param", "patience=0", "--grid", "fast=2..60"];
  const full = await callCliIn(folder, ...words, ...grid, "--out", "s.json");
  expect(full.exitCode).toBe(1);
  expect(full.err.match(/^error /gm)).toHaveLength(1);
  expect(full.err).toMatch(
    /^error DISK_FULL disk\/store\/\S+\.run: no space left on the device\n {2}hint: free space/m,
  );
  expect(full.err).toMatch(/stopped after \d+ of 59 runs; finished runs are kept; to continue: perplab sweep/);
  expect(full.out).toBe("");
  expect(filesOf(folder).filter((name) => /\.part$|s\.json$/.test(name))).toEqual([]);
  const kept = filesOf(disk).filter((name) => name.endsWith(".run")).length;
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThan(59);

  expect(mount("-o", "remount,size=8m", disk).status).toBe(0);
  const again = await callCliIn(folder, ...words, ...grid, "--out", "s.json");
  expect(again.exitCode, again.err).toBe(0);
  expect(again.err).toContain(`${59 - kept} new in 1 thread, ${kept} kept from before`);
  const document = JSON.parse(readFileSync(join(folder, "s.json"), "utf8")) as Document;
  expect(document.cells).toHaveLength(59);
});

test("a disk that fills up while a block log grows is reported with the log, and no part of it is left", async (context) => {
  const opened = openDisk("4k");
  if (typeof opened === "string") return context.skip(`no file system of a fixed size can be mounted: ${opened}`);
  const { folder, disk } = opened;
  const { exitCode, err } = await callCliIn(
    folder,
    ...["backtest", "maker", "--data", "BTC-PERP-klines-1h.csv", "--log", "disk/run.log"],
  );
  expect(exitCode).toBe(1);
  expect(err).toMatch(/^error DISK_FULL disk\/run\.log: no space left on the device\n {2}hint: free space/m);
  expect(filesOf(disk)).toEqual([]);
});

test("a disk that is full when the results are written is one error, and no file is left half written", async (context) => {
  const opened = openDisk("16k");
  if (typeof opened === "string") return context.skip(`no file system of a fixed size can be mounted: ${opened}`);
  const { folder, disk } = opened;
  const words = ["sweep", "trend", "--data", "BTC-PERP-klines-1h.csv", "--store", "store", "--workers", "1"];
  const grid = ["--param", "patience=0", "--grid", "fast=2..12", "--reports", "none", "--out", "disk/s.html"];
  const { exitCode, err } = await callCliIn(folder, ...words, ...grid);
  expect(exitCode).toBe(1);
  expect(err.match(/^error /gm)).toHaveLength(1);
  expect(err).toMatch(/^error DISK_FULL /m);
  expect(filesOf(disk)).toEqual([]);
  expect(filesOf(join(folder, "store")).filter((name) => name.endsWith(".run"))).toHaveLength(11);
});
