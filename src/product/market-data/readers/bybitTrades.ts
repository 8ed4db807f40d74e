/**
 * Bybit trades of linear perpetuals: times in seconds with a fraction, ids that are no numbers. Older files begin with
 * their newest trade.
 */
import { type KnownLayout, priceCell, sizeCell, skipCell, symbolCell, timeCell } from "./known.ts";
import type { ColumnType } from "./layout.ts";

const sideCell: ColumnType = {
  type: "word",
  words: [
    ["Buy", 1],
    ["Sell", -1],
  ],
};

/** BTCUSD and BTCUSDH24, and not BTCUSDT. */
export const INVERSE = /USD([FGHJKMNQUVXZ]\d\d)?$/;

export const bybitTrades: KnownLayout = {
  name: "bybitTrades",
  columns: [
    ["timestamp"],
    ["symbol"],
    ["side"],
    ["size"],
    ["price"],
    ["tickdirection"],
    ["trdmatchid"],
    ["grossvalue"],
    ["homenotional"],
    ["foreignnotional"],
  ],
  laterColumns: ["rpi"],
  timeColumn: 0,
  needsHeader: true,
  mayBeNewestFirst: true,
  cells: (unit, row) => [
    timeCell(unit),
    symbolCell(row[1] ?? ""),
    sideCell,
    sizeCell,
    priceCell,
    skipCell,
    skipCell,
    skipCell,
    skipCell,
    skipCell,
  ],
  streams: [
    {
      kind: "trade",
      shape: "trade",
      time: 0,
      everyMs: 0,
      skipEmpty: [],
      price: 4,
      size: { from: "base", column: 3, multiplier: 1 },
      side: 2,
      ids: "none",
    },
  ],
  notes: ["Ids of trades are texts and are not read: a trade that occurs twice is not found."],
  refuse([, symbol = ""]) {
    if (!INVERSE.test(symbol)) return undefined;
    return {
      reason: `${symbol} is an inverse contract, whose sizes are in USD`,
      hint: "write a mapping file (perplab import --draft-mapping FILE) with size: { column: size, unit: quote }",
    };
  },
};
