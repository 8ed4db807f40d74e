/** Entries of the averages, and how those of two backtesters compare. */
import type { Row } from "../recorded.ts";

export type Bar = Row<"open_time_ms" | "open" | "close">;

/** A change of side: the time of its fill, 1 for long and -1 for short, and the price. */
export type Entry = readonly [timeMs: number, side: number, price: number];

const HOUR_MS = 3_600_000;
const [FAST, SLOW] = [24, 96];

/** The entries that the bars alone give: the means over closes, and the open of the next bar as price. */
export function deriveEntries(bars: readonly Bar[]): Entry[] {
  const entries: Entry[] = [];
  const mean = (last: number, count: number) => {
    let sum = 0;
    for (let at = last - count + 1; at <= last; at++) sum += Number(bars[at]!.close);
    return sum / count;
  };
  let held = 0;
  for (let at = SLOW - 1; at < bars.length - 1; at++) {
    const side = mean(at, FAST) > mean(at, SLOW) ? 1 : -1;
    if (side === held) continue;
    held = side;
    const { open_time_ms, open } = bars[at + 1]!;
    entries.push([Number(open_time_ms), side, Number(open)]);
  }
  return entries;
}

export interface EntryComparison {
  readonly entries: number;
  /** In the same hour, on the same side. */
  readonly sameBarAndSide: number;
  /** Of those, at a price that differs by a tick at most. */
  readonly withinTick: number;
  /** USD. */
  readonly greatestDifference: number;
}

/** Compares entries with others, by the hour in which they filled. */
export function compareEntries(ours: readonly Entry[], theirs: readonly Entry[], tick: number): EntryComparison {
  const byHour = new Map(ours.map((entry) => [Math.floor(entry[0] / HOUR_MS), entry]));
  let [sameBarAndSide, withinTick, greatestDifference] = [0, 0, 0];
  for (const [timeMs, side, price] of theirs) {
    const entry = byHour.get(Math.floor(timeMs / HOUR_MS));
    if (entry === undefined || entry[1] !== side) continue;
    sameBarAndSide++;
    // In whole ticks: prices of other programs carry the noise of doubles.
    const ticks = Math.abs(Math.round(entry[2] / tick) - Math.round(price / tick));
    if (ticks <= 1) withinTick++;
    greatestDifference = Math.max(greatestDifference, Math.round(ticks * tick * 1e6) / 1e6);
  }
  return { entries: theirs.length, sameBarAndSide, withinTick, greatestDifference };
}
