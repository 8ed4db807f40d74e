import { describe, expect, test } from "vitest";
import type { Context } from "../../../src/client/strategy/context.ts";
import { Random } from "../../../src/ground/math/random.ts";
import type { BacktestOptions } from "../../../src/product/backtest/options.ts";
import { run, strategy } from "./helpers.ts";
import { HOUR, hourlyBars, memorySource, START, type TestEvent } from "./memorySource.ts";

type Plan = Readonly<Record<number, (ctx: Context) => void>>;

/** Hourly bars of each market from one close to the next, with funding of the first every eight hours. */
function paths(closes: Readonly<Record<string, readonly number[]>>) {
  const events = Object.values(closes).flatMap((path, market) => {
    let before = path[0]!;
    const bars = path.map((close) => {
      const open = before;
      before = close;
      return [open, Math.max(open, close), Math.min(open, close), close] as const;
    });
    return hourlyBars(bars, 400_000).map((bar): TestEvent => ({ ...bar, market }));
  });
  const length = Object.values(closes)[0]!.length;
  for (let hour = 8; hour < length; hour += 8)
    events.push({ kind: "funding", timeMs: START + hour * HOUR, rate: 1e-4, market: 0 });
  return memorySource(events, { markets: Object.keys(closes) });
}

interface Seen {
  readonly timeMs: number;
  readonly equity: number;
  readonly collateral: number;
  readonly free: number;
  readonly ratio: number;
  readonly margins: readonly (number | undefined)[];
  readonly sizes: readonly number[];
  readonly prices: readonly (number | undefined)[];
}

async function follow(
  closes: Readonly<Record<string, readonly number[]>>,
  plan: Plan,
  options: Partial<BacktestOptions> = {},
) {
  const seen: Seen[] = [];
  const rejected: string[] = [];
  const [first] = Object.keys(closes);
  const result = await run({
    data: paths(closes),
    parameters: { minNotional: "0" },
    fees: { maker: "0.0002", taker: "0.0005" },
    margin: "isolated",
    leverage: 10,
    ...options,
    strategy: strategy({
      onBar(ctx, { closeTimeMs, market }) {
        if (market === first) plan[(closeTimeMs - START) / HOUR]?.(ctx);
      },
      onBlock({ account, markets, now }) {
        const held = markets.map(({ name }) => account.position(name));
        seen.push({
          timeMs: now.timeMs,
          equity: account.equity,
          collateral: account.collateral,
          free: account.free,
          ratio: account.marginRatio,
          margins: held.map(({ isolatedMargin }) => isolatedMargin),
          sizes: held.map(({ size }) => size),
          prices: held.map(({ liquidationPrice }) => liquidationPrice),
        });
      },
      onReject: (_ctx, { code }) => void rejected.push(code),
    }),
  });
  return { seen, rejected, result };
}

const flat = (length: number, price = 1_000) => Array<number>(length).fill(price);
const buy = (size: number, market: string) => (ctx: Context) => ctx.place({ side: "buy", size, market });

describe("isolated margin in a backtest", () => {
  test("moves the initial margin of a position to it, and back when the position is closed", async () => {
    const { seen, rejected, result } = await follow({ BTC: flat(6) }, { 1: buy(10, "BTC"), 3: (ctx) => ctx.close() });
    const open = seen.find(({ sizes }) => sizes[0] === 10)!;
    // 10 x 1,000 at 10x; the loss to the mark and the fee come on top (MRG-2).
    expect(open.margins[0]).toBeGreaterThanOrEqual(1_000);
    expect(open.margins[0]).toBeLessThan(1_020);
    expect(open.collateral).toBeCloseTo(9_995, 6);
    expect(open.free).toBeCloseTo(open.collateral - open.margins[0]!, 6);
    const closed = seen.at(-1)!;
    expect([closed.sizes, closed.margins]).toEqual([[0], [undefined]]);
    expect(closed.free).toBe(closed.equity);
    expect(rejected).toEqual([]);
    expect(result.report.attribution.residual).toBe("0");
    expect(result.report.run.driver.other).toContainEqual({ name: "margin mode", value: "isolated" });
  });

  test("loses the margin of the position and no more, where cross margin loses the account", async () => {
    const closes = { BTC: [...flat(3), 980, 960, 940, 930, 920, 912, 906, 900, 700, 500, 500], ETH: flat(14, 500) };
    const plan: Plan = { 1: buy(50, "BTC"), 2: buy(2, "ETH") };
    const isolated = await follow(closes, plan);
    const cross = await follow(closes, plan, { margin: "cross" });
    const before = isolated.seen.find(({ sizes }) => sizes[0] === 50)!;
    expect(isolated.result.report.liquidations.total).toBe(1);
    expect(isolated.seen.at(-1)!.sizes).toEqual([0, 2]);
    // The margin of BTC was about half of the account; what is left of it at the end came back.
    expect(isolated.seen.at(-1)!.equity).toBeGreaterThan(10_000 - before.margins[0]! - 50);
    expect(cross.seen.at(-1)!.equity).toBeLessThan(isolated.seen.at(-1)!.equity);
    for (const { result } of [isolated, cross]) expect(result.report.attribution.residual).toBe("0");
    // Its liquidation is that of its margin account.
    const [liquidation] = isolated.result.report.liquidations.kept;
    expect(Number(liquidation!.equity)).toBeLessThan(Number(liquidation!.maintenance));
    expect(Number(liquidation!.equity)).toBeLessThan(before.margins[0]!);
    const peak = isolated.result.report.summary.metrics.find(({ id }) => id === "peakMarginRatio")!;
    expect(peak.value).toBeGreaterThan(1);
  });

  test("shows the liquidation price of the margin account, and adding margin moves it away", async () => {
    const { seen, rejected } = await follow(
      { BTC: flat(8) },
      {
        1: buy(10, "BTC"),
        3: (ctx) => ctx.addMargin(500),
        5: (ctx) => ctx.removeMargin(200.5),
        6: (ctx) => ctx.removeMargin(9_000),
      },
    );
    const prices = [...new Set(seen.map(({ prices: [price] }) => price))];
    expect(prices).toHaveLength(4);
    const [none, before, added, removed] = prices;
    expect(none).toBeUndefined();
    expect(added! < removed! && removed! < before!).toBe(true);
    // 500 USD are 50 USD on each of 10.
    expect(before! - added!).toBeGreaterThan(49);
    expect(before! - added!).toBeLessThan(53);
    const margins = seen.map(({ margins: [margin] }) => margin).filter((margin) => margin !== undefined);
    expect(margins.at(-1)! - margins[0]!).toBeCloseTo(299.5, 6);
    expect(rejected).toEqual(["INSUFFICIENT_FREE_COLLATERAL"]);
  });

  test("is chosen by market, and refused while the market has an order", async () => {
    const modes: string[][] = [];
    const { rejected, seen } = await follow(
      { BTC: flat(8), ETH: flat(8, 500) },
      {
        1: (ctx) => ctx.setMarginMode("isolated", "ETH"),
        2: (ctx) => {
          modes.push(ctx.markets.map(({ marginMode }) => marginMode));
          ctx.place({ side: "buy", size: 1, market: "ETH" });
          ctx.place({ side: "buy", size: 1, market: "BTC" });
          ctx.place({ side: "buy", size: 1, price: 900, market: "BTC" });
        },
        4: (ctx) => ctx.setMarginMode("isolated", "BTC"),
        5: (ctx) => ctx.setMarginMode("cross", "ETH"),
        6: (ctx) => void modes.push(ctx.markets.map(({ marginMode }) => marginMode)),
      },
      { margin: "cross" },
    );
    expect(modes).toEqual([
      ["cross", "isolated"],
      ["cross", "cross"],
    ]);
    expect(rejected).toEqual(["MARKET_IN_USE"]);
    expect(seen.some(({ margins }) => margins[0] === undefined && margins[1] !== undefined)).toBe(true);
  });

  test("is refused by a clear error where it is no mode, and so is an amount that is none", async () => {
    await expect(follow({ BTC: flat(3) }, {}, { margin: "both" as never })).rejects.toMatchObject({
      code: "OPTION_INVALID",
      place: "margin",
    });
    for (const call of [
      (ctx: Context) => ctx.addMargin(0),
      (ctx: Context) => ctx.removeMargin(1.0000005),
      (ctx: Context) => ctx.setMarginMode("both" as never),
    ]) {
      await expect(follow({ BTC: flat(3) }, { 1: call })).rejects.toMatchObject({ code: "STRATEGY_FAILED" });
    }
  });
});

// Whatever happens, all that the account gained or lost has a source, and its parts add up to its equity.
test("the report of isolated positions adds up to the unit", { timeout: 60_000 }, async () => {
  let liquidations = 0;
  for (let seed = 1; seed <= 8; seed++) {
    const random = Random.ofSeed([seed]);
    const wander = (from: number) => {
      let price = from;
      return Array.from(
        { length: 60 },
        () => (price = Math.max(from / 3, price + (random.below(81) - 40) * (from / 1_000))),
      );
    };
    const closes = { BTC: wander(1_000).map(Math.round), ETH: wander(500).map(Math.round) };
    const plan = Object.fromEntries(
      Array.from({ length: 59 }, (_, at) => [
        at + 1,
        (ctx: Context) => {
          const market = random.chance(1, 2) ? "BTC" : "ETH";
          const most = (ctx.account.free * 8) / ctx.markets.find(({ name }) => name === market)!.last!;
          const roll = random.below(9);
          if (roll < 4) ctx.setPosition(most * (random.below(3) - 1) * 0.9, { market });
          else if (roll === 5) ctx.addMargin(5, market);
          else if (roll === 6) ctx.removeMargin(5, market);
          else if (roll === 7) ctx.setMarginMode(random.chance(1, 2) ? "cross" : "isolated", market);
        },
      ]),
    );
    const { seen, result } = await follow(closes, plan);
    expect(result.report.attribution.residual, `seed ${seed}`).toBe("0");
    const { equity } = result.report.account;
    expect(Number(equity.at(-1)), `seed ${seed}`).toBeCloseTo(seen.at(-1)!.equity, 6);
    // The curves of liquidation prices are what the strategy saw, also where cross and isolated positions are mixed.
    for (const [place, { timeMs, liquidation }] of result.report.markets.entries()) {
      for (const [at, price] of liquidation.entries()) {
        const shown = seen.find((one) => one.timeMs === timeMs[at])!.prices[place];
        // The curve keeps a price while nothing but the mark changes; a search from another mark may round differently.
        const where = `seed ${seed}, market ${place}, point ${at}`;
        if (price === null || shown === undefined) expect([price, shown], where).toEqual([null, undefined]);
        else expect(Number(price), where).toBeCloseTo(shown, 6);
      }
    }
    liquidations += result.report.liquidations.total;
  }
  expect(liquidations).toBeGreaterThan(3);
});
