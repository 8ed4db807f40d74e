import { expect, test } from "vitest";
import { run, strategy } from "./helpers.ts";
import { memorySource, START, type TestEvent } from "./memorySource.ts";

const trades = Array.from({ length: 40 }, (_, place): TestEvent => {
  const price = 1_000 + (place % 7);
  return { kind: "trade", timeMs: START + 1_000 + place * 370, price, size: 1 + place, side: 1 };
});

/** Logs every trade that it sees. */
const watcher = () => strategy({ onTrade: (ctx, trade) => ctx.log(JSON.stringify(trade)) });

// Several messages of the feed are on the way at once, each with the rows of its own instant.
test("a strategy that sees trades late sees each of them once, as one that sees them at once", async () => {
  const options = { data: memorySource(trades), blockMs: 100, latencyMs: 0 };
  const prompt = await run({ ...options, strategy: watcher() });
  const late = await run({ ...options, strategy: watcher(), feedLatencyMs: 900 });
  expect(prompt.logs).toHaveLength(40);
  const texts = prompt.logs.map(({ text }) => text);
  // The last messages are on the way when the data ends.
  expect(late.logs.length).toBeGreaterThan(30);
  expect(late.logs.map(({ text }) => text)).toEqual(texts.slice(0, late.logs.length));
});

test("a strategy reads its resting orders from the oldest to the newest, in all markets together", async () => {
  const markets = ["AAA", "BBB"];
  const data = memorySource(
    trades.flatMap((trade, place) => [
      { ...trade, market: 0 },
      { ...trade, timeMs: trade.timeMs + 50 + (place % 3), market: 1 },
    ]),
    { markets },
  );
  const quoter = strategy({
    init: (ctx) => ctx.every("1s", "place"),
    onTimer(ctx) {
      const [first, second] = ctx.markets;
      const market = ctx.account.orders().length % 3 === 1 ? second : first;
      ctx.place({ market: market!.name, side: "buy", size: 0.01, price: 500, postOnly: true });
      ctx.log(JSON.stringify([ctx.account.orders(), ctx.account.orders("AAA")].map((all) => all.map(({ id }) => id))));
    },
  });
  const { logs } = await run({ data, strategy: quoter, blockMs: 100, parameters: { minNotional: "0" } });
  const lists = logs.map(({ text }) => JSON.parse(text) as string[][]);
  expect(lists.at(-1)![0]!.length).toBeGreaterThan(6);
  const numberOf = (id: string) => Number(id.slice(1));
  for (const list of lists.flat()) expect(list).toEqual([...list].sort((a, b) => numberOf(a) - numberOf(b)));
  expect(lists.at(-1)![1]!.length).toBeLessThan(lists.at(-1)![0]!.length);
});
