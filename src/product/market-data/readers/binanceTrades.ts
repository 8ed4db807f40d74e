/** Binance Vision trades of USD-M futures: every fill. Ids may have holes where the exchange left fills out. */
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

export const trades: KnownLayout = {
  name: "trades",
  columns: [["id"], ["price"], ["qty"], ["quote_qty"], ["time"], ["is_buyer_maker"]],
  // Of spot.
  laterColumns: ["is_best_match"],
  timeColumn: 4,
  cells: (unit) => [idCell, priceCell, sizeCell, skipCell, timeCell(unit), buyerIsMakerCell],
  refuse: refuseCoinM,
  streams: [
    {
      kind: "trade",
      shape: "trade",
      time: 4,
      everyMs: 0,
      skipEmpty: [],
      price: 1,
      size: { from: "base", column: 2, multiplier: 1 },
      side: 5,
      id: 0,
      ids: "contiguous",
    },
  ],
};
