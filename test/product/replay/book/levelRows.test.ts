import { expect, test } from "vitest";
import { Random } from "../../../../src/ground/math/random.ts";
import { BookFlag } from "../../../../src/product/market-data/types.ts";
import { History } from "../../../../src/product/replay/history.ts";
import { defineMarket } from "../../../../src/product/replay/marketDefinition.ts";
import { resolveReplay } from "../../../../src/product/replay/settings.ts";
import { surveyMarkets } from "../../../../src/product/replay/surveyMarkets.ts";
import { memorySource, START, type TestEvent } from "../../backtest/memorySource.ts";

/** Updates of two markets, of which many have one time, with snapshots, gaps and trades between them. */
function drawRows(seed: number): TestEvent[] {
  const random = Random.ofSeed([seed, 62]);
  const events: TestEvent[] = [];
  let timeMs = START;
  let id = 0;
  for (let update = 0; update < 120; update++) {
    if (random.chance(1, 2)) timeMs += random.pick([1, 20, 300, 2_000]);
    if (random.chance(1, 2)) id++;
    const isSnapshot = update === 0 || random.chance(1, 20);
    for (let row = random.between(1, 5); row > 0; row--) {
      const side = random.pick([1, -1] as const);
      const price = 1_000 - side * random.between(random.chance(1, 3) ? -3 : 1, 6);
      const size = random.pick([0, 0.004, random.between(1, 900) / 100]);
      let flags = isSnapshot ? BookFlag.snapshot : 0;
      if (isSnapshot && random.chance(1, 3)) flags |= BookFlag.first;
      if (random.chance(1, 30)) flags |= BookFlag.gap;
      events.push({ kind: "depth", timeMs, id, side, price, size, flags, market: random.chance(1, 4) ? 1 : 0 });
    }
    if (random.chance(1, 4)) {
      const price = 1_000 + random.between(-3, 3);
      events.push({ kind: "trade", timeMs, price, size: 1, side: random.pick([1, -1]), market: random.below(2) });
    }
  }
  return events;
}

/** Both sides of every market at every instant, and the notes at the end. */
async function replay(events: readonly TestEvent[], chunkRows: number): Promise<unknown[]> {
  const source = memorySource(events, { markets: ["A", "B"], chunkRows });
  const { manifest } = source;
  const surveys = await surveyMarkets(manifest, source.chunks(), { allowBooks: true });
  const markets = manifest.markets.map((market) => defineMarket(market, { firstPrice: 1e11, tick: "1", lot: "0.01" }));
  const history = new History({ manifest, markets, surveys, settings: resolveReplay() });
  const seen: unknown[] = [];
  const advance = () => {
    for (let timeMs = history.nextBlockMs(); timeMs !== undefined; timeMs = history.nextBlockMs()) {
      history.moveTo(timeMs);
      const books = history.flows.map(({ book }) => [book!.listLevels(true, 99), book!.listLevels(false, 99)]);
      const reaches = history.flows.map(({ lowTicks, highTicks }) => [lowTicks, highTicks]);
      seen.push({ timeMs, books, reaches });
      history.pass();
    }
  };
  for await (const chunk of source.chunks()) {
    history.add(chunk);
    advance();
  }
  history.finish();
  advance();
  return [...seen, ...history.flows.map(({ book }) => book!.book.notes)];
}

// A chunk of one row has no row before it: every row is taken with its time, its id and its flags.
test("rows of an update that are taken together leave the book that they leave one by one", async () => {
  const reached = { crossed: 0, gaps: 0, sizesLost: 0 };
  for (let seed = 1; seed <= 20; seed++) {
    const events = drawRows(seed);
    const together = await replay(events, 65_536);
    expect(together).toEqual(await replay(events, 1));
    const notes = together.at(-2) as typeof reached;
    for (const name of ["crossed", "gaps", "sizesLost"] as const) reached[name] += notes[name];
  }
  expect(Math.min(...Object.values(reached))).toBeGreaterThan(10);
});
