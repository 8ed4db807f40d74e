/**
 * Reads rows from cells that are already text: the slow, plain way. It serves quoted files, explains why the scanner
 * stopped, and reads what the scanner leaves to it (exponents, ISO times, volumes beyond the limit).
 */
import { LIMIT } from "../../../ground/math/fixed.ts";
import { quote } from "../errors.ts";
import type { ColumnType, Layout, TimeUnit } from "../readers/layout.ts";
import { SERIES_DECIMALS, splitExact } from "./exactDecimal.ts";
import { parseIsoTime } from "./isoTime.ts";
import { parseTextTime } from "./textTime.ts";
import { toDouble } from "./toDouble.ts";

/** A row that cannot be used. */
export interface RowFault {
  readonly kind: "malformed" | "precision" | "rounded" | "unitSwitch" | "nullRow";
  readonly column: string;
  readonly reason: string;
  /** For `precision` and `rounded`: the row with the surplus digits cut, toward zero. */
  readonly truncated?: boolean;
  /** What corrects the file or its mapping. */
  readonly hint?: string;
  /** For `unitSwitch`: the unit of the time. */
  readonly unit?: TimeUnit;
  /** No policy allows it: the row belongs to another market, and is not a bad row of this one. */
  readonly isFatal?: true;
}

interface CellFault {
  readonly isFatal?: true;
  readonly kind: "malformed" | "precision" | "rounded" | "unitSwitch";
  readonly reason: string;
  readonly value?: number;
  readonly hint?: string;
  /** For `unitSwitch`: the unit of the time. */
  readonly unit?: TimeUnit;
}

/** Texts that mean "no value". */
const NULLS = new Set(["", "null", "NULL", "None", "nan", "NaN"]);

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d{1,3}))?$/;
const LIMIT_BIG = BigInt(LIMIT);
/** A size beyond this is no size: 1e22 units of base. */
const WIDE_BIG = 10n ** 30n;
const CELL_MAX = 64;

/** First and one past the last value of a time in each unit: 1973 to 5138. The windows do not overlap. */
export const TIME_WINDOWS: Readonly<Record<TimeUnit, readonly [number, number]>> = {
  s: [1e8, 1e11],
  ms: [1e11, 1e14],
  us: [1e14, 1e17],
  ns: [1e17, 1e20],
};

/**
 * Reads one row.
 *
 * @param values receives one number for each column of the layout
 * @returns the faults of the row: none when it is fine; only `precision` faults when it is usable truncated;
 *          `undefined` if the layout passes the row over, whatever else is in it
 */
export function readCells(layout: Layout, cells: readonly string[], values: Float64Array): RowFault[] | undefined {
  const { columns, where } = layout;
  if (where !== undefined && !isTaken(layout, where, cells)) return undefined;
  if (cells.length !== columns.length) {
    const reason =
      cells.length === 1 && cells[0] === ""
        ? "the line is empty"
        : `${cells.length} columns where the layout ${layout.name} has ${columns.length}`;
    return [{ kind: "malformed", column: "", reason }];
  }
  const nullColumn = findNullColumn(layout, cells);
  if (nullColumn !== undefined) {
    return [{ kind: "nullRow", column: nullColumn, reason: "the row has no values" }];
  }
  const faults: RowFault[] = [];
  let fraction = columns.length;
  for (const [index, { name, cell }] of columns.entries()) {
    const text = cells[index]!.trim();
    const read = cell.type === "exact" ? readExact(cell, text, values, fraction++) : readCell(cell, text, name);
    if (typeof read === "number") {
      values[index] = read;
      continue;
    }
    const { value, ...fault } = read;
    if (value === undefined) return [{ ...fault, column: name }];
    values[index] = value;
    faults.push({ ...fault, column: name, truncated: true });
  }
  return faults;
}

function isTaken({ columns }: Layout, where: readonly number[], cells: readonly string[]): boolean {
  return where.every((index) => {
    const { cell } = columns[index]!;
    const text = cells[index]?.trim();
    return cell.type !== "where" || text === undefined || cell.take.includes(text);
  });
}

/** A row without values: a presence column is empty, or every amount in it is. A trade always has values. */
function findNullColumn({ columns, streams }: Layout, cells: readonly string[]): string | undefined {
  let amounts = 0;
  let empty = 0;
  let first: string | undefined;
  for (const [index, { name, cell }] of columns.entries()) {
    const isNull = NULLS.has(cells[index]!.trim());
    if (cell.type === "presence" && isNull) return name;
    if (cell.type !== "decimal" || cell.optional === true) continue;
    amounts++;
    if (!isNull) continue;
    empty++;
    first ??= name;
  }
  return amounts > 0 && amounts === empty && !streams.some(({ kind }) => kind === "trade") ? first : undefined;
}

function readCell(cell: Exclude<ColumnType, ExactCell>, text: string, name: string): number | CellFault {
  switch (cell.type) {
    case "skip":
    case "presence":
    case "where":
      return 0;
    case "decimal":
      return readDecimal(cell, text);
    case "time":
      return cell.sinceMs === undefined ? readTime(cell.unit, text) : readCount(cell.unit, text, cell.sinceMs);
    case "isoTime": {
      const ms = parseIsoTime(text, cell.offsetMinutes);
      if (ms !== undefined) return ms;
      return { ...malformed(text, 'a date and time such as "2024-01-31T00:00:00Z"'), ...hintForTime(text) };
    }
    case "textTime":
      return (
        parseTextTime(cell.format, text, cell.offsetMinutes) ??
        malformed(text, `a time of the form ${cell.format.text}`)
      );
    case "symbol":
      if (cell.symbol === "") cell.symbol = text;
      if (text === cell.symbol) return 1;
      return {
        kind: "malformed",
        isFatal: true,
        reason: `the file has several symbols: ${quote(cell.symbol)} and ${quote(text)}`,
        hint: `set where: { ${name}: ${text} } in a mapping file, once for each market`,
      };
    case "word": {
      const word = cell.words.find(([known]) => known === text);
      return word === undefined ? malformed(text, `one of ${cell.words.map(([known]) => known).join(", ")}`) : word[1];
    }
  }
}

function malformed(text: string, wanted: string): CellFault {
  return {
    kind: "malformed",
    reason: text === "" ? `empty where ${wanted} is expected` : `${quote(text)} is not ${wanted}`,
  };
}

function readDecimal(cell: Extract<ColumnType, { type: "decimal" }>, text: string): number | CellFault {
  if (cell.optional === true && NULLS.has(text)) return Number.NaN;
  const read = readDigits(cell, text);
  if ("kind" in read) return read;
  // value = digits * 10^-places; then the digits that the scale cannot hold are split off.
  const { sign, digits, places } = read;
  const shift = cell.decimals - places;
  let scaled: bigint;
  let surplus = false;
  if (shift >= 0) {
    scaled = digits === 0n ? 0n : digits * 10n ** BigInt(shift);
  } else {
    const divisor = 10n ** BigInt(-shift);
    scaled = digits / divisor;
    surplus = scaled * divisor !== digits;
  }
  if (sign === "-" && cell.sign !== "any") return { kind: "malformed", reason: `${quote(text)} is negative` };
  if (digits === 0n && cell.sign === "positive") {
    return { kind: "malformed", reason: `${quote(text)} is not above zero` };
  }
  if (scaled > (cell.wide === true ? WIDE_BIG : LIMIT_BIG)) {
    return {
      kind: "malformed",
      reason: `${quote(text)} is larger than the scale of the tape holds`,
      hint: "scale the column in a mapping file (scale: -3 for thousands), or read another column",
    };
  }
  const magnitude = toDouble(scaled);
  const value = sign === "-" && scaled !== 0n ? -magnitude : magnitude;
  if (BigInt(magnitude) !== scaled) {
    return { kind: "rounded", reason: `${quote(text)} has more digits than a double holds`, value };
  }
  if (!surplus) return value;
  const reason = `${quote(text)} has more than ${cell.decimals} digits after the point`;
  if (cell.rounds === true) return { kind: "rounded", reason, value };
  // A positive price must not be truncated to zero.
  if (value === 0 && cell.sign === "positive") {
    return {
      kind: "malformed",
      reason: `${reason} and would become zero`,
      hint: "scale the column in a mapping file: scale: 3 for the price of a thousand units",
    };
  }
  return { kind: "precision", reason, value };
}

type DecimalCell = Extract<ColumnType, { type: "decimal" }>;
type ExactCell = Extract<ColumnType, { type: "exact" }>;
/** What decides how the text of a number is read. */
type NumberForm = Pick<DecimalCell, "exponents" | "comma" | "plusSign" | "percentSign">;

/** value = digits * 10^-places, with a sign. */
interface Digits {
  readonly sign: string;
  readonly digits: bigint;
  readonly places: number;
}

function readDigits(cell: NumberForm, text: string): Digits | CellFault {
  const match = text.length > CELL_MAX ? null : DECIMAL.exec(normalizeDecimal(cell, text));
  if (match === null) {
    const wanted = malformed(text, `a decimal number such as ${cell.comma === true ? '"0,5"' : '"0.5"'} or "60000"`);
    const hint = hintForDecimal(cell, text);
    return hint === undefined ? wanted : { ...wanted, hint };
  }
  const [, sign = "", whole = "", fraction = "", exponent] = match;
  if (exponent !== undefined && cell.exponents !== true) {
    return {
      kind: "malformed",
      reason: `${quote(text)} has an exponent, which the layout does not allow`,
      hint: "set exponents: true in a mapping file, which reads such numbers exactly",
    };
  }
  return { sign, digits: BigInt(whole + fraction), places: fraction.length - Number(exponent ?? 0) };
}

/** Puts the fraction of a value of a series into its place, and returns the whole part. */
function readExact(cell: ExactCell, text: string, values: Float64Array, place: number): number | CellFault {
  values[place] = 0;
  if (cell.optional === true && NULLS.has(text)) return Number.NaN;
  const read = readDigits(cell, text);
  if ("kind" in read) return read;
  const exact = splitExact(read.sign === "-" ? -read.digits : read.digits, read.places);
  if (exact === "range") {
    return {
      kind: "malformed",
      reason: `${quote(text)} is beyond 9e15, the largest value of a series`,
      hint: "scale the column in its source: a value may have 16 digits before the point and 15 after it",
    };
  }
  values[place] = exact.fraction;
  if (!exact.isCut) return exact.whole;
  const reason = `${quote(text)} has more than ${SERIES_DECIMALS} digits after the point`;
  return { kind: "precision", reason, value: exact.whole };
}

/** The number with a point, and without the signs that the cell accepts. */
function normalizeDecimal(cell: NumberForm, text: string): string {
  let number = text;
  if (cell.plusSign === true) number = number.replace(/^\+(?=[\d.])/, "");
  if (cell.percentSign === true) number = number.replace(/ ?%$/, "");
  if (cell.comma !== true) return number;
  return number.includes(".") ? "" : number.replace(",", ".");
}

/** What makes a mapping read a number of another form. */
function hintForDecimal(cell: NumberForm, text: string): string | undefined {
  if (cell.comma !== true && /^[-+]?\d+,\d+$/.test(text)) return 'set decimal: "," in a mapping file';
  if (cell.plusSign !== true && /^\+\d/.test(text)) return "set plusSigns: true in a mapping file";
  if (/^[-+]?[\d.]+ ?%$/.test(text)) return "only a funding rate with unit: percent may have a percent sign";
  return undefined;
}

/** Hint for a mapping whose unit does not read a time. */
function hintForTime(text: string): { readonly hint?: string } {
  if (parseIsoTime(text, 0) !== undefined)
    return { hint: "set unit: iso, and the zone for times without one (zone: UTC)" };
  const unit = TIME.test(text) ? unitOf(Number(text)) : undefined;
  return unit === undefined ? {} : { hint: `set unit: ${unit}` };
}

/** Unit in which a number is a time between 1973 and 5138. */
export function unitOf(time: number): TimeUnit | undefined {
  return (Object.keys(TIME_WINDOWS) as TimeUnit[]).find((unit) => {
    const [from, to] = TIME_WINDOWS[unit];
    return time >= from && time < to;
  });
}

const TIME = /^(\d+)(?:\.(\d+))?$/;
/** Milliseconds after 5138-11-16, the last time of `TIME_WINDOWS`. */
const TIME_MAX = 1e14;

/** A count from a date. */
function readCount(unit: TimeUnit, text: string, sinceMs: number): number | CellFault {
  const match = text.length > CELL_MAX ? null : TIME.exec(text);
  if (match === null) return malformed(text, `a count of ${unit}`);
  const [, whole = "", fraction = ""] = match;
  const ms = toMs(unit, whole, fraction) + sinceMs;
  return ms > 0 && ms < TIME_MAX ? ms : malformed(text, `a count of ${unit} from the date that the times count from`);
}

/** Milliseconds of a count, rounded down. */
function toMs(unit: TimeUnit, whole: string, fraction: string): number {
  const shift = MS_SHIFT[unit];
  return shift >= 0 ? Number(whole + fraction.slice(0, shift).padEnd(shift, "0")) : Number(whole.slice(0, shift));
}

const MS_SHIFT: Readonly<Record<TimeUnit, number>> = { s: 3, ms: 0, us: -3, ns: -6 };

function readTime(unit: TimeUnit, text: string): number | CellFault {
  const match = text.length > CELL_MAX ? null : TIME.exec(text);
  if (match === null) return { ...malformed(text, `a time in ${unit} since 1970`), ...hintForTime(text) };
  const whole = match[1]!.replace(/^0+(?=\d)/, "");
  const approximate = Number(whole);
  const [from, to] = TIME_WINDOWS[unit];
  if (!(approximate >= from && approximate < to)) {
    const other = unitOf(approximate);
    return other === undefined
      ? malformed(text, `a time in ${unit} since 1970`)
      : {
          kind: "unitSwitch",
          reason: `${quote(text)} is a time in ${other}, and this file is in ${unit}`,
          unit: other,
        };
  }
  return toMs(unit, whole, match[2] ?? "");
}
