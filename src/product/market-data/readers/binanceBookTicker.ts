/** Binance Vision bookTicker of USD-M futures: best bid and best ask after each change, to 2024. */
import {
  idCell,
  type KnownLayout,
  levelAt,
  levelPriceCell,
  levelSizeCell,
  refuseCoinM,
  skipCell,
  timeCell,
} from "./known.ts";

export const bookTicker: KnownLayout = {
  name: "bookTicker",
  columns: [
    ["update_id"],
    ["best_bid_price"],
    ["best_bid_qty"],
    ["best_ask_price"],
    ["best_ask_qty"],
    ["transaction_time"],
    ["event_time"],
  ],
  timeColumn: 5,
  cells: (unit) => [idCell, levelPriceCell, levelSizeCell, levelPriceCell, levelSizeCell, timeCell(unit), skipCell],
  refuse: refuseCoinM,
  streams: [
    {
      kind: "quote",
      shape: "quote",
      time: 5,
      everyMs: 0,
      skipEmpty: [],
      bid: levelAt(1, 2),
      ask: levelAt(3, 4),
      id: 0,
    },
  ],
};
