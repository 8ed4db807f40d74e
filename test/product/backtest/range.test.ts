import { expect, test } from "vitest";
import { renderTerminal } from "../../../src/product/report/terminal.ts";
import { run, strategy } from "./helpers.ts";
import { HOUR, hourlyBars, memorySource, START, type TestEvent } from "./memorySource.ts";

const DAYS = 30;
const rising = hourlyBars(
  Array.from({ length: DAYS * 24 }, (_, at) => [1_000 + at, 1_002 + at, 999 + at, 1_001 + at] as const),
);
const funding = (days: number): TestEvent => ({ kind: "funding", timeMs: START + days * 24 * HOUR, rate: 0 });
const hold = strategy({
  init(ctx) {
    ctx.place({ side: "buy", size: 5, slippage: 0.01 });
  },
});
const metric = ({ report }: Awaited<ReturnType<typeof run>>, id: string) =>
  report.summary.metrics.find((one) => one.id === id)!.value;

test("`from` and `to` are the opens of the first bar that is replayed and of the first that is not", async () => {
  const opens: number[] = [];
  const result = await run({
    data: memorySource(rising),
    fromMs: START + 24 * HOUR,
    toMs: START + 26 * HOUR,
    strategy: strategy({ onBar: (_ctx, { openTimeMs }) => void opens.push(openTimeMs - START) }),
  });
  expect(opens).toEqual([24 * HOUR, 25 * HOUR]);
  expect(result.report.run.startMs).toBe(START + 24 * HOUR + 1);
  expect(result.report.run.endMs).toBe(START + 26 * HOUR);
});

// A funding file that is 16 months longer than the bars halved the annual growth of a run.
test("a funding file that is longer than the bars changes neither the length of a run nor its figures", async () => {
  const alone = await run({ data: memorySource([...rising, funding(10)]), strategy: hold });
  const long = await run({
    data: memorySource([...rising, funding(10), funding(-480), funding(-8), funding(60)]),
    strategy: hold,
  });
  expect(metric(long, "cagr")).toBe(metric(alone, "cagr"));
  expect(metric(long, "exposure")).toBe(metric(alone, "exposure"));
  expect(long.head).toBe(alone.head);
  const sentence = "Left out: 2 events (funding) from 2022-09-08 00:00 UTC on.";
  expect(long.report.run.assumptions.join("\n")).toContain(sentence);
  expect(renderTerminal(long.report)).toContain(sentence);
  expect(long.report.run.assumptions.join("\n")).toContain("Left out: 1 event (funding) up to 2024-03-01 00:00 UTC.");
  expect(alone.report.run.notices).toEqual([]);
});

test("a range with funding and without a bar is refused", async () => {
  const data = memorySource([...rising, funding(40)]);
  await expect(run({ data, fromMs: START + 35 * 24 * HOUR })).rejects.toMatchObject({
    code: "DATA_UNUSABLE",
    message: expect.stringContaining("no trade or bar"),
  });
});

test("the first block has a price, whatever else is recorded at the open of the first bar", async () => {
  const seen: (number | undefined)[] = [];
  const marked: TestEvent = { kind: "mark", timeMs: START, price: 1_007 };
  for (const events of [[funding(0)], [funding(0), marked]]) {
    const { report } = await run({
      data: memorySource([...rising, ...events]),
      toMs: START + 2 * HOUR,
      strategy: strategy({ init: ({ market }) => void seen.push(market.mark) }),
    });
    expect(report.run.startMs).toBe(START + 1);
    expect(report.run.assumptions.join("\n")).not.toContain("Left out");
  }
  expect(seen).toEqual([1_000, 1_007]);
});
