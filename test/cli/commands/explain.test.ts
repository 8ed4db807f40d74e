import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { renderBars, waves } from "../../helpers/bars.ts";
import { callCli } from "../../helpers/cli.ts";
import { writeFiles } from "../../helpers/project.ts";

const folder = mkdtempSync(join(tmpdir(), "perplab-test-"));
const log = join(folder, "run.log");
const data = join(folder, "BTC-PERP-klines-1h.csv");

beforeAll(async () => {
  writeFiles(folder, { "BTC-PERP-klines-1h.csv": renderBars(waves(60)) });
  await callCli(
    "backtest",
    "trend",
    "--data",
    data,
    "--param",
    "fast=4",
    "slow=8",
    "patience=0",
    "--log",
    log,
    "--json",
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

test("a transaction is explained in words, and as JSON", async () => {
  const { exitCode, out } = await callCli("explain", log, "1-2");
  expect(exitCode).toBe(0);
  expect(out).toMatch(/^setLeverage at place 2 of block 1, /);
  for (const part of ["Asked for", "Account before", "Account after", "Events", "marginChanged"])
    expect(out).toContain(part);
  expect(JSON.parse((await callCli("explain", log, "1-2", "--json")).out)).toMatchObject({
    action: "setLeverage",
    status: "applied",
  });
});

test("a malformed id is a usage error, and an unknown id is reported", async () => {
  expect(await callCli("explain", log, "yesterday")).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining("SUBJECT_INVALID"),
  });
  expect(await callCli("explain", log, "1-99")).toMatchObject({
    exitCode: 2,
    err: expect.stringMatching(/SUBJECT_NOT_FOUND .*block 1 has no such transaction[\s\S]*places are 1-0 to 1-\d/),
  });
  const id = `0x${"1".repeat(64)}`;
  expect(await callCli("explain", log, id)).toMatchObject({
    exitCode: 2,
    err: expect.stringMatching(
      new RegExp(`SUBJECT_NOT_FOUND .*no transaction of its blocks 1 to \\d+ has the id ${id}`),
    ),
  });
  expect(await callCli("explain", log, "99999-1")).toMatchObject({
    exitCode: 2,
    err: expect.stringMatching(/LOG_HEIGHT .*has blocks 1 to \d+; block 99999 was requested/),
  });
  expect(await callCli("explain", log, "L-1-0")).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining("no account was liquidated"),
  });
});

test("rules are compared on a log and on data, as a table, as JSON and as a page", async () => {
  const { exitCode, out } = await callCli("compare-rules", log, "--presets", "perplab");
  expect(exitCode).toBe(0);
  expect(out).toMatch(/recorded +perplab/);
  const page = join(folder, "rules.html");
  const called = await callCli("compare-rules", data, "--accounts", "40", "--out", page, "--json");
  const { recorded, sets } = JSON.parse(called.out);
  expect(recorded.transactions.invalid).toBe(0);
  expect(sets.map(({ name }: { name: string }) => name)).toContain("perplab");
  const { readFileSync } = await import("node:fs");
  const text = readFileSync(page, "utf8");
  expect(text).toMatch(/^<!doctype html>/);
  for (const part of ["What each did", "The insurance fund", "Definitions"]) expect(text).toContain(part);
});

test("an unknown preset and an unknown ending are refused before anything runs", async () => {
  expect(await callCli("compare-rules", log, "--presets", "lighter")).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining("perplab"),
  });
  expect(await callCli("compare-rules", log, "--out", "rules.pdf")).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining(".html"),
  });
});
