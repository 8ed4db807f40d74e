import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import type { BacktestReport } from "../../../src/product/report/model.ts";
import { BlockLogReader } from "../../../src/venue/simulation/log/readBlockLog.ts";
import { renderBars, waves } from "../../helpers/bars.ts";
import { callCli } from "../../helpers/cli.ts";
import { createFolder, writeFiles } from "../../helpers/project.ts";

let log: Buffer;
let report: BacktestReport;

/** Records a run in a folder. */
async function record(folder: string, signatures: string) {
  writeFiles(folder, { "BTC-PERP-klines-1h.csv": renderBars(waves(100)) });
  const words = [
    "--data",
    join(folder, "BTC-PERP-klines-1h.csv"),
    "--param",
    "fast=4",
    "slow=8",
    "patience=0",
    "--blocks",
    "all",
  ];
  const path = join(folder, "run.log");
  const called = await callCli("backtest", "trend", ...words, "--signatures", signatures, "--log", path, "--json");
  return { path, report: JSON.parse(called.out) as BacktestReport };
}

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "perplab-test-"));
  const recorded = await record(folder, "elide");
  report = recorded.report;
  log = readFileSync(recorded.path);
  rmSync(folder, { recursive: true });
});

/** The log in a folder of its own. */
function open(bytes: Uint8Array = log): string {
  const path = join(createFolder(), "run.log");
  writeFileSync(path, bytes);
  return path;
}

/** Where the records of blocks start. */
function offsetsOfBlocks(): number[] {
  const reader = new BlockLogReader(open());
  const offsets = [...reader].filter(({ kind }) => kind === "block").map(({ offset }) => offset);
  reader.close();
  return offsets;
}

test("a log replays to the root of the report of the same run", async () => {
  const { exitCode, out, err } = await callCli("verify", open());
  expect(out).toContain("replays to the same venue");
  expect(out).toContain(report.run.engine.stateRoot);
  expect(out).toContain(report.run.engine.effectsHead);
  expect(err).toMatch(/^verifying: [\d,]+ bytes\n(.*\n)*verifying: done, [\d,]+ blocks$/);
  expect(exitCode).toBe(0);
});

test("with --json says what was compared", async () => {
  const { out } = await callCli("verify", open(), "--json");
  const { blocks, transactions, stateRoot, effectsHead } = report.run.engine;
  const found = { blocks, transactions, root: stateRoot, head: effectsHead, signatures: 0, torn: null };
  expect(JSON.parse(out)).toMatchObject({ verified: true, ...found });
});

test("signatures that a log keeps are checked, or not where that is asked for", async () => {
  const { path, report: signed } = await record(createFolder(), "verify");
  expect(signed.run.engine.stateRoot).toBe(report.run.engine.stateRoot);
  const checked = JSON.parse((await callCli("verify", path, "--json")).out) as { signatures: number };
  expect(checked.signatures).toBeGreaterThan(0);
  const elided = await callCli("verify", path, "--signatures", "elide", "--json");
  expect(JSON.parse(elided.out)).toMatchObject({ ...checked, signatures: 0 });
});

describe("a bad log ends with one error and its place", () => {
  async function fail(path: string, code: string, exitCode: number, ...options: string[]) {
    const called = await callCli("verify", path, ...options);
    expect(called.err).toContain(`error ${code} ${path}`);
    expect(called.err.match(/^error /gm)).toHaveLength(1);
    expect(called.err).toMatch(/\n {2}hint: /);
    expect(called.out).toBe("");
    expect(called.exitCode).toBe(exitCode);
    return called.err;
  }

  test("none", () => fail(join(createFolder(), "run.log"), "LOG_MISSING", 2));

  test("another file", () => fail(open(Buffer.from("open_time,open\n1,2\n")), "LOG_FORMAT", 1));

  test("a byte changed in a record", async () => {
    const at = offsetsOfBlocks()[40]!;
    const bytes = Buffer.from(log);
    bytes[at + 30] = bytes[at + 30]! ^ 0x10;
    expect(await fail(open(bytes), "LOG_CORRUPT", 1)).toContain(`byte ${at}`);
  });

  // Goal: the replay finds a changed block even if all its checksums are right. Method: the last byte of a block before
  // the checksum of its events changes; the checksums of the record around it are written again.
  test("a changed block with all checksums right", async () => {
    const height = 41;
    const at = offsetsOfBlocks()[height - 1]!;
    const bytes = Buffer.from(log);
    const body = bytes.subarray(at + 12, at + 12 + bytes.readUInt32LE(at));
    body[body.length - 1] = body[body.length - 1]! ^ 1;
    bytes.writeUInt32LE(crc32(body), at + 4);
    bytes.writeUInt32LE(crc32(bytes.subarray(at, at + 8)), at + 8);
    expect(await fail(open(bytes), "LOG_DIFFERS", 1)).toContain(`block ${height}`);
  });

  test("an unfinished last record, unless that is allowed", async () => {
    const path = open();
    const height = 41;
    truncateSync(path, offsetsOfBlocks()[height]! + 20);
    const err = await fail(path, "LOG_TORN", 1);
    expect(err).toContain(`up to block ${height} verifies`);
    const { exitCode, out } = await callCli("verify", path, "--torn", "--json");
    expect(JSON.parse(out)).toMatchObject({ height, torn: { bytes: 20 } });
    expect(exitCode).toBe(0);
  });
});
