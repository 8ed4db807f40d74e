import { SweepError } from "../errors.ts";
import { alignExact, type ExactDecimal, formatExact, readExact, roundSignificant, roundTo } from "./exactDecimal.ts";

/** Values that an axis has at most. */
export const VALUES_MOST = 10_000;
/** Significant digits of a value in a geometric range. */
const GEOMETRIC_DIGITS = 12;
/** Digits that the product of a geometric range is carried with. */
const CARRIED_DIGITS = 40;

/** Kind of an axis's values: it decides whether `a..b` is a range. */
export type ValueKind = "number" | "whole" | "text";

/** Commas in parentheses are part of a value, as in `lognormal(20,0.5)`. */
const BETWEEN_VALUES = /,(?![^()]*\))/;
const NUMBER = String.raw`-?\d+(?:\.\d+)?(?:e[+-]?\d+)?`;
const RANGE = new RegExp(`^(${NUMBER})\\.\\.(${NUMBER})(?:([:*])(${NUMBER}))?$`);

/**
 * Reads the values of an axis: a list of single values, of ranges `a..b:step` with both ends, and of geometric ranges
 * `a..b*factor`. Arithmetic is on decimals, exact. Values of a geometric range have 12 significant digits, and are
 * rounded to whole numbers for an axis of whole numbers. A value that comes again is left out.
 *
 * @throws {SweepError} GRID_INVALID, GRID_TOO_LARGE
 */
export function readValues(name: string, text: string, kind: ValueKind): string[] {
  const values = new Set<string>();
  for (const piece of text.split(BETWEEN_VALUES).map((part) => part.trim())) {
    if (piece === "") throw invalid(name, text, "has an empty value", "separate values by single commas");
    for (const value of kind === "text" ? [piece] : readNumbers(name, piece, kind)) values.add(value);
    if (values.size > VALUES_MOST) throw tooMany(name);
  }
  return [...values];
}

function readNumbers(name: string, piece: string, kind: "number" | "whole"): string[] {
  const single = readExact(piece);
  if (single !== undefined) return [formatExact(single)];
  const [, first = "", last = "", mark, by] = RANGE.exec(piece) ?? [];
  const [from, to] = [readExact(first), readExact(last)];
  if (from === undefined || to === undefined) {
    // A choice of words, or a value that its reader refuses.
    if (!piece.includes("..")) return [piece];
    throw invalid(name, piece, "is not a range", "write a..b:step, or a..b*factor, for example 6..48:6");
  }
  const amount = by === undefined ? undefined : readExact(by);
  if (by !== undefined && amount === undefined) throw invalid(name, piece, "is not a range", "write a..b:step");
  const order = alignExact(from, to).digits;
  if (order[0]! > order[1]!)
    throw invalid(name, piece, "ends below its start", `write ${last}..${first}${mark ?? ""}${by ?? ""}`);
  return mark === "*" ? multiply(name, piece, kind, from, to, amount!) : add(name, piece, from, to, amount);
}

function add(
  name: string,
  piece: string,
  from: ExactDecimal,
  to: ExactDecimal,
  step: ExactDecimal | undefined,
): string[] {
  if (step === undefined && /[.e]/.test(piece.replace("..", ""))) {
    throw invalid(name, piece, "has no step", `write ${piece}:0.1, for example`);
  }
  const { digits, scale } = alignExact(from, to, step ?? { digits: 1n, scale: 0 });
  const [start, end, by] = digits as readonly [bigint, bigint, bigint];
  if (by <= 0n)
    throw invalid(name, piece, "has a step that is not positive", "write the smaller end first, and a positive step");
  if ((end - start) / by >= BigInt(VALUES_MOST)) throw tooMany(name);
  const values: string[] = [];
  for (let at = start; at <= end; at += by) values.push(formatExact({ digits: at, scale }));
  return values;
}

function multiply(
  name: string,
  piece: string,
  kind: "number" | "whole",
  from: ExactDecimal,
  to: ExactDecimal,
  factor: ExactDecimal,
): string[] {
  const [by, one] = alignExact(factor, { digits: 1n, scale: 0 }).digits as readonly [bigint, bigint];
  if (from.digits <= 0n)
    throw invalid(name, piece, "does not start above 0", "a geometric range is multiplied up from its start");
  if (by <= one) throw invalid(name, piece, "has a factor that is not above 1", "write a..b*2, for example");
  const values = new Set<string>();
  let at = from;
  for (let count = 0; ; count++) {
    const [reached, end] = alignExact(at, to).digits as readonly [bigint, bigint];
    if (reached > end) return [...values];
    if (count >= VALUES_MOST) throw tooMany(name);
    const shown = roundSignificant(at, GEOMETRIC_DIGITS);
    values.add(formatExact(kind === "whole" ? roundTo(shown, 0) : shown));
    at = roundSignificant({ digits: at.digits * factor.digits, scale: at.scale + factor.scale }, CARRIED_DIGITS);
  }
}

function invalid(name: string, text: string, fault: string, hint: string): SweepError {
  return new SweepError("GRID_INVALID", `${name}: ${JSON.stringify(text)} ${fault}`, { place: name, hint });
}

function tooMany(name: string): SweepError {
  return new SweepError("GRID_TOO_LARGE", `${name} has more than ${VALUES_MOST} values`, {
    place: name,
    hint: "take a larger step, or a geometric range a..b*factor",
  });
}
