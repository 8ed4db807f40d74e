/**
 * Binance Vision premiumIndexKlines: the premium of the perpetual over its index as a signed ratio, in the columns of
 * klines. Only the path or the user says that a file has premiums.
 */
import { klines } from "./binanceKlines.ts";
import { exactCell, type KnownLayout, skipCell, timeCell } from "./known.ts";

const SHOWN = ["open", "high", "low", "close"] as const;

export const premiumIndexKlines: KnownLayout = {
  name: "premiumIndexKlines",
  columns: klines.columns,
  timeColumn: 0,
  needsName: "always",
  cells: (unit) => [
    timeCell(unit),
    ...SHOWN.map(() => ({ ...exactCell, optional: false })),
    skipCell,
    timeCell(unit),
    ...Array.from({ length: 5 }, () => skipCell),
  ],
  streams: [
    {
      kind: "series",
      shape: "series",
      time: 0,
      everyMs: 0,
      skipEmpty: [],
      values: [1, 2, 3, 4],
      names: SHOWN.map((name) => `premium_${name}`),
      covers: { from: "closeTime", column: 6 },
      delayMs: 0,
      knownAfter: "the end of their kline",
      spacingMs: 0,
    },
  ],
};
