/** Parts that the known layouts share. */
import { PRICE_DECIMALS, SIZE_DECIMALS } from "../../../ground/math/fixed.ts";
import type { FindingKind } from "../types.ts";
import type { ColumnType, LevelColumns, StreamSpec, TimeUnit } from "./layout.ts";

/** How a layout is found: by the names of its columns, and, where several have the same, by a word of the path. */
export interface LayoutHeader {
  readonly name: string;
  /** Names of each column; the first is its own, the others are accepted in a header too. */
  readonly columns: readonly (readonly string[])[];
  /** Columns that some files have after these; they are not read. */
  readonly laterColumns?: readonly string[];
  /** Word of the venue's own paths; by default the name. */
  readonly pathWord?: string;
}

/** Why a file is not read, and what to do instead. */
export interface Refusal {
  readonly reason: string;
  readonly hint: string;
}

/** A layout of a venue, not yet bound to a file: the file decides about its header and the unit of its time. */
export interface KnownLayout extends LayoutHeader {
  /** Column whose digits determine the unit of time. */
  readonly timeColumn: number;
  /**
   * @param row        the first row of the file
   * @param instrument the one to take, of a file with several
   */
  cells(unit: TimeUnit, row: readonly string[], instrument: string): readonly ColumnType[];
  readonly streams: readonly StreamSpec[] | ((row: readonly string[]) => readonly StreamSpec[]);
  /** Sentences that every report made from the file repeats. */
  readonly notes?: readonly string[];
  /** Files of the venue always have a header: rows without one are not considered. */
  readonly needsHeader?: true;
  /** Some files begin with their newest row. */
  readonly mayBeNewestFirst?: true;
  /** Findings that are no errors in files of this layout. */
  readonly allow?: readonly FindingKind[];
  /** Other tables look the same: this layout only where the path or the user names it, `bare` without a header. */
  readonly needsName?: "always" | "bare";
  /** The time may be a date and a time instead of a number. */
  readonly hasDates?: true;
  /** The file has several instruments, and the name of the market chooses one. */
  readonly hasManyInstruments?: true;
  /** Refuses files whose sizes are in another unit, by their first row or their path. */
  refuse?(row: readonly string[], path: string): Refusal | undefined;
}

/** A layout that is known and has nothing that a tape can hold. */
export interface RefusedLayout extends LayoutHeader, Refusal {}

export const skipCell: ColumnType = { type: "skip" };
export const idCell: ColumnType = { type: "decimal", decimals: 0, sign: "nonNegative" };
export const priceCell: ColumnType = { type: "decimal", decimals: PRICE_DECIMALS, sign: "positive" };
export const sizeCell: ColumnType = { type: "decimal", decimals: SIZE_DECIMALS, sign: "positive", wide: true };
/** A volume, which may be zero. */
export const volumeCell: ColumnType = { type: "decimal", decimals: SIZE_DECIMALS, sign: "nonNegative", wide: true };
/** An amount that is checked and not used. */
export const amountCell: ColumnType = volumeCell;
/** Funding rate as a fraction, in parts per billion. */
export const rateCell: ColumnType = { type: "decimal", decimals: 9, sign: "any", rounds: true };
/** A value of a series, which a row may lack. */
export const exactCell: ColumnType = { type: "exact", optional: true };
export const hoursCell: ColumnType = { type: "decimal", decimals: 0, sign: "positive" };

/** `is_buyer_maker` as the side of the taker: a buyer who made was hit by a seller. */
export const buyerIsMakerCell: ColumnType = {
  type: "word",
  words: [
    ["true", -1],
    ["false", 1],
    ["True", -1],
    ["False", 1],
  ],
};

export const timeCell = (unit: TimeUnit): ColumnType => ({ type: "time", unit });

/** A time that files write as a date and a time in UTC, or as a number. */
export const dateCell = (unit: TimeUnit, text: string): ColumnType =>
  /^\d+$/.test(text) ? timeCell(unit) : { type: "isoTime", offsetMinutes: 0 };

/** The symbol of the first row, which every row has. */
export const symbolCell = (symbol: string): ColumnType => ({ type: "symbol", symbol });

/** Price and size of a level; both are empty, or 0, where the side does not have it. */
export const levelPriceCell: ColumnType = { ...priceCell, sign: "nonNegative", optional: true } as ColumnType;
export const levelSizeCell: ColumnType = { ...sizeCell, sign: "nonNegative", optional: true } as ColumnType;

export const levelAt = (price: number, size: number): LevelColumns => ({
  price,
  size: { from: "base", column: size, multiplier: 1 },
});

/** COIN-M contracts of Binance, whose sizes are contracts: by their folder or their symbol in the name. */
const COIN_M = /(^|[\\/])cm[\\/]|[A-Z]USD_(PERP|\d{6})/;

/** Refuses a file of Binance whose sizes are contracts. */
export function refuseCoinM(_row: readonly string[], path: string): Refusal | undefined {
  if (!COIN_M.test(path)) return undefined;
  return {
    reason: "sizes of COIN-M contracts are contracts, in klines too, and the file does not state the value of one",
    hint: "write a mapping file (perplab import --draft-mapping FILE) with size: { column: …, unit: quote, scale: 2 } for contracts of 100 USD, or scale: 1 for 10 USD",
  };
}
