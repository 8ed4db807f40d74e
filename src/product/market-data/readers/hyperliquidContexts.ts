/**
 * Hyperliquid asset contexts (`asset_ctxs`): the state of each coin about once a minute, all coins in one file. The
 * funding in it is the running rate and is not read; settled rates come from another file.
 */
import { type KnownLayout, priceCell, skipCell } from "./known.ts";
import type { ColumnType, PointSpec } from "./layout.ts";

const COIN = 1;
const ORACLE = 7;
const MARK = 8;
const MINUTE_MS = 60_000;
/** The last columns of a row may be empty, as of a coin that is new. */
const sparseCell = { ...priceCell, optional: true } as ColumnType;

const point = (kind: PointSpec["kind"], price: number): PointSpec => ({
  kind,
  shape: "point",
  time: 0,
  everyMs: 0,
  skipEmpty: [price],
  price,
  spacingMs: MINUTE_MS,
});

export const hyperliquidContexts: KnownLayout = {
  name: "hyperliquidContexts",
  pathWord: "ctxs",
  columns: [
    ["time"],
    ["coin"],
    ["funding"],
    ["open_interest"],
    ["prev_day_px"],
    ["day_ntl_vlm"],
    ["premium"],
    ["oracle_px"],
    ["mark_px"],
    ["mid_px"],
    ["impact_bid_px"],
    ["impact_ask_px"],
  ],
  timeColumn: 0,
  needsHeader: true,
  hasManyInstruments: true,
  cells: (_unit, _row, coin) => {
    const cells: ColumnType[] = new Array<ColumnType>(12).fill(skipCell);
    cells[0] = { type: "isoTime", offsetMinutes: 0 };
    cells[COIN] = { type: "where", take: [coin] };
    cells[ORACLE] = sparseCell;
    cells[MARK] = sparseCell;
    return cells;
  },
  streams: [point("index", ORACLE), point("mark", MARK)],
  notes: ["The funding rate is not read: it is a running rate, and settled rates come from a file of funding."],
};
