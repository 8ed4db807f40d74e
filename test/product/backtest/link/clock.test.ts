import { Type } from "typebox";
import { expect, test } from "vitest";
import { defineStrategy } from "../../../../src/client/strategy/strategy.ts";
import { Random } from "../../../../src/ground/math/random.ts";
import { readLatency } from "../../../../src/product/backtest/link/latencyModel.ts";
import { STRATEGY } from "../../../../src/product/backtest/participants.ts";
import { type BacktestHooks, runBacktest } from "../../../../src/product/backtest/runBacktest.ts";
import { findAccount } from "../../../../src/venue/engine/state/accounts.ts";
import type { MarketRow } from "../../../../src/venue/engine/state/schema.ts";
import { getPosition } from "../../../../src/venue/engine/state/state.ts";
import { memorySource } from "../memorySource.ts";
import { wander } from "../wander.ts";

/** What a strategy writes down at each call: its clock, and what it sees. */
interface Sight {
  readonly nowMs: number;
  readonly market: readonly (number | undefined)[];
  readonly account: readonly number[];
}

/** What the venue had after a block. */
interface Truth {
  readonly timeMs: number;
  readonly market: readonly (number | undefined)[];
  readonly account: readonly number[];
}

// Goal: no strategy sees more than what has reached it.
// Method: a strategy writes down what it sees at each call, an observer what the venue had after each block. What is
// seen of the market at a time must be the venue after the last block whose message has arrived by then: latency by
// the model, in the order of sending. Of the account it must be a block whose receipt has arrived.
test.each(Array.from({ length: 12 }, (_, seed) => seed + 1))(
  "what a strategy sees has arrived, seed %i",
  async (seed) => {
    const random = Random.ofSeed([seed, 51]);
    const feedLatencyMs = random.pick(["uniform(0,30000)", "lognormal(9000,1.5)", 7_000]);
    const receiptLatencyMs = random.pick(["uniform(0,60000)", 100, 45_000]);
    const sights: Sight[] = [];
    const truths: Truth[] = [];
    const messages: { nowMs: number; timeMs: number }[] = [];
    const watcher = defineStrategy({
      id: "watcher",
      params: Type.Object({}),
      init: (ctx) => ctx.every("13s", "look"),
      onTimer(ctx) {
        const { market, account, now } = ctx;
        sights.push({
          nowMs: now.timeMs,
          market: [market.mark, market.index, market.last, market.bestBid, market.bestAsk, market.fundingTimeMs],
          account: [account.position().size, account.collateral],
        });
        if (ctx.rng.chance(1, 3)) ctx.place({ side: ctx.rng.chance(1, 2) ? "buy" : "sell", size: 0.5 });
      },
      onTrade: (ctx, trade) => void messages.push({ nowMs: ctx.now.timeMs, timeMs: trade.timeMs }),
      onFill: (ctx, fill) => void messages.push({ nowMs: ctx.now.timeMs, timeMs: fill.timeMs }),
      onFunding: (ctx, funding) => void messages.push({ nowMs: ctx.now.timeMs, timeMs: funding.timeMs }),
    });
    const known = (value: number) => (value === 0 ? undefined : value);
    const observer: NonNullable<BacktestHooks["observers"]>[number] = {
      onBlock(state) {
        const market = 0 as MarketRow;
        const { tickSize, lotSize } = state.parameters[0]!;
        const { bestBid, bestAsk } = state.books[0]!;
        const { mark, index, last, settledTime } = state.markets;
        const account = findAccount(state, STRATEGY);
        const position = getPosition(state, account, market);
        const lots = position < 0 ? 0 : state.positions.signedLots[position]!;
        const price = (ticks: number) => known((ticks * tickSize) / 1e8);
        truths.push({
          timeMs: state.timeMs,
          market: [
            known(mark[market]! / 1e8),
            known(index[market]! / 1e8),
            price(last[market]!),
            price(bestBid),
            price(bestAsk),
            known(settledTime[market]!),
          ],
          account: [(lots * lotSize) / 1e8, state.accounts.collateral[account]! / 1e6],
        });
      },
    };
    const options = { feedLatencyMs, receiptLatencyMs, latencyMs: 500, seed: `${seed}`, tick: "1", lot: "0.01" };
    const data = memorySource(wander(seed, 400));
    const result = await runBacktest(
      { data, strategy: watcher, blocks: "all", leverage: 5, ...options },
      { observers: [observer] },
    );
    const arrivals = (latency: string | number, leg: "feed" | "receipt") => {
      const at = readLatency(leg, latency).open(`${seed}`, leg);
      let lastMs = 0;
      return truths.map(({ timeMs }) => (lastMs = Math.max(lastMs, timeMs + at(timeMs))));
    };
    const feed = arrivals(feedLatencyMs, "feed");
    const least = truths.map(
      ({ timeMs }) => timeMs + readLatency("r", receiptLatencyMs).open(`${seed}`, "receipt")(timeMs),
    );
    // The account as it was set up comes with the first message of the feed.
    least[0] = feed[0]!;
    let isLate = 0;
    for (const { nowMs, market, account } of sights) {
      const newest = feed.findLastIndex((arrivalMs) => arrivalMs <= nowMs);
      expect(market).toEqual(truths[newest]!.market);
      if (truths.findLast(({ timeMs }) => timeMs <= nowMs)!.market.join() !== market.join()) isLate++;
      const match = truths.findIndex(
        (truth, place) => least[place]! <= nowMs && truth.account.join() === account.join(),
      );
      expect(match, `an account that has not arrived, at ${nowMs}`).toBeGreaterThanOrEqual(0);
    }
    for (const { nowMs, timeMs } of messages) expect(timeMs).toBeLessThanOrEqual(nowMs);
    expect(sights.length).toBeGreaterThan(50);
    expect(isLate).toBeGreaterThan(20);
    expect(result.report.fills.total).toBeGreaterThan(5);
  },
);
