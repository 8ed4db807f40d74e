import { expect, test } from "vitest";
import { compareEntries, deriveEntries, type Entry } from "../../../bench/validation/sma/entries.ts";
import { sumFunding } from "../../../bench/validation/sma/funding.ts";
import { comparePeer } from "../../../bench/validation/sma/measure.ts";

const HOUR = 3_600_000;

/**
 * 96 hours at 100, then a rise by 1 an hour up to 120, then a fall by 1 an hour. An open is the close before it, and
 * 0.3.
 */
const bars = Array.from({ length: 160 }, (_, at) => {
  const closeOf = (hour: number) => 100 + Math.max(0, Math.min(hour - 95, 145 - hour));
  return { open_time_ms: `${at * HOUR}`, open: `${closeOf(at - 1) + 0.3}`, close: `${closeOf(at)}` };
});

test("entries follow the means, at the open of the bar after the signal", () => {
  // Flat means are no rise: the first side is short. The rise of hour 96 turns it.
  const entries = deriveEntries(bars);
  expect(entries.slice(0, 2)).toEqual([
    [96 * HOUR, -1, 100.3],
    [97 * HOUR, 1, 101.3],
  ]);
  expect(entries.map(([, side]) => side)).toEqual([-1, 1, -1]);
});

const ours: Entry[] = [
  [10 * HOUR + 100, 1, 100.01],
  [20 * HOUR + 100, -1, 110],
];

test.each<[string, Entry, number, number]>([
  ["an hour later", [21 * HOUR, -1, 110], 1, 1],
  ["of the other side", [20 * HOUR, 1, 110], 1, 1],
  ["two ticks away", [20 * HOUR, -1, 110.02], 2, 1],
  ["one tick away", [20 * HOUR, -1, 109.99], 2, 2],
])("a planted entry %s is counted as such", (_, entry, sameBarAndSide, withinTick) => {
  const theirs: Entry[] = [[10 * HOUR, 1, 100], entry];
  expect(compareEntries(ours, theirs, 0.01)).toMatchObject({ entries: 2, sameBarAndSide, withinTick });
});

test("an entry that only one of both has is missing", () => {
  expect(compareEntries(ours, [[10 * HOUR, 1, 100]], 0.01)).toMatchObject({ entries: 1, sameBarAndSide: 1 });
  expect(compareEntries(ours.slice(1), [[10 * HOUR, 1, 100]], 0.01)).toMatchObject({ entries: 1, sameBarAndSide: 0 });
});

test("the greater of two differences of equity is a share of the deposit", () => {
  const perplab = { fixed: 110_000, compounding: 5_000 };
  const theirs = { version: "1", fixed: 110_010, compounding: 4_950, entries: ours };
  expect(comparePeer(bars, { perplab, entries: ours }, theirs, "open").equityDifference).toBe(0.0005);
  const without = { ...theirs, compounding: null };
  expect(comparePeer(bars, { perplab, entries: ours }, without, "open").equityDifference).toBe(0.0001);
});

test("funding is paid by the side that was held before the hour, at the last known price", () => {
  const entries: Entry[] = [
    [8 * HOUR, 1, 100],
    [16 * HOUR, -1, 100],
  ];
  const settlements = [
    { funding_time_ms: `${8 * HOUR}`, funding_rate: "0.001" }, // before the first order of the hour: nothing is held
    { funding_time_ms: `${16 * HOUR}`, funding_rate: "0.001" }, // the long pays 0.1 at the close of hour 15
    { funding_time_ms: `${24 * HOUR + 5}`, funding_rate: "0.002" }, // the short receives 0.2006 at the open of hour 24
    { funding_time_ms: `${900 * HOUR}`, funding_rate: "1" }, // after the bars
  ];
  const { payments, received } = sumFunding(bars, settlements, entries);
  expect(payments).toBe(2);
  expect(received).toBeCloseTo(0.1006, 9);
});
