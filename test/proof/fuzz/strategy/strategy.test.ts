import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { defineStrategy } from "../../../../src/client/strategy/strategy.ts";
import { runBacktest } from "../../../../src/product/backtest/runBacktest.ts";
import { openData } from "../../../../src/product/market-data/readSources.ts";
import { parseAssertion } from "../../../../src/proof/fuzz/strategy/assertions.ts";
import {
  formatScript,
  type MarketScript,
  parseScript,
  playScript,
  SEGMENT_KINDS,
} from "../../../../src/proof/fuzz/strategy/marketScript.ts";
import { runStrategy } from "../../../../src/proof/fuzz/strategy/runStrategy.ts";
import { filesOf, sourceOf } from "../../../../src/proof/fuzz/strategy/scriptSource.ts";
import { searchStrategy } from "../../../../src/proof/fuzz/strategy/searchStrategy.ts";

const arbitraryScript = fc.array(
  fc.record({
    kind: fc.constantFrom(...SEGMENT_KINDS),
    bars: fc.integer({ min: 1, max: 64 }),
    movePpm: fc.integer({ min: -9_000, max: 9_000 }).map((step) => step * 100),
  }),
  { minLength: 1, maxLength: 8 },
);

/** Buys on the first bar, and holds. */
const holder = defineStrategy({
  id: "holder",
  title: "Buys once",
  params: Type.Object({}),
  init: () => ({ bought: false }),
  onBar(ctx, { close }) {
    if (ctx.memory.bought) return;
    ctx.memory.bought = true;
    const size = ctx.market.roundSize((ctx.account.equity * ctx.market.leverage * 0.8) / close);
    ctx.place({ side: "buy", size, slippage: 0.05 });
  },
});
const setup = { strategy: holder, leverage: 5 } as never as Parameters<typeof runStrategy>[0];
const assertion = (text: string) => parseAssertion(text)!;

describe("a market script", () => {
  test("gives bars whose high and low enclose open and close, with any segments", () => {
    fc.assert(
      fc.property(arbitraryScript, (script) => {
        for (const { open, high, low, close, volume } of playScript(script)) {
          expect(low).toBeLessThanOrEqual(Math.min(open, close));
          expect(high).toBeGreaterThanOrEqual(Math.max(open, close));
          expect(low).toBeGreaterThan(0);
          expect(volume).toBeGreaterThan(0);
        }
      }),
    );
  });

  test("reads back as it is written", () => {
    fc.assert(
      fc.property(arbitraryScript, (script) => {
        const read = parseScript(formatScript(script)) as MarketScript;
        expect(playScript(read)).toEqual(playScript(script.map((one) => singles(one))));
      }),
    );
  });

  test("is refused with line and reason if it is invalid", () => {
    expect(parseScript(["calm 32 bars", "moon 3 bars"])).toMatchObject({
      line: 2,
      reason: expect.stringContaining("moon"),
    });
    expect(parseScript(["trend 5 %"])).toMatchObject({ line: 1, reason: expect.stringContaining("length") });
    expect(parseScript([])).toMatchObject({ line: 1 });
  });

  test("jumps in a gap, returns in a wick, and keeps the mark unchanged in a stall", () => {
    const [calm, gap, wick, stall] = playScript([
      { kind: "calm", bars: 1, movePpm: 0 },
      { kind: "gap", bars: 1, movePpm: -100_000 },
      { kind: "wick", bars: 1, movePpm: 100_000 },
      { kind: "stall", bars: 1, movePpm: 50_000 },
    ]);
    expect([calm!.close, gap!.open, gap!.close]).toEqual([100_000, 90_000, 90_000]);
    expect([wick!.close, wick!.high]).toEqual([90_000, 99_000]);
    expect([stall!.close, stall!.mark]).toEqual([94_500, undefined]);
  });

  test("gives the same root in a backtest of its files", async () => {
    const folder = mkdtempSync(join(tmpdir(), "script-"));
    try {
      const script = parseScript([
        "calm 40 bars",
        "gap -4 %",
        "funding 40 bars 0.3 %",
        "stall 3 bars 2 %",
      ]) as MarketScript;
      const bars = playScript(script);
      const { klines, marks, funding } = filesOf(bars);
      const paths = { klines, markPriceKlines: marks, fundingRate: funding };
      const names = Object.entries(paths).map(([name, text]) => {
        const path = join(folder, `TEST-PERP-${name}.csv`);
        writeFileSync(path, text);
        return `TEST-PERP:${name}=${path}`;
      });
      const data = await openData(names);
      const fromFiles = await runBacktest({ ...setup, data });
      await data.close();
      const direct = await runBacktest({ ...setup, data: sourceOf(bars) });
      expect(fromFiles.root).toBe(direct.root);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

function singles(segment: MarketScript[number]): MarketScript[number] {
  const { kind } = segment;
  return kind === "gap" || kind === "wick" ? { ...segment, bars: 1 } : segment;
}

describe("assertions of a strategy", () => {
  test("hold in a calm market, with their least slack", async () => {
    const script = parseScript(["calm 20 bars"]) as MarketScript;
    const outcome = await runStrategy(setup, script, [assertion("min-margin=1.2"), assertion("no-liquidation")]);
    expect(outcome).toMatchObject({ broken: undefined, error: undefined });
    expect(outcome.slack[0]).toBeGreaterThan(0);
  });

  test("break with the block and the account at that block", async () => {
    const script = parseScript(["calm 4 bars", "trend 20 bars -30 %"]) as MarketScript;
    const { broken } = await runStrategy(setup, script, [assertion("max-drawdown=0.5")]);
    expect(broken).toMatchObject({ assertion: "max-drawdown=0.5" });
    expect(broken!.view.drawdown).toBeGreaterThan(0.5);
    expect(broken!.view.drawdown).toBeLessThan(0.65);
  });

  test("a liquidation also breaks a margin assertion whose bound was jumped over", async () => {
    const script = parseScript(["calm 4 bars", "gap -30 %"]) as MarketScript;
    const { broken } = await runStrategy(setup, script, [assertion("min-margin=1.2")]);
    expect(broken).toBeDefined();
  });

  test("an exception of the strategy is a failure", async () => {
    const broken = defineStrategy({
      id: "broken",
      title: "Throws in a fall",
      params: Type.Object({}),
      onBar(_ctx, { close }) {
        if (close < 9_500) throw new Error("too low for me");
      },
    });
    const outcome = await runStrategy({ strategy: broken as never }, parseScript(["gap -10 %"]) as MarketScript, []);
    expect(outcome.error?.message).toContain("too low for me");
  });
});

describe("searching for a market", () => {
  test("finds one that liquidates a holder, and shrinks it to one or two segments", async () => {
    const found = await searchStrategy({ setup, assertions: [assertion("no-liquidation")], attempts: 60 });
    expect(found.script).toBeDefined();
    expect(found.script!.length).toBeLessThanOrEqual(2);
    const again = await runStrategy(setup, found.script!, [assertion("no-liquidation")]);
    expect(again.broken?.view).toEqual(found.outcome?.broken?.view);
  });

  test("finds the same for the same seed", async () => {
    const options = { setup, assertions: [assertion("max-drawdown=0.9")], attempts: 8, seed: 3 };
    const [one, two] = [await searchStrategy(options), await searchStrategy(options)];
    expect(one.script).toEqual(two.script);
    expect(one.slack).toEqual(two.slack);
  });

  test("finds nothing without an assertion that could break", async () => {
    const found = await searchStrategy({ setup, assertions: [assertion("max-position=1000")], attempts: 5 });
    expect(found).toMatchObject({ script: undefined, attempts: 5 });
    expect(found.slack[0]).toBeGreaterThan(0);
  });
});

test.each(["margin", "min-margin=", "min-margin=x", "max-profit=1", ""])("%j is not an assertion", (text) => {
  expect(parseAssertion(text)).toBeUndefined();
});
