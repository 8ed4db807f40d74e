/** Binance Vision aggTrades of USD-M futures: fills of one taker order at one price, joined. Ids have no holes. */
import {
  buyerIsMakerCell,
  idCell,
  type KnownLayout,
  priceCell,
  refuseCoinM,
  sizeCell,
  skipCell,
  timeCell,
} from "./known.ts";

export const aggTrades: KnownLayout = {
  name: "aggTrades",
  columns: [
    ["agg_trade_id"],
    ["price"],
    ["quantity"],
    ["first_trade_id"],
    ["last_trade_id"],
    ["transact_time"],
    ["is_buyer_maker"],
  ],
  // Of spot.
  laterColumns: ["is_best_match"],
  timeColumn: 5,
  cells: (unit) => [idCell, priceCell, sizeCell, skipCell, skipCell, timeCell(unit), buyerIsMakerCell],
  refuse: refuseCoinM,
  streams: [
    {
      kind: "trade",
      shape: "trade",
      time: 5,
      everyMs: 0,
      skipEmpty: [],
      price: 1,
      size: { from: "base", column: 2, multiplier: 1 },
      side: 6,
      id: 0,
      ids: "contiguous",
    },
  ],
};
