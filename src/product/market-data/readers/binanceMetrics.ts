/**
 * Binance Vision metrics of USD-M futures: open interest and ratios of long to short, every five minutes. Rows may come
 * in no order, and cells may be empty.
 */
import { dateCell, exactCell, type KnownLayout, symbolCell } from "./known.ts";

const MINUTE_MS = 60_000;

/** Columns with values; the series have their names. */
const VALUES = [
  "sum_open_interest",
  "sum_open_interest_value",
  "count_toptrader_long_short_ratio",
  "sum_toptrader_long_short_ratio",
  "count_long_short_ratio",
  "sum_taker_long_short_vol_ratio",
] as const;

export const metrics: KnownLayout = {
  name: "metrics",
  columns: [["create_time"], ["symbol"], ...VALUES.map((name) => [name])],
  timeColumn: 0,
  needsName: "bare",
  hasDates: true,
  allow: ["unsorted"],
  cells: (unit, row) => [dateCell(unit, row[0] ?? ""), symbolCell(row[1] ?? ""), ...VALUES.map(() => exactCell)],
  streams: [
    {
      kind: "series",
      shape: "series",
      time: 0,
      everyMs: 0,
      skipEmpty: [],
      values: VALUES.map((_, place) => place + 2),
      names: VALUES,
      // To June 2026 create_time ends the five minutes of a row, and since then it begins them (issue 491 of the
      // archive). After one row's length both are known.
      delayMs: 5 * MINUTE_MS,
      knownAfter: "create_time",
      spacingMs: 5 * MINUTE_MS,
    },
  ],
};
