import { expect, test } from "vitest";
import type { ReportedBlock } from "../../../src/client/sdk/strategy/accountFacts.ts";
import { LiveBars } from "../../../src/client/sdk/strategy/liveBars.ts";

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);

type PriceEvent = readonly [kind: "fill" | "printed", price: string, size: string, market?: string];

/** A block this many ms after the start, with these prices. */
const block = (afterMs: number, ...reported: PriceEvent[]): ReportedBlock => ({
  timeMs: START + afterMs,
  transactions: [],
  events: reported.map(([kind, price, size, market = "A"]) => ({ kind, fields: { market, price, size } })) as never,
});

const barsOf = (bars: LiveBars, ...blocks: ReportedBlock[]) =>
  blocks.map((one) =>
    bars
      .read(one)
      .map(({ market, openTimeMs, open, high, low, close, volume }) =>
        [market, (openTimeMs - START) / MINUTE, open, high, low, close, volume].join(" "),
      ),
  );

test("a bar is reported with the first block at or after its close", () => {
  const bars = new LiveBars(MINUTE, START, ["A"]);
  expect(
    barsOf(
      bars,
      block(1, ["fill", "10", "1"]),
      block(MINUTE - 1, ["fill", "12", "2"], ["fill", "9", "1"]),
      block(MINUTE, ["fill", "11", "1"]),
      block(MINUTE + 1, ["fill", "20", "1"]),
      block(2 * MINUTE + 1, ["fill", "30", "1"]),
    ),
  ).toEqual([[], [], ["A 0 10 12 9 11 5"], [], ["A 1 20 20 20 20 1"]]);
});

test("an interval without a price has no bar, and the one in which it began is left out", () => {
  const bars = new LiveBars(MINUTE, START + 1, ["A"]);
  expect(
    barsOf(
      bars,
      block(5, ["fill", "10", "1"]),
      block(MINUTE),
      block(3 * MINUTE, ["fill", "11", "1"]),
      block(9 * MINUTE),
    ),
  ).toEqual([[], [], ["A 2 11 11 11 11 1"], []]);
});

test("recorded prices make the bar where there are some, and every market has its own", () => {
  const bars = new LiveBars(MINUTE, START, ["B", "A"]);
  expect(
    barsOf(
      bars,
      block(7, ["printed", "10", "0"], ["fill", "15", "1"], ["fill", "3", "2", "B"], ["fill", "1", "1", "C"]),
      block(MINUTE, ["printed", "8", "0"]),
      block(2 * MINUTE, ["fill", "7", "4"]),
    ),
  ).toEqual([[], ["B 0 3 3 3 3 2", "A 0 10 10 8 8 0"], ["A 1 7 7 7 7 4"]]);
});

test("an invalid length is refused", () => {
  for (const barMs of [0, -1, 1.5, Number.NaN]) expect(() => new LiveBars(barMs, 0, [])).toThrow(RangeError);
});
