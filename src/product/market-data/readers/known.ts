/** What the known layouts share. */
import { PRICE_DECIMALS, SIZE_DECIMALS } from "../../../ground/math/fixed.ts";
import type { ColumnType, StreamSpec, TimeUnit } from "./layout.ts";

/** A layout of a venue, not yet bound to a file: the file decides about its header and the unit of its time. */
export interface KnownLayout {
  readonly name: string;
  /** Names of each column; the first is its own, the others are accepted in a header too. */
  readonly columns: readonly (readonly string[])[];
  /** Column whose digits determine the unit of time. */
  readonly timeColumn: number;
  cells(unit: TimeUnit): readonly ColumnType[];
  readonly streams: readonly StreamSpec[];
}

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
