/** Values of series in a future that has nothing to do with the recorded one. */
import { LIMIT } from "../../../ground/math/fixed.ts";
import { toNearest } from "../../market-data/scan/exactDecimal.ts";
import { type EventChunk, EventKind, type SeriesSummary } from "../../market-data/types.ts";

/** A series as a future takes it. */
export interface FutureSeries {
  readonly market: string;
  readonly name: string;
  /** The last value at the cut, or the first of the data where the cut is before it. */
  readonly base: number;
  /** Greatest amount of a value. */
  readonly scale: number;
  /** Some values are negative, so that others may be. */
  readonly isSigned: boolean;
}

/** A mirrored value without a sign is at most so many times the value at the cut, and at least one over it. */
const MIRROR_MOST = 4;
/** Share of the value at the cut by which an unrelated one without a sign may differ. */
const SPREAD = 0.5;
const UNIT = 1e15;

/**
 * A value in a mirrored future: what rose falls, about the value at the cut.
 *
 * @param value as recorded
 */
export function mirrorValue({ base, isSigned }: FutureSeries, value: number): number {
  if (isSigned || base === 0 || value === 0) return 2 * base - value;
  return Math.min(Math.max(base * (base / value), base / MIRROR_MOST), base * MIRROR_MOST);
}

/**
 * A value that has nothing to do with the recorded one: a signed series takes either sign.
 *
 * @param noise from -1 to 1
 */
export function replaceValue({ base, scale, isSigned }: FutureSeries, noise: number): number {
  return isSigned ? scale * noise : base * (1 + SPREAD * noise);
}

/** Whole part and fraction of a value, as a tape has them. */
export function toParts(value: number): { readonly whole: number; readonly fraction: number } {
  const most = Math.min(Math.max(value, -LIMIT), LIMIT);
  const whole = Math.trunc(most) + 0;
  // Beyond 2^53 of its unit the fraction has zeros at its end.
  const fraction = Math.trunc((most - whole) * UNIT) + 0;
  return { whole, fraction };
}

/** Follows the series of the data up to the cuts. */
export class SeriesSurvey {
  readonly #series: readonly SeriesSummary[];
  readonly #first: (number | undefined)[];
  #last: (number | undefined)[];
  readonly #scale: number[];
  readonly #isSigned: boolean[];

  constructor(series: readonly SeriesSummary[] = []) {
    this.#series = series;
    this.#first = series.map(() => undefined);
    this.#last = series.map(() => undefined);
    this.#scale = series.map(() => 0);
    this.#isSigned = series.map(() => false);
  }

  see({ kind, price, size, id }: EventChunk, row: number): void {
    if (kind[row] !== EventKind.series) return;
    const place = id[row]!;
    const value = toNearest({ whole: price[row]!, fraction: size[row]! });
    this.#first[place] ??= value;
    this.#last[place] = value;
    this.#scale[place] = Math.max(this.#scale[place]!, Math.abs(value));
    if (value < 0) this.#isSigned[place] = true;
  }

  /** The values at a cut, which is where the survey is. */
  mark(): readonly (number | undefined)[] {
    return [...this.#last];
  }

  /** The series as a future takes them, once all data was seen. @param last the values at its cut */
  describe(last: readonly (number | undefined)[]): readonly FutureSeries[] {
    return this.#series.map(({ market, name }, place) => ({
      ...{ market, name, base: last[place] ?? this.#first[place] ?? 0 },
      ...{ scale: this.#scale[place]!, isSigned: this.#isSigned[place]! },
    }));
  }
}
