/** Tardis order books: changes with snapshots, the best levels of each row, and the best bid and ask. */
import { levelAt, levelPriceCell, levelSizeCell, priceCell, sizeCell } from "./known.ts";
import type { ColumnType } from "./layout.ts";
import { defineTardis, REST, tardisBase } from "./tardis.ts";

const isSnapshotCell: ColumnType = {
  type: "word",
  words: [
    ["true", 1],
    ["false", 0],
  ],
};

const bookSideCell: ColumnType = {
  type: "word",
  words: [
    ["bid", 1],
    ["ask", -1],
  ],
};

/** A level a row, with the size that it has now. A run of snapshot rows replaces the book. */
export const tardisIncrementalBook = defineTardis({
  name: "tardisIncrementalBook",
  columns: [["is_snapshot"], ["side"], ["price"], ["amount"]],
  cells: [isSnapshotCell, bookSideCell, priceCell, { ...sizeCell, sign: "nonNegative" } as ColumnType],
  streams: [
    {
      ...tardisBase,
      kind: "depth",
      shape: "depth",
      snapshot: REST,
      snapshotIsRun: true,
      side: REST + 1,
      price: REST + 2,
      size: { from: "base", column: REST + 3, multiplier: 1 },
      startsEmpty: false,
      updates: "none",
    },
  ],
});

/** The best levels of both sides in each row; cells are empty where a side has fewer. */
function defineSnapshots(levels: number) {
  const numbers = Array.from({ length: levels }, (_, level) => level);
  const bids = numbers.map((level) => levelAt(REST + 4 * level + 2, REST + 4 * level + 3));
  const asks = numbers.map((level) => levelAt(REST + 4 * level, REST + 4 * level + 1));
  return defineTardis({
    name: `tardisBookSnapshot${levels}`,
    columns: numbers.flatMap((level) =>
      ["asks", "bids"].flatMap((side) => [[`${side}[${level}].price`], [`${side}[${level}].amount`]]),
    ),
    cells: numbers.flatMap(() => [levelPriceCell, levelSizeCell, levelPriceCell, levelSizeCell]),
    streams: [{ ...tardisBase, kind: "depth", shape: "levels", bids, asks }],
  });
}

export const tardisBookSnapshot5 = defineSnapshots(5);
export const tardisBookSnapshot25 = defineSnapshots(25);

/** Best ask, then best bid. The amount of the ask is before its price, that of the bid after it. */
export const tardisQuotes = defineTardis({
  name: "tardisQuotes",
  columns: [["ask_amount"], ["ask_price"], ["bid_price"], ["bid_amount"]],
  cells: [levelSizeCell, levelPriceCell, levelPriceCell, levelSizeCell],
  streams: [
    {
      ...tardisBase,
      kind: "quote",
      shape: "quote",
      ask: levelAt(REST + 1, REST),
      bid: levelAt(REST + 2, REST + 3),
    },
  ],
});
