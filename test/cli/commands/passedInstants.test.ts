import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BacktestReport } from "../../../src/product/report/model.ts";
import { findHeightAt } from "../../../src/venue/simulation/log/findHeightAt.ts";
import { BlockLogReader } from "../../../src/venue/simulation/log/readBlockLog.ts";
import { renderBars, waves } from "../../helpers/bars.ts";
import { callCli } from "../../helpers/cli.ts";
import { writeFiles } from "../../helpers/project.ts";

// A run makes a block only where something can happen (decision 33). What reads its log must find the same as in the
// log of a run with a block at every instant, and must take a time at which no block was made.

let folder: string;
const path = (name: string) => join(folder, name);

/** Closes that rise, and fall by a third at once: what is long with leverage is liquidated. */
const CLOSES = [...waves(93), ...Array.from({ length: 30 }, (_, at) => 13_000 + 20 * at)];
const HOUR = 3_600_000;
const START = Date.UTC(2024, 0, 1);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "perplab-test-"));
  writeFiles(folder, { "BTC-PERP-klines-1h.csv": renderBars(CLOSES) });
  for (const blocks of ["needed", "all"]) {
    const run = ["backtest", "trend", "--data", path("BTC-PERP-klines-1h.csv"), "--blocks", blocks];
    const options = ["--param", "fast=4", "slow=16", "patience=0", "short=false", "--leverage", "20"];
    const files = ["--log", path(`${blocks}.log`), "--out", path(`${blocks}.json`)];
    const { exitCode, err } = await callCli(...run, ...options, ...files);
    if (exitCode !== 0) throw new Error(err);
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

interface Logged {
  readonly height: number;
  readonly timeMs: number;
  readonly actions: readonly string[];
}

function readBlocks(name: string): Logged[] {
  const reader = new BlockLogReader(path(`${name}.log`));
  try {
    return [...reader].flatMap((record) => {
      if (record.kind !== "block") return [];
      const { height, timeMs, transactions } = record.block;
      return [{ height, timeMs, actions: transactions.map(({ action }) => action) }];
    });
  } finally {
    reader.close();
  }
}

const readReport = (name: string) => JSON.parse(readFileSync(path(`${name}.json`), "utf8")) as BacktestReport;

/** The first order of a log, as `explain` names it. */
function firstOrder(name: string): string {
  const block = readBlocks(name).find(({ actions }) => actions.includes("placeOrder"))!;
  return `${block.height}-${block.actions.indexOf("placeOrder")}`;
}

async function explain(name: string, subject: string) {
  const { exitCode, out, err } = await callCli("explain", path(`${name}.log`), subject, "--json");
  expect(exitCode, err).toBe(0);
  return JSON.parse(out);
}

test("the run passes most instants, and is liquidated", () => {
  expect(readBlocks("needed").length).toBeLessThan(readBlocks("all").length / 2);
  expect(readReport("needed").liquidations.total).toBeGreaterThan(0);
});

describe("explain", () => {
  test("of an order has the same account, prices and outcome as with every block", async () => {
    const [few, every] = [await explain("needed", firstOrder("needed")), await explain("all", firstOrder("all"))];
    expect(few.action).toBe("placeOrder");
    expect(few.timeMs).toBe(every.timeMs);
    for (const part of ["status", "numbers", "before", "after", "markets"])
      expect(few[part], part).toEqual(every[part]);
  });

  test("of every liquidation has the same equity, maintenance margin, marks and stages as with every block", async () => {
    const [few, every] = [readReport("needed").liquidations.kept, readReport("all").liquidations.kept];
    expect(few).toHaveLength(every.length);
    for (const [at, { id }] of few.entries()) {
      const [a, b] = [await explain("needed", id), await explain("all", every[at]!.id)];
      for (const part of ["account", "timeMs", "equity", "maintenance", "before", "after", "markets"])
        expect(a[part], part).toEqual(b[part]);
      const kindsOf = (found: { readonly events: readonly { readonly kind: string }[] }) =>
        found.events.map(({ kind }) => kind);
      expect(kindsOf(a)).toEqual(kindsOf(b));
      expect(a.equity).toBe(few[at]!.equity);
    }
  });

  test("prints both in words", async () => {
    const order = await callCli("explain", path("needed.log"), firstOrder("needed"));
    expect(order.out).toMatch(/^placeOrder at place \d+ of block \d+, /);
    const liquidation = await callCli("explain", path("needed.log"), readReport("needed").liquidations.kept[0]!.id);
    expect(liquidation.out).toMatch(/equity -?[\d.]+ USD was below its maintenance margin of [\d.]+ USD/);
  });
});

describe("fork", () => {
  const fork = async (...words: readonly string[]) => {
    const { exitCode, out, err } = await callCli("fork", path("needed.log"), ...words, "--json");
    expect(exitCode, err).toBe(0);
    return JSON.parse(out);
  };
  /** A moment between two blocks, hours from both. */
  function passed(): { readonly timeMs: number; readonly before: Logged } {
    const blocks = readBlocks("needed");
    const at = blocks.findIndex(({ timeMs }, place) => (blocks[place + 1]?.timeMs ?? timeMs) - timeMs > 4 * HOUR);
    return { timeMs: blocks[at]!.timeMs + 2 * HOUR, before: blocks[at]! };
  }

  test("at a height and without a change is the record", async () => {
    const { roots } = await fork("--at", "5");
    expect(roots.fork).toEqual(roots.base);
  });

  test("at a time that was passed is the fork at the block before it", async () => {
    const { timeMs, before } = passed();
    const change = ["--set", "takerFee=0.002", "--diff"];
    const byTime = await fork("--at", new Date(timeMs).toISOString(), ...change);
    expect(byTime.at).toBe(before.height);
    expect(byTime).toEqual(await fork("--at", `${before.height}`, ...change));
    expect(Number(byTime.outcomes.fork.fees)).toBeGreaterThan(Number(byTime.outcomes.base.fees));
  });

  test("at the time of a block shares that block, at the start only genesis", async () => {
    const { before } = passed();
    expect((await fork("--at", new Date(before.timeMs).toISOString())).at).toBe(before.height);
    expect((await fork("--at", "2024-01-01T00:00:00Z")).at).toBe(0);
    expect(findHeightAt(path("needed.log"), START)).toMatchObject({ height: 0, fromMs: START });
  });

  test("under a change gives the same liquidations as the fork of a log with every block", async () => {
    const { timeMs } = passed();
    const words = ["--at", new Date(timeMs).toISOString(), "--set", "liquidationFee=0", "--diff", "--json"];
    const every = JSON.parse((await callCli("fork", path("all.log"), ...words)).out);
    const few = await fork(...words.slice(0, -1));
    for (const run of ["base", "fork"]) {
      expect(few.outcomes[run].liquidations).toEqual(every.outcomes[run].liquidations);
      expect(few.outcomes[run].fees).toBe(every.outcomes[run].fees);
    }
  });

  test.each([
    ["2023-12-31", "LOG_HEIGHT", "is not in it"],
    ["2025-01-01", "LOG_HEIGHT", "is not in it"],
    ["yesterday", "OPTION_INVALID", "neither a height nor a time"],
    ["-1", "OPTION_INVALID", "neither a height nor a time"],
  ])("at %s is refused", async (at, code, reason) => {
    const { exitCode, err } = await callCli("fork", path("needed.log"), "--at", at);
    expect(exitCode).toBe(2);
    expect(err).toContain(`error ${code}`);
    expect(err).toContain(reason);
  });
});
