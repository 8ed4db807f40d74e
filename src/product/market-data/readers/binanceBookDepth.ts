/**
 * Binance Vision bookDepth of USD-M futures: about every 30 seconds, the depth of the book up to some percent below
 * (negative) and above the price. These are sums and no levels, so no book can be built from them.
 */
import { dateCell, exactCell, type KnownLayout } from "./known.ts";

/** Greatest distance of a band, percent, as far as files have them. */
const PERCENTS = ["5", "4", "3", "2", "1", "0.2"] as const;

/** The bands from the lowest to the highest. */
const BANDS: readonly (readonly [side: "bid" | "ask", percent: string])[] = [
  ...PERCENTS.map((percent) => ["bid", percent] as const),
  ...PERCENTS.toReversed().map((percent) => ["ask", percent] as const),
];

/** Texts of a band: earlier files have `-5`, later ones `-5.00`. */
function textsOf(side: string, percent: string): string[] {
  const sign = side === "bid" ? "-" : "";
  return [...new Set([percent, ...[1, 2].map((places) => Number(percent).toFixed(places))])].map(
    (text) => `${sign}${text}`,
  );
}

export const bookDepth: KnownLayout = {
  name: "bookDepth",
  columns: [["timestamp"], ["percentage"], ["depth"], ["notional"]],
  timeColumn: 0,
  needsName: "bare",
  hasDates: true,
  cells: (unit, row) => [
    dateCell(unit, row[0] ?? ""),
    {
      type: "word",
      words: BANDS.flatMap(([side, percent], band) => textsOf(side, percent).map((text) => [text, band] as const)),
    },
    exactCell,
    exactCell,
  ],
  streams: [
    {
      kind: "series",
      shape: "series",
      time: 0,
      everyMs: 0,
      skipEmpty: [],
      values: [2, 3],
      group: 1,
      names: BANDS.flatMap(([side, percent]) => ["depth", "notional"].map((what) => `${what}_${side}_${percent}`)),
      // Times are whole seconds: a sample of 00:00:09 may be of the end of that second.
      delayMs: 1_000,
      knownAfter: "timestamp",
      spacingMs: 30_000,
    },
  ],
};
