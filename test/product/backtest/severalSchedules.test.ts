import { Type } from "typebox";
import { expect, test } from "vitest";
import { defineStrategy } from "../../../src/client/strategy/strategy.ts";
import { drawSeveral } from "./anyRun.ts";
import { hourlyBars, memorySource } from "./memorySource.ts";
import { runBothSchedules } from "./schedules.ts";

const SEEDS = 24;

test("any run of several strategies is the same with the blocks that are needed as with all of them", async () => {
  let needed = 0;
  let all = 0;
  // Each of these is to happen, or the runs prove little.
  const seen = { fills: 0, forced: 0, funding: 0, rejections: 0, met: 0 };
  for (let seed = 1; seed <= SEEDS; seed++) {
    const both = await runBothSchedules(drawSeveral(seed));
    needed += both.needed.blocks;
    all += both.all.blocks;
    const { fills, liquidations, funding, rejections } = both.needed.input.recording;
    seen.fills += fills.length;
    seen.forced += liquidations.length;
    seen.funding += funding.length;
    seen.rejections += rejections.length;
    // An order of which both sides are fills of the run: maker and taker are two of its strategies.
    const makers = new Set(fills.filter(({ role }) => role === "maker").map(keyOf));
    seen.met += fills.filter((fill) => fill.role === "taker" && makers.has(keyOf(fill))).length;
  }
  expect(needed).toBeLessThan(all * 0.95);
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
});

test("an account that holds and does nothing is liquidated at its instant, whichever name it has", async () => {
  const holds = (id: string, share: number) =>
    defineStrategy({
      id,
      params: Type.Object({}),
      onBar(ctx, { close }) {
        if (ctx.account.position().size === 0 && ctx.account.inFlight === 0)
          ctx.setPosition((ctx.account.equity * share) / close);
      },
    });
  // A slow fall: each bar by itself moves less than the margin of either account.
  const prices = Array.from({ length: 60 }, (_, at) => 1_000 - at * 4);
  const bars = prices.map((price) => [price, price + 1, price - 5, price - 4] as const);
  for (const [first, second] of [
    [0.5, 8],
    [8, 0.5],
    [7, 8],
  ] as const) {
    const { needed } = await runBothSchedules(() => ({
      data: memorySource(hourlyBars(bars, 100_000)),
      tick: "1",
      lot: "0.01",
      leverage: 10,
      strategies: [
        { name: "a", strategy: holds("a", first) },
        { name: "b", strategy: holds("b", second) },
      ],
    }));
    const counts = needed.strategies.map(({ input }) => input.recording.liquidations.length);
    expect(counts.map((count) => count > 0)).toEqual([first > 1, second > 1]);
  }
});

function keyOf({ timeMs, size, price }: { timeMs: number; size: number; price: number }): string {
  return `${timeMs} ${size} ${price}`;
}
