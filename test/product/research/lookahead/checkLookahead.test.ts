import { describe, expect, test } from "vitest";
import type { AnyStrategy } from "../../../../src/client/strategy/strategy.ts";
import { Random } from "../../../../src/ground/math/random.ts";
import type { EventSource } from "../../../../src/product/market-data/types.ts";
import {
  checkLookahead,
  type LookaheadOptions,
  type LookaheadReport,
} from "../../../../src/product/research/lookahead/checkLookahead.ts";
import { runProbe } from "../../../../src/product/research/lookahead/probe.ts";
import { renderLookahead } from "../../../../src/product/research/lookahead/text.ts";
import funding from "../../../../src/product/strategies/funding.ts";
import maker from "../../../../src/product/strategies/maker.ts";
import trend from "../../../../src/product/strategies/trend.ts";
import { strategy } from "../../backtest/helpers.ts";
import { HOUR, memorySource, START, type TestEvent } from "../../backtest/memorySource.ts";
import { restless, wander } from "../../backtest/wander.ts";

// Strategies here are made in this process. test/cli/commands/checkLookahead.test.ts has those that read files.

/** Hourly bars that wander, with marks and funding. */
function bars(seed: number, count: number, market = 0): TestEvent[] {
  const random = Random.ofSeed([seed, 7]);
  let close = 10_000;
  return Array.from({ length: count }, (_, at): TestEvent[] => {
    const open = close;
    close = Math.max(1_000, open + random.below(201) - 100);
    const ohlc = [
      open,
      Math.max(open, close) + random.below(50),
      Math.min(open, close) - random.below(50),
      close,
    ] as const;
    const timeMs = START + (at + 1) * HOUR;
    const bar: TestEvent = { kind: "bar", timeMs, ohlc, volume: 1_000 + random.below(100), market };
    const mark: TestEvent = { kind: "mark", timeMs, price: close, ohlc, intervalMs: HOUR, market };
    const rate = (random.below(21) - 10) / 1e4;
    return at % 8 === 7 ? [mark, bar, { kind: "funding", timeMs, rate, market }] : [mark, bar];
  }).flat();
}

async function check(
  make: () => AnyStrategy,
  data: EventSource,
  options: Partial<Pick<LookaheadOptions, "cuts" | "seed" | "settings">> = {},
): Promise<LookaheadReport> {
  return checkLookahead({
    strategies: [{ name: make().id, id: make().id, params: {} }],
    settings: { latencyMs: 0, leverage: 2, tick: "1", lot: "0.01" },
    data,
    probe: async (job) => ({ ...(await runProbe(job, make(), data)), reads: [], builtins: [] }),
    ...options,
  });
}

const closesOf = (events: readonly TestEvent[]) =>
  new Map(events.flatMap((event) => (event.kind === "bar" ? [[event.timeMs, event.ohlc[3]] as const] : [])));

describe("a strategy that knows the data from elsewhere is found", () => {
  test.each([1, 2, 3])("by the recorded prices that it follows, seed %i", async (seed) => {
    const events = bars(seed, 300);
    const closes = closesOf(events);
    const peek = () =>
      strategy({
        onBar(ctx, { closeTimeMs }) {
          const now = closes.get(closeTimeMs)!;
          const next = closes.get(closeTimeMs + HOUR);
          if (next !== undefined) ctx.setPosition(next > now ? 0.2 : -0.2);
        },
      });
    const report = await check(peek, memorySource(events), { seed });
    expect(report.verdict).toBe("looksAhead");
    const { decisions, right, score } = report.foresight!;
    expect(right).toBe(decisions);
    expect(score).toBeGreaterThan(6);
    expect(renderLookahead(report)).toContain("it knows the recorded prices from a file or from its code");
  });

  test("also where it does the opposite", async () => {
    const events = bars(4, 300);
    const closes = closesOf(events);
    const peek = () =>
      strategy({
        onBar(ctx, { closeTimeMs }) {
          const next = closes.get(closeTimeMs + HOUR) ?? 0;
          ctx.setPosition(next > closes.get(closeTimeMs)! ? -0.2 : 0.2);
        },
      });
    expect(await check(peek, memorySource(events))).toMatchObject({ verdict: "looksAhead", foresight: { right: 0 } });
  });
});

// A thread of a strategy that opens the data of its run gets the changed data. So does this one, that is handed it.
describe("a strategy that is given the changed data before its time is found", () => {
  /** Reads all of the data that its run will be shown. */
  async function checkReader(events: TestEvent[], react: (now: number, next: number) => number) {
    const data = memorySource(events);
    return checkLookahead({
      strategies: [{ name: "test", id: "test", params: {} }],
      settings: { latencyMs: 0, leverage: 2, tick: "1", lot: "0.01" },
      data,
      probe: async (job) => {
        const { changeSource } = await import("../../../../src/product/research/lookahead/changedSource.ts");
        const shown = job.future === undefined ? data : changeSource(data, job.future);
        const closes = new Map<number, number>();
        for await (const chunk of shown.chunks()) {
          for (let row = 0; row < chunk.count; row++) {
            if (chunk.kind[row] === 6) closes.set(chunk.timeMs[row]!, chunk.price[row]! / 1e8);
          }
        }
        const reader = strategy({
          onBar(ctx, { close, closeTimeMs }) {
            const next = closes.get(closeTimeMs + HOUR);
            if (next !== undefined) ctx.setPosition(react(close, next));
          },
        });
        return { ...(await runProbe(job, reader, data)), reads: [], builtins: [] };
      },
    });
  }

  test("with its first decision that differs, both decisions, and what changed", async () => {
    const report = await checkReader(bars(1, 200), (now, next) => (next > now ? 0.2 : -0.2));
    expect(report.verdict).toBe("looksAhead");
    const { differs } = report;
    const { timeMs, future, firstChange, recorded, changed } = differs!;
    expect(timeMs).toBeLessThanOrEqual(future!.cutMs);
    expect(firstChange!.timeMs).toBeGreaterThan(future!.cutMs);
    expect(JSON.stringify(recorded)).not.toBe(JSON.stringify(changed));
    const text = renderLookahead(report);
    expect(text).toMatch(/with the data as recorded {2,}(buy|sell|close|nothing)/);
    expect(text).toMatch(/The first change after it: (bar|mark) of BTC at 2024-/);
  });

  test("where it acts on few bars", async () => {
    const report = await checkReader(bars(2, 200), (now, next) => (next > now + 80 ? 0.2 : 0));
    expect(report.verdict).toBe("looksAhead");
  });
});

describe("recorded series", () => {
  /** A value an hour, known a minute before the close of the bar; it leads the price by two hours if it is asked to. */
  function withSeries(events: readonly TestEvent[], seed: number, leads: boolean, isSigned = false) {
    const random = Random.ofSeed([seed, 9]);
    const closes = closesOf(events);
    const rows = [...closes].map(([closeMs, close]): TestEvent => {
      const later = closes.get(closeMs + 2 * HOUR) ?? close;
      const level = leads ? later : 5_000 + random.below(500);
      const value = isSigned ? level - 10_000 : level;
      return { kind: "series", timeMs: closeMs - 60_000, series: 0, value: `${value}.5`.replace("-0.5", "0.5") };
    });
    return memorySource([...events, ...rows], { series: [["BTC", "oi"]] });
  }
  const follower = (count: number) => () =>
    strategy({
      onBar(ctx) {
        const values = ctx.series("oi").recent(count);
        if (values.length === count) ctx.setPosition(values.at(-1)!.value > values[0]!.value ? 0.2 : -0.2);
      },
    });

  test.each([
    [1, false, false],
    [2, true, false],
    [3, true, true],
  ] as const)(
    "are no alarm where they are read by ctx.series, even if they lead the price, case %i",
    async (seed, leads, signed) => {
      const events = bars(seed, 200);
      const report = await check(follower(2), withSeries(events, seed, leads, signed), { seed });
      expect(report.verdict, renderLookahead(report)).toBe("clean");
      expect(report.decisions).toBeGreaterThan(50);
    },
  );

  test.each([false, true])("are found where their values are read before they are known, signed %s", async (signed) => {
    const events = bars(4, 200);
    const data = withSeries(events, 4, false, signed);
    const { changeSource } = await import("../../../../src/product/research/lookahead/changedSource.ts");
    const report = await checkLookahead({
      strategies: [{ name: "test", id: "test", params: {} }],
      settings: { latencyMs: 0, leverage: 2, tick: "1", lot: "0.01" },
      data,
      probe: async (job) => {
        const shown = job.future === undefined ? data : changeSource(data, job.future);
        const values = new Map<number, number>();
        for await (const chunk of shown.chunks()) {
          for (let row = 0; row < chunk.count; row++) {
            if (chunk.kind[row] === 8) values.set(chunk.timeMs[row]!, chunk.price[row]!);
          }
        }
        const reader = strategy({
          onBar(ctx, { closeTimeMs }) {
            const next = values.get(closeTimeMs + HOUR - 60_000);
            if (next !== undefined) ctx.setPosition(next > values.get(closeTimeMs - 60_000)! ? 0.2 : -0.2);
          },
        });
        return { ...(await runProbe(job, reader, data)), reads: [], builtins: [] };
      },
    });
    expect(report.verdict, renderLookahead(report)).toBe("looksAhead");
    expect(renderLookahead(report)).toMatch(/The first change after it: (series oi|bar|mark) of BTC/);
  });
});

describe("no false alarm", () => {
  const markets = ["BTC", "ETH"];
  const two = () => memorySource([...bars(5, 200), ...bars(6, 200, 1)], { markets });
  const examples: readonly [string, AnyStrategy, Record<string, number>][] = [
    ["trend", trend, { fast: 4, slow: 9, patience: 0 }],
    ["maker", maker, {}],
    ["funding", funding, { settlements: 1, enter: 0.0002 }],
  ];

  test.each(examples)("on %s, over bars of one and of two markets, and over trades", async (_name, example, params) => {
    const settings = { params, leverage: 3 };
    for (const data of [memorySource(bars(3, 200)), two(), memorySource(wander(3, 600))]) {
      const report = await check(() => example, data, { settings, cuts: 6 });
      expect(["clean", "vacuous"], renderLookahead(report)).toContain(report.verdict);
      expect(report.keepsState).toBe(false);
    }
  });

  test.each([1, 2, 3, 4, 5, 6])("on a strategy that does everything at random, seed %i", async (seed) => {
    const settings = { seed: `${seed}`, params: { pace: 2 }, leverage: 4, latencyMs: 50 * (seed % 3) };
    for (const data of [memorySource(bars(seed, 120)), memorySource(wander(seed, 400))]) {
      const report = await check(() => restless, data, { settings, seed, cuts: 6 });
      expect(report.verdict, renderLookahead(report)).toBe("clean");
      expect(report.decisions).toBeGreaterThan(20);
    }
  });

  test("on one that buys and sells by the clock, in a market that mostly rises", async () => {
    const rising = bars(8, 300).map((event): TestEvent => {
      if (event.kind !== "bar") return event;
      const lift = (value: number) => value + ((event.timeMs - START) / HOUR) * 60;
      const [open, high, low, close] = event.ohlc;
      return { ...event, ohlc: [lift(open), lift(high), lift(low), lift(close)] };
    });
    const clock = () =>
      strategy({ onBar: (ctx, { closeTimeMs }) => ctx.setPosition((closeTimeMs / HOUR) % 3 === 0 ? 0.1 : 0.3) });
    const report = await check(clock, memorySource(rising.filter(({ kind }) => kind === "bar")));
    expect(report.verdict, renderLookahead(report)).toBe("clean");
  });

  test("with orders that one bar's extremes reach, and any order of them", async () => {
    const resting = () =>
      strategy({
        onBlock(ctx) {
          const { last, tickSize } = ctx.market;
          if (last === undefined || ctx.account.orders().length > 3) return;
          ctx.place({ side: "buy", size: 0.1, price: ctx.market.roundPrice(last - 30 * tickSize) });
          ctx.place({ side: "sell", size: 0.1, price: ctx.market.roundPrice(last + 30 * tickSize) });
        },
      });
    for (const intrabar of ["nearest", "high-first", "low-first"] as const) {
      const settings = { intrabar, leverage: 3, tick: "1", lot: "0.01", latencyMs: 0 };
      const report = await check(resting, memorySource(bars(9, 150)), { settings, cuts: 12 });
      expect(report.verdict, renderLookahead(report)).toBe("clean");
    }
  });
});

describe("what cannot be compared is not called clean", () => {
  test("a strategy that decides nothing", async () => {
    expect(await check(() => strategy({}), memorySource(bars(1, 50)))).toMatchObject({
      verdict: "vacuous",
      decisions: 0,
    });
  });

  test("a strategy that decides by chance: the first decision that two equal runs do not share", async () => {
    let calls = 0;
    const erratic = () => {
      const own = ++calls;
      return strategy({ onBar: (ctx, { closeTimeMs }) => ctx.setPosition(closeTimeMs > START + own * HOUR ? 0.1 : 0) });
    };
    const report = await check(erratic, memorySource(bars(1, 50)));
    expect(report.verdict).toBe("unrepeatable");
    expect(report.differs).toMatchObject({ future: undefined, firstChange: undefined });
    expect(renderLookahead(report)).toContain("second run");
  });

  test("a module that keeps state is named, and still compared", async () => {
    const make = () => {
      let seen = 0;
      return strategy({ onBar: (ctx) => ctx.setPosition(++seen % 7 > 2 ? 0.1 : -0.1) });
    };
    const report = await check(make, memorySource(bars(1, 100)));
    expect(report).toMatchObject({ verdict: "clean", keepsState: true });
    expect(renderLookahead(report)).toContain("keeps state between runs");
  });

  test("a strategy that fails as recorded is the failure of its run", async () => {
    const failing = () =>
      strategy({
        onBar() {
          throw new Error("planted");
        },
      });
    await expect(check(failing, memorySource(bars(1, 20)))).rejects.toMatchObject({ code: "STRATEGY_FAILED" });
  });
});

test("the same seed makes the same check, and another seed another", async () => {
  const data = memorySource(bars(1, 100));
  const one = await check(() => restless, data, { seed: 1 });
  expect(await check(() => restless, data, { seed: 1 })).toEqual(one);
  expect((await check(() => restless, data, { seed: 2 })).cuts).not.toEqual(one.cuts);
});

test("data with an order book is refused before anything runs", async () => {
  const level: TestEvent = { kind: "depth", timeMs: START, side: 1, price: 9, size: 1, flags: 3 };
  const probe = () => Promise.reject(new Error("a run was made"));
  const options = { data: memorySource([level]), probe } as unknown as LookaheadOptions;
  await expect(checkLookahead(options)).rejects.toMatchObject({ code: "DATA_UNUSABLE", place: "data" });
});

describe("of several strategies in one run", () => {
  /** Checks strategies that are made from scratch for each run, some of them from all closes that the run will show. */
  async function checkAll(
    events: TestEvent[],
    make: Readonly<Record<string, (closes: ReadonlyMap<number, number>) => AnyStrategy>>,
  ) {
    const data = memorySource(events);
    const names = Object.keys(make).sort();
    const { changeSource } = await import("../../../../src/product/research/lookahead/changedSource.ts");
    return checkLookahead({
      strategies: names.map((name) => ({ name, id: "test", params: {} })),
      settings: { latencyMs: 0, leverage: 2, tick: "1", lot: "0.01", strategies: names.map((name) => ({ name })) },
      data,
      probe: async (job) => {
        const shown = job.future === undefined ? data : changeSource(data, job.future);
        const closes = new Map<number, number>();
        for await (const chunk of shown.chunks()) {
          for (let row = 0; row < chunk.count; row++) {
            if (chunk.kind[row] === 6) closes.set(chunk.timeMs[row]!, chunk.price[row]! / 1e8);
          }
        }
        const loaded = names.map((name) => make[name]!(closes));
        return { ...(await runProbe(job, loaded, data)), reads: [], builtins: [] };
      },
    });
  }

  const reader = (size: number) => (closes: ReadonlyMap<number, number>) =>
    strategy({
      onBar(ctx, { close, closeTimeMs }) {
        const next = closes.get(closeTimeMs + HOUR);
        if (next !== undefined) ctx.setPosition(next > close ? size : -size);
      },
    });
  const follower = () => strategy({ onBar: (ctx, { open, close }) => void ctx.setPosition(close > open ? 0.1 : -0.1) });
  const idle = () => strategy({ onBar: () => undefined });
  const verdictsOf = ({ strategies }: LookaheadReport) =>
    Object.fromEntries(strategies.map(({ name, verdict }) => [name, verdict]));

  test("each is judged: the one that looks ahead is named, also where it comes later in the list", async () => {
    const report = await checkAll(bars(1, 200), { honest: follower, peeker: reader(0.2) });
    expect(verdictsOf(report)).toMatchObject({ peeker: "looksAhead" });
    expect(["clean", "disturbed"]).toContain(verdictsOf(report)["honest"]);
    expect(report).toMatchObject({ verdict: "looksAhead", strategy: { id: "honest + peeker" } });
    expect(report.differs!.recorded?.strategy ?? report.differs!.changed!.strategy).toBe("peeker");
    const text = renderLookahead(report);
    expect(text).toMatch(/^honest: .* \(\d+ decisions\)\n/);
    expect(renderLookahead({ ...report, cuts: [1] })).toContain(" with a changed future at 1 moment, ");
    expect(text).toMatch(/\n\npeeker: it uses data before its time .*\n\nDecision at/);
  });

  test("several that look ahead are all found", async () => {
    const report = await checkAll(bars(2, 200), { a: reader(0.1), b: follower, c: reader(0.3) });
    expect(verdictsOf(report)).toMatchObject({ a: "looksAhead", c: "looksAhead" });
    expect(verdictsOf(report)["b"]).not.toBe("looksAhead");
  });

  test("strategies without a fault are clean, and one that never decides is vacuous", async () => {
    expect(verdictsOf(await checkAll(bars(3, 200), { a: follower, b: follower }))).toEqual({ a: "clean", b: "clean" });
    const report = await checkAll(bars(3, 200), { a: follower, idle });
    expect(verdictsOf(report)).toEqual({ a: "clean", idle: "vacuous" });
    expect(report.verdict).toBe("vacuous");
  });

  test("one that is not repeatable is named, and the others have no verdict of their own", async () => {
    let run = 0;
    const moody = () => {
      const own = run++;
      return strategy({
        onBar: (ctx, { close }) => void ctx.setPosition(Math.floor(close + own) % 2 === 0 ? 0.1 : -0.1),
      });
    };
    const report = await checkAll(bars(4, 200), { calm: follower, moody });
    expect(verdictsOf(report)).toEqual({ calm: "disturbed", moody: "unrepeatable" });
  });
});
