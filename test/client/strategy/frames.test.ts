import { describe, expect, test } from "vitest";
import type { Bar, FrameBar } from "../../../src/client/strategy/facts.ts";
import { Frames } from "../../../src/client/strategy/frames.ts";
import { parseSpan, startOfSpan } from "../../../src/client/strategy/spans.ts";
import { Random } from "../../../src/ground/math/random.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2024, 0, 3, 22, 40);

/** Minute bars with gaps: each later by one to `gap` minutes. */
function minuteBars(seed: number, count: number, gap: number): Bar[] {
  const random = Random.ofSeed([seed]);
  let at = START;
  return Array.from({ length: count }, () => {
    const openTimeMs = at;
    at += MINUTE * (1 + (random.chance(1, 20) ? random.below(gap) : 0));
    const price = () => 100 + random.below(1_000) / 10;
    const [open, close] = [price(), price()];
    const [high, low] = [Math.max(open, close) + 1, Math.min(open, close) - 1];
    const volume = random.below(100_000) / 1e4;
    return { market: "BTC", openTimeMs, closeTimeMs: openTimeMs + MINUTE, open, high, low, close, volume };
  });
}

/** The slow way: all bars of an interval at once. */
function group(bars: readonly Bar[], span: string): FrameBar[] {
  const ms = parseSpan(span)!;
  const starts = [...new Set(bars.map(({ openTimeMs }) => startOfSpan(openTimeMs, ms)))];
  return starts
    .filter((start) => start >= bars[0]!.openTimeMs && start + ms <= bars.at(-1)!.closeTimeMs)
    .map((start) => {
      const inside = bars.filter(({ openTimeMs }) => openTimeMs >= start && openTimeMs < start + ms);
      return {
        frame: span,
        market: "BTC",
        openTimeMs: start,
        closeTimeMs: start + ms,
        open: inside[0]!.open,
        high: Math.max(...inside.map(({ high }) => high)),
        low: Math.min(...inside.map(({ low }) => low)),
        close: inside.at(-1)!.close,
        volume: inside.reduce((sum, { volume }) => sum + Math.round(volume * 1e8), 0) / 1e8,
        bars: inside.length,
      };
    });
}

test("bars of a frame are those of all bars of its interval, and none is shown before its close", () => {
  const spans = ["5m", "1h", "4h", "1d", "1w"];
  for (let seed = 1; seed <= 3; seed++) {
    const bars = minuteBars(seed, 4_000, 300);
    const frames = new Frames(spans);
    const seen: FrameBar[] = [];
    for (const bar of bars) {
      // As a session does: at each block, the bars up to it, then what has ended.
      const made = [...frames.add(bar), ...frames.advance(bar.closeTimeMs)];
      for (const one of made) expect(one.closeTimeMs).toBeLessThanOrEqual(bar.closeTimeMs);
      seen.push(...made);
    }
    for (const span of spans) {
      expect(
        seen.filter(({ frame }) => frame === span),
        `${span}, seed ${seed}`,
      ).toEqual(group(bars, span));
    }
  }
});

test("blocks in a gap show what has ended, and ask for its time", () => {
  const frames = new Frames(["1h"]);
  const [bar] = minuteBars(1, 1, 1);
  const first = { ...bar!, openTimeMs: START + 20 * MINUTE, closeTimeMs: START + 21 * MINUTE };
  expect(frames.dueMs).toBe(Number.POSITIVE_INFINITY);
  expect(frames.add(first)).toEqual([]);
  expect(frames.dueMs).toBe(START + 20 * MINUTE + HOUR);
  expect(frames.advance(frames.dueMs - 1)).toEqual([]);
  expect(frames.advance(frames.dueMs)).toMatchObject([{ frame: "1h", bars: 1, close: first.close }]);
  expect(frames.dueMs).toBe(Number.POSITIVE_INFINITY);
});

describe("frames", () => {
  test("begin on the clock in UTC, weeks on Mondays", () => {
    const at = Date.UTC(2024, 0, 3, 22, 40);
    const start = (span: string) => new Date(startOfSpan(at, parseSpan(span)!)).toISOString();
    expect(["15m", "4h", "1d", "1w"].map(start)).toEqual([
      "2024-01-03T22:30:00.000Z",
      "2024-01-03T20:00:00.000Z",
      "2024-01-03T00:00:00.000Z",
      "2024-01-01T00:00:00.000Z",
    ]);
  });

  test.each([["7m"], ["2d"], ["0h"], ["1 h"], ["h"], [""], [1.5], [-60_000]])("are not made of %j", (span) => {
    expect(() => new Frames([span])).toThrow(expect.objectContaining({ code: "STRATEGY_INVALID", place: "frames" }));
  });

  test("are refused twice, and of bars that reach into two of them", () => {
    const invalid = expect.objectContaining({ code: "STRATEGY_INVALID", place: "frames" });
    expect(() => new Frames(["1h", "60m"])).toThrow(invalid);
    const [bar] = minuteBars(1, 1, 1);
    const long = { ...bar!, openTimeMs: START, closeTimeMs: START + 45 * MINUTE };
    expect(() => new Frames(["1h"]).add(long)).toThrow(invalid);
  });
});
