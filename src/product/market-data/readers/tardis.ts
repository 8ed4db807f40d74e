/** Parts that the CSV files of Tardis share: four columns at the beginning, times, and the units of venues. */
import { type KnownLayout, type Refusal, symbolCell, timeCell } from "./known.ts";
import type { ColumnType, TimeUnit } from "./layout.ts";

/** Columns at the beginning of every file. */
export const TARDIS_COLUMNS = [["exchange"], ["symbol"], ["timestamp"], ["local_timestamp"]] as const;
export const LOCAL_TIME = 3;
/** Place of the first column after them. */
export const REST = 4;

const CLOCK_NOTE =
  "The time of a row is local_timestamp, when the recorder received it: files are in its order, and trades, books and quotes have one clock.";
const AMOUNT_NOTE = "Amounts are read as base units.";

/** Venues whose amounts are contracts in all of their files. */
const CONTRACT_VENUES =
  /^(bitmex|binance-delivery|okex-(swap|futures)|huobi-dm(-swap|-linear-swap)?|gate-io-futures|kucoin-futures|cryptofacilities)$/;
/** Venues whose amounts are in USD for symbols that are margined in the coin. */
const INVERSE_SYMBOLS: Readonly<Record<string, RegExp>> = {
  bybit: /USD([FGHJKMNQUVXZ]\d\d)?$/,
  deribit: /^[A-Z]+-(PERPETUAL|\d{1,2}[A-Z]{3}\d\d)$/,
};

/** Refuses amounts that are no base units. */
function refuseAmounts([exchange = "", symbol = ""]: readonly string[]): Refusal | undefined {
  const draft = "write a mapping file (perplab import --draft-mapping FILE) with the size as";
  if (CONTRACT_VENUES.test(exchange)) {
    const multiplier = 'unit: contracts, multiplier: "0.01" }, the base units of a contract of yours';
    return { reason: `amounts of ${exchange} are contracts`, hint: `${draft} { column: amount, ${multiplier}` };
  }
  if (INVERSE_SYMBOLS[exchange]?.test(symbol) !== true) return undefined;
  return {
    reason: `amounts of ${symbol} on ${exchange} are in USD`,
    hint: `${draft} { column: amount, unit: quote }`,
  };
}

type Rest = Pick<KnownLayout, "name" | "columns" | "streams" | "pathWord" | "notes"> & {
  readonly cells: readonly ColumnType[] | ((row: readonly string[]) => readonly ColumnType[]);
  /** The file has prices without amounts. */
  readonly hasNoAmounts?: true;
};

/** A layout of Tardis by its columns after the first four. */
export function defineTardis({ columns, cells, notes = [], hasNoAmounts, ...rest }: Rest): KnownLayout {
  return {
    ...rest,
    columns: [...TARDIS_COLUMNS, ...columns],
    timeColumn: LOCAL_TIME,
    needsHeader: true,
    cells: (unit: TimeUnit, row) => [
      symbolCell(row[0] ?? ""),
      symbolCell(row[1] ?? ""),
      { type: "skip" },
      timeCell(unit),
      ...(typeof cells === "function" ? cells(row) : cells),
    ],
    notes: [CLOCK_NOTE, ...(hasNoAmounts ? [] : [AMOUNT_NOTE]), ...notes],
    ...(hasNoAmounts ? {} : { refuse: refuseAmounts }),
  };
}

/** Part of every stream: its time. */
export const tardisBase = { time: LOCAL_TIME, everyMs: 0, skipEmpty: [] } as const;
