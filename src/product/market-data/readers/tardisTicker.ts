/**
 * Tardis derivative_ticker: mark and index price; a cell is empty until the venue has stated its value. The funding
 * rate is the running one, and the file does not say at which value it settled: settled rates come from another file.
 */
import { priceCell, skipCell } from "./known.ts";
import type { ColumnType } from "./layout.ts";
import { defineTardis, REST, tardisBase } from "./tardis.ts";

const INDEX = REST + 5;
const MARK = REST + 6;
const sparseCell = { ...priceCell, optional: true } as ColumnType;

export const tardisTicker = defineTardis({
  name: "tardisTicker",
  hasNoAmounts: true,
  columns: [
    ["funding_timestamp"],
    ["funding_rate"],
    ["predicted_funding_rate"],
    ["open_interest"],
    ["last_price"],
    ["index_price"],
    ["mark_price"],
  ],
  cells: [skipCell, skipCell, skipCell, skipCell, skipCell, sparseCell, sparseCell],
  streams: [
    {
      ...tardisBase,
      kind: "index",
      shape: "point",
      price: INDEX,
      skipEmpty: [INDEX],
      spacingMs: 0,
      takesLast: true,
    },
    {
      ...tardisBase,
      kind: "mark",
      shape: "point",
      price: MARK,
      skipEmpty: [MARK],
      spacingMs: 0,
      takesLast: true,
    },
  ],
  notes: [
    "Of several rows within a millisecond the last one is the price.",
    "The funding rate is not read: it is a running rate, and settled rates come from a file of funding.",
  ],
});
