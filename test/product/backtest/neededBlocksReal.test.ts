import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Type } from "typebox";
import { afterAll, expect, test } from "vitest";
import type { Context } from "../../../src/client/strategy/context.ts";
import { type AnyStrategy, defineStrategy } from "../../../src/client/strategy/strategy.ts";
import { importFiles } from "../../../src/product/market-data/importFiles.ts";
import { parseSource } from "../../../src/product/market-data/stream/marketName.ts";
import { openTape } from "../../../src/product/market-data/tape/openTape.ts";
import maker from "../../../src/product/strategies/maker.ts";
import { createQuoter } from "./quoter.ts";
import { runBothSchedules } from "./schedules.ts";

// Recorded files of real venues may be next to the repository; they are not part of it.
const real = fileURLToPath(new URL("../../../../shared/data/real/", import.meta.url));
const mappings = fileURLToPath(new URL("../../../data/mappings/", import.meta.url));
if (!existsSync(real)) console.log("skipped: there is no recorded market data in ../shared/data/real");

const source = (market: string, mapping: string, file: string) => `${market}:${mappings}${mapping}.yaml=${real}${file}`;
const binance = (coin: string) => [
  source(coin, "binance_um_1h_2019_2023_bars", `binance_um_1h_2019_2023/${coin}USDT_1h.csv.gz`),
  source(coin, "binance_um_1h_2019_2023_funding", `binance_um_1h_2019_2023/${coin}USDT_funding_8h.csv.gz`),
];
const hyperliquid = (coin: string, length: "1h" | "5m") => [
  source(coin, `hyperliquid_klines_${length}`, `hyperliquid_klines_funding/${coin}_${length}.csv.gz`),
  source(coin, "hyperliquid_funding_1h", `hyperliquid_klines_funding/${coin}_funding_1h.csv.gz`),
];
const bitmex = (days: string) => [source("BTC", "bitmex_xbtusd_1m", `bitmex_xbtusd_1m/XBTUSD_1m_${days}.csv.gz`)];

/**
 * Every bar file of the recorded data, each as one market. BitMEX is inverse, and its prices are taken as those of a
 * linear market.
 */
const SINGLE: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(["BTC", "ETH", "LTC", "ETC", "XRP"].map((coin) => [`Binance ${coin} 1h`, binance(coin)])),
  ...Object.fromEntries(
    ["BTC", "ETH", "SOL", "HYPE"].map((coin) => [`Hyperliquid ${coin} 1h`, hyperliquid(coin, "1h")]),
  ),
  ...Object.fromEntries(["BTC", "ETH"].map((coin) => [`Hyperliquid ${coin} 5m`, hyperliquid(coin, "5m")])),
  ...Object.fromEntries(
    ["2018-11_crash", "2019-06_spike", "2020-03_covid_crash", "2021-05_crash", "2021-09_crash"].map((days) => [
      `BitMEX ${days}`,
      bitmex(days),
    ]),
  ),
};
const TOGETHER: Readonly<Record<string, readonly string[]>> = {
  "Binance, five markets": ["BTC", "ETH", "LTC", "ETC", "XRP"].flatMap(binance),
  "Hyperliquid, bars of 1 h and 5 min": [...hyperliquid("SOL", "1h"), ...hyperliquid("BTC", "5m")],
};

const folder = mkdtempSync(join(tmpdir(), "perplab-real-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Value of an order at a share of what the account may hold. */
function sizeOf({ account, market }: Context, share: number): number {
  return market.roundSize((Math.max(0, account.equity) * market.leverage * share) / (market.mark ?? 1));
}

/** Rests a bid and an ask some way from the price, and moves them every few bars. */
const resting = defineStrategy({
  id: "resting",
  params: Type.Object({}),
  init: () => ({ bars: 0 }),
  onBar(ctx, { close }) {
    if (ctx.memory.bars++ % 7 !== 0) return;
    ctx.cancelAll();
    const size = sizeOf(ctx, 0.1);
    if (size === 0) return;
    ctx.place({ side: "buy", size, price: ctx.market.roundPrice(close * 0.985), postOnly: true });
    ctx.place({ side: "sell", size, price: ctx.market.roundPrice(close * 1.015), postOnly: true });
    if (ctx.account.position().size > 0)
      ctx.place({ side: "sell", size, price: ctx.market.roundPrice(close * 1.03), reduceOnly: true });
  },
});

/** Holds nearly all that it may until it is liquidated, and begins again with what is left. */
function createReckless(side: "buy" | "sell"): AnyStrategy {
  return defineStrategy({
    id: `reckless-${side}`,
    params: Type.Object({}),
    init: () => ({ bars: 0 }),
    onBar(ctx) {
      if (ctx.memory.bars++ % 50 !== 0) return;
      const wanted = sizeOf(ctx, 0.85);
      const held = Math.abs(ctx.account.position().size);
      // A thin market fills a part.
      if (held * 2 < wanted) ctx.place({ side, size: ctx.market.roundSize(wanted - held) });
    },
  });
}

/** Reads its equity with every bar, and holds more of the market the more it has won. */
const watching = defineStrategy({
  id: "watching",
  params: Type.Object({}),
  init: () => ({ most: 0 }),
  onBar(ctx, { close, open }) {
    const { equity, marginRatio } = ctx.account;
    ctx.metric("equity", equity);
    ctx.metric("margin ratio", Math.min(marginRatio, 10));
    ctx.memory.most = Math.max(ctx.memory.most, equity);
    if (Math.abs(close / open - 1) < 0.01) return;
    ctx.setPosition((close > open ? 1 : -1) * sizeOf(ctx, equity < ctx.memory.most * 0.8 ? 0.2 : 0.5));
  },
});

/** Follows the last bar of each market. */
const spread = defineStrategy({
  id: "spread",
  params: Type.Object({}),
  onBar(ctx, { market: name, close, open }) {
    const market = ctx.markets.find((one) => one.name === name)!;
    if (Math.abs(close / open - 1) < 0.008) return;
    const value = (Math.max(0, ctx.account.equity) * market.leverage * 0.6) / ctx.markets.length;
    ctx.setPosition(((close > open ? 1 : -1) * value) / close, { market: name });
  },
});

async function compare(name: string, files: readonly string[], strategies: readonly AnyStrategy[]) {
  const out = join(folder, `${name.replaceAll(/[^A-Za-z0-9]+/g, "-")}.tape`);
  await importFiles({ sources: files.map((file) => parseSource(file)), out });
  const data = await openTape(out);
  const liquidated = new Map<string, number>();
  for (const strategy of strategies) {
    for (const leverage of [1, 3, 10]) {
      const { needed, all } = await runBothSchedules(() => ({
        data,
        strategy,
        leverage,
        deposit: "1000",
        fees: { maker: "0.0002", taker: "0.0005" },
      }));
      expect(needed.input.recording.fills.length, `${strategy.id} at ${leverage}x trades`).toBeGreaterThan(0);
      expect(needed.blocks).toBeLessThanOrEqual(all.blocks);
      liquidated.set(`${strategy.id} ${leverage}`, needed.input.recording.totals.liquidations);
    }
  }
  await data.close();
  return liquidated;
}

test.skipIf(!existsSync(real)).each(Object.entries(SINGLE))(
  "%s: the blocks that are needed give the same run",
  async (name, files) => {
    const liquidated = await compare(name, files, [resting, createReckless("buy"), createReckless("sell"), watching]);
    const forced = liquidated.get("reckless-buy 10")! + liquidated.get("reckless-sell 10")!;
    expect(forced).toBeGreaterThan(0);
  },
);

test.skipIf(!existsSync(real)).each(Object.entries(TOGETHER))(
  "%s: the blocks that are needed give the same run",
  async (name, files) => {
    await compare(name, files, [spread]);
  },
);

test.skipIf(!existsSync(real)).each(["BitMEX 2020-03_covid_crash", "Hyperliquid HYPE 1h"])(
  "%s, all strategies in one venue: the blocks that are needed give the same run",
  async (name) => {
    const out = join(folder, `together-${name.replaceAll(/[^A-Za-z0-9]+/g, "-")}.tape`);
    await importFiles({ sources: SINGLE[name]!.map((file) => parseSource(file)), out });
    const data = await openTape(out);
    const strategies = [resting, createReckless("buy"), createReckless("sell"), watching];
    const { needed, all } = await runBothSchedules(() => ({
      data,
      // A thin fund, so that one is deleveraged against another.
      insurance: "100",
      deposit: "1000",
      fees: { maker: "0.0002", taker: "0.0005" },
      strategies: strategies.map((strategy, place) => ({ strategy, leverage: [3, 10, 10, 5][place]! })),
    }));
    await data.close();
    expect(needed.blocks).toBeLessThanOrEqual(all.blocks);
    expect(needed.input.recording.totals.liquidations).toBeGreaterThan(0);
    for (const { name: one, report } of needed.strategies) {
      expect(report.fills.total, `${one} trades`).toBeGreaterThan(0);
      expect(report.attribution.residual).toBe("0");
    }
    expect(needed.report.attribution.residual).toBe("0");
  },
);

test.skipIf(!existsSync(real))("trades of Aster: the blocks that are needed give the same run", async () => {
  const aster = (coin: string) => source(coin, "aster_20250924_trades", `aster_20250924/${coin}USDT_trades.csv.gz`);
  for (const coin of ["BTC", "ETH"]) await compare(`Aster ${coin}`, [aster(coin)], [maker]);
  await compare("Aster, two markets", [aster("BTC"), aster("ETH")], [createQuoter("onTrade", 0.03)]);
});
