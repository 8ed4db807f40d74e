import { Type } from "typebox";
import { expect, test } from "vitest";
import { defineStrategy } from "../../../src/client/strategy/strategy.ts";
import { type BacktestHooks, runBacktest } from "../../../src/product/backtest/runBacktest.ts";
import { EventKind, type EventSource } from "../../../src/product/market-data/types.ts";
import { readHouseLots } from "../../../src/product/replay/book/otherOrders.ts";
import { HOUSE } from "../../../src/product/replay/house.ts";
import { findAccount } from "../../../src/venue/engine/state/accounts.ts";
import type { MarketRow } from "../../../src/venue/engine/state/schema.ts";
import { hasCaptures, openCapture } from "../../helpers/captures.ts";
import { runBothSchedules } from "./schedules.ts";

interface Top {
  readonly bid: readonly [price: number, size: number];
  readonly ask: readonly [price: number, size: number];
}

interface Quoted {
  readonly top: Top;
  readonly updates: number;
}

/**
 * The recorded best prices after each update, as the venue's own quotes have them: of every update, the last quote up
 * to its id. By time: a venue has one block a millisecond, which shows the last update of it.
 */
async function readQuotes(source: EventSource): Promise<Map<number, Quoted>> {
  const found = new Map<number, { top: Top; updates: number }>();
  let quotes: { id: number; top: Top }[] = [];
  let updates: number[] = [];
  let last: Top | undefined;
  let bid: Top["bid"] = [0, 0];
  let timeMs = 0;
  const end = () => {
    const known = new Set(updates);
    for (const id of [...known].sort((a, b) => a - b)) {
      last = quotes.findLast((quote) => quote.id <= id)?.top ?? last;
      if (last !== undefined) found.set(timeMs, { top: last, updates: (found.get(timeMs)?.updates ?? 0) + 1 });
    }
    last = quotes.at(-1)?.top ?? last;
    quotes = [];
    updates = [];
  };
  for await (const chunk of source.chunks()) {
    for (let row = 0; row < chunk.count; row++) {
      if (chunk.timeMs[row] !== timeMs) end();
      timeMs = chunk.timeMs[row]!;
      const level = [chunk.price[row]!, chunk.size[row]!] as const;
      if (chunk.kind[row] === EventKind.depth) updates.push(chunk.id[row]!);
      if (chunk.kind[row] !== EventKind.quote) continue;
      if (chunk.side[row]! > 0) bid = level;
      else quotes.push({ id: chunk.id[row]!, top: { bid, ask: level } });
    }
  }
  end();
  return found;
}

/** Keeps a bid and an ask near the best prices, and takes now and then. */
const quoter = defineStrategy({
  id: "quoter",
  params: Type.Object({}),
  onBlock(ctx) {
    const [market] = ctx.markets;
    const { bestBid, bestAsk, lotSize, tickSize } = market!;
    if (bestBid === undefined || bestAsk === undefined) return;
    ctx.log(`${ctx.now.timeMs} ${bestBid} ${bestAsk} ${JSON.stringify(market!.depth("buy", 2))}`);
    const wanted = { buy: bestBid - 2 * tickSize, sell: bestAsk + 2 * tickSize };
    for (const side of ["buy", "sell"] as const) {
      const price = market!.roundPrice(wanted[side]);
      const resting = ctx.account.orders().find((order) => order.side === side);
      if (resting?.price === price) continue;
      if (resting !== undefined) ctx.cancel(resting.id);
      ctx.place({ side, size: lotSize * 4, price, postOnly: true });
    }
    if (ctx.rng.chance(1, 40)) ctx.place({ side: ctx.rng.chance(1, 2) ? "buy" : "sell", size: lotSize * 9 });
  },
});

const nothing = defineStrategy({ id: "nothing", params: Type.Object({}) });

/** Replays a capture with a strategy that does nothing, and gives the best prices of the venue after each update. */
async function replayTops(
  data: EventSource,
  quotes: ReadonlyMap<number, Quoted>,
  compare: (venue: Top, quoted: Top, timeMs: number) => void,
) {
  let compared = 0;
  const observer: NonNullable<BacktestHooks["observers"]>[number] = {
    onBlock(state, block) {
      const quote = quotes.get(block.timeMs);
      if (quote === undefined) return;
      const { tickSize, lotSize } = state.parameters[0]!;
      const book = state.books[0]!;
      const house = findAccount(state, HOUSE);
      const level = (ticks: number, isBid: boolean) =>
        [ticks * tickSize, readHouseLots(state, 0 as MarketRow, house, ticks, isBid) * lotSize] as const;
      compared += quote.updates;
      compare({ bid: level(book.bestBid, true), ask: level(book.bestAsk, false) }, quote.top, block.timeMs);
    },
  };
  const run = await runBacktest({ data, strategy: nothing, blockMs: 1, blocks: "all" }, { observers: [observer] });
  return { compared, report: run.report };
}

test.skipIf(!hasCaptures).each([
  ["binance_um_capture_20230405", "BTCUSDT", 16_111],
  ["binance_cm_capture_20240809", "BTCUSD_PERP", 44_773],
] as const)(
  "the book of the venue is the recorded one of %s after every update",
  async (folder, symbol, comparisons) => {
    const data = await openCapture(folder, symbol);
    const differences: unknown[] = [];
    const { compared } = await replayTops(data, await readQuotes(data), (top, quote, at) => {
      if (JSON.stringify(top) !== JSON.stringify(quote)) differences.push({ at, top, quote });
    });
    expect(differences.slice(0, 3)).toEqual([]);
    expect(compared).toBe(comparisons);
  },
);

// The tick is 0.1, so a lot is 0.00001 BTC: less than 1 USD, where a contract is 100. Rounding down to lots loses no
// contract.
test.skipIf(!hasCaptures)(
  "an inverse book in BTC has the recorded contracts at every best price, and its report states the price path and the rounding",
  async () => {
    const folder = "binance_cm_capture_20240809";
    const contracts = await openCapture(folder, "BTCUSD_PERP");
    const differences: unknown[] = [];
    const count = ([price, size]: Top["bid"]) => {
      const value = BigInt(price) * BigInt(size);
      const contract = 100n * 10n ** 16n;
      return [price, Number((value + contract - 1n) / contract) * 1e8];
    };
    const { compared, report } = await replayTops(
      await openCapture(folder, "BTCUSD_PERP", folder),
      await readQuotes(contracts),
      (top, quote, at) => {
        const found = { bid: count(top.bid), ask: count(top.ask) };
        if (JSON.stringify(found) !== JSON.stringify(quote)) differences.push({ at, found, quote });
      },
    );
    expect(differences.slice(0, 3)).toEqual([]);
    expect(compared).toBe(44_773);
    const { assumptions } = report.run;
    expect(assumptions.join("\n")).toContain("BTCUSD_PERP is inverse: linear price path.");
    expect(assumptions).toContain(
      "Recorded sizes of BTC are finer than its lot of 0.00001. Each level and each trade is rounded down to whole lots.",
    );
    expect(assumptions.filter((sentence) => sentence.includes("smaller than one lot"))).toEqual([]);
  },
);

test.skipIf(!hasCaptures).each([
  ["binance_um_capture_20230405", "BTCUSDT"],
  ["binance_cm_capture_20240809", "BTCUSD_PERP"],
] as const)(
  "a strategy that quotes every 100 ms in %s has the same run with all levels and with those needed",
  async (folder, symbol) => {
    const data = await openCapture(folder, symbol);
    const { needed } = await runBothSchedules(() => ({
      data,
      strategy: quoter,
      blockMs: 100,
      latencyMs: 0,
      deposit: "1000000",
      queue: "proportional",
    }));
    expect(needed.report.fills.total).toBeGreaterThan(100);
  },
);

// A strategy that sees everything 50 ms late sees what it saw at once: 50 ms less from it to the venue, and the venue
// is the same one.
test.skipIf(!hasCaptures).each([
  ["binance_um_capture_20230405", "BTCUSDT"],
  ["binance_cm_capture_20240809", "BTCUSD_PERP"],
] as const)("in %s, what a strategy sees late is what it would have seen", async (folder, symbol) => {
  const data = await openCapture(folder, symbol);
  const shared = { data, strategy: quoter, blockMs: 100, deposit: "1000000", queue: "proportional" } as const;
  const prompt = await runBacktest({ ...shared, latencyMs: 250 });
  const late = await runBacktest({ ...shared, latencyMs: 200, feedLatencyMs: 50, receiptLatencyMs: 50 });
  expect(late.logs.length).toBeGreaterThan(1_000);
  expect(late.logs.map(({ text }) => text.replace(/^\d+/, (now) => `${Number(now) - 50}`))).toEqual(
    prompt.logs.map(({ text }) => text).slice(0, late.logs.length),
  );
  expect([late.root, late.head]).toEqual([prompt.root, prompt.head]);
  expect(late.report.fills.total).toBeGreaterThan(20);
});

test.skipIf(!hasCaptures)(
  "a real book gives the same run with drawn latencies, whichever blocks are made",
  async () => {
    const data = await openCapture("binance_um_capture_20230405", "BTCUSDT");
    const { needed } = await runBothSchedules(() => ({
      ...{ data, strategy: quoter, blockMs: 100, deposit: "1000000", queue: "log" },
      ...{ latencyMs: "lognormal(30,0.6)", feedLatencyMs: "lognormal(8,0.8)", receiptLatencyMs: "uniform(5,60)" },
      rateLimit: "20/1s",
    }));
    expect(needed.report.fills.total).toBeGreaterThan(50);
  },
);
