/** Tardis trades: one fill a row, with the side of the taker. Ids differ by venue, and may be texts or empty. */
import { idCell, priceCell, type RefusedLayout, sizeCell, skipCell } from "./known.ts";
import type { ColumnType, StreamSpec } from "./layout.ts";
import { defineTardis, REST, TARDIS_COLUMNS, tardisBase } from "./tardis.ts";

const COLUMNS = [["id"], ["side"], ["price"], ["amount"]] as const;

/** Some venues do not state the side of some trades. */
const takerSideCell: ColumnType = {
  type: "word",
  words: [
    ["buy", 1],
    ["sell", -1],
    ["unknown", 0],
  ],
};

/** Each id of a Binance market is the one before plus one; what ids of other venues mean is not known. */
const hasIds = ([exchange = ""]: readonly string[]): boolean => /^binance(-futures)?$/.test(exchange);

export const tardisTrades = defineTardis({
  name: "tardisTrades",
  pathWord: "trades",
  columns: COLUMNS,
  cells: (row) => [hasIds(row) ? idCell : skipCell, takerSideCell, priceCell, sizeCell],
  streams: (row): readonly StreamSpec[] => [
    {
      ...tardisBase,
      kind: "trade",
      shape: "trade",
      side: REST + 1,
      price: REST + 2,
      size: { from: "base", column: REST + 3, multiplier: 1 },
      ...(hasIds(row) ? { id: REST, ids: "contiguous" } : { ids: "none" }),
    },
  ],
});

/** Tardis liquidations: the columns of trades, so that only the path distinguishes them. */
export const tardisLiquidations: RefusedLayout = {
  name: "tardisLiquidations",
  pathWord: "liquidations",
  columns: [...TARDIS_COLUMNS, ...COLUMNS],
  reason: "liquidations are trades that the file of trades has too: both together would count them twice",
  hint: "leave the file out, and import trades; a file of trades whose path says otherwise is MARKET:tardisTrades=PATH",
};
