/** OKX trades. Sizes of spot are base units, those of swaps and futures contracts, whose value no file states. */
import { idCell, type KnownLayout, priceCell, type Refusal, sizeCell, symbolCell, timeCell } from "./known.ts";
import type { ColumnType } from "./layout.ts";

const sideCell: ColumnType = {
  type: "word",
  words: [
    ["buy", 1],
    ["sell", -1],
    ["BUY", 1],
    ["SELL", -1],
  ],
};

const CONTRACTS = /-(SWAP|\d{6})$/;

export const okxTrades: KnownLayout = {
  name: "okxTrades",
  columns: [["instrument_name"], ["trade_id"], ["side"], ["price"], ["size"], ["created_time"]],
  laterColumns: ["source"],
  timeColumn: 5,
  needsHeader: true,
  cells: (unit, row) => [symbolCell(row[0] ?? ""), idCell, sideCell, priceCell, sizeCell, timeCell(unit)],
  streams: [
    {
      kind: "trade",
      shape: "trade",
      time: 5,
      everyMs: 0,
      skipEmpty: [],
      price: 3,
      size: { from: "base", column: 4, multiplier: 1 },
      side: 2,
      id: 1,
      ids: "unique",
    },
  ],
  refuse([instrument = ""]) {
    return refuseContracts(
      instrument,
      "write a mapping file (perplab import --draft-mapping FILE) with " +
        'size: { column: size, unit: contracts, multiplier: "0.01" }, the contract value (ctVal) of the instrument',
    );
  },
};

/** Refuses an instrument whose sizes are contracts. */
export function refuseContracts(instrument: string, hint: string): Refusal | undefined {
  if (!CONTRACTS.test(instrument)) return undefined;
  return { reason: `sizes of ${instrument} are contracts, and the file does not state the value of one`, hint };
}
