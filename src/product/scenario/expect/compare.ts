import { type Cell, entriesOf, getText, textOf } from "../parse/cell.ts";
import { count, decimal, either, flag, key, map, type Shape, text } from "../shape/shape.ts";
import type { Moment } from "./expectation.ts";

/** A number that is expected: exact text, or a bound or a tolerance that says so. */
export const numberShape: Shape = either(
  decimal,
  count,
  text("none", /^none$/),
  map({
    approx: key(decimal, "About this much; needs `within`."),
    within: key(decimal, "Greatest difference from `approx`."),
    why: key(text(), "Why a tolerance is right here."),
    atLeast: key(decimal, "This much or more."),
    atMost: key(decimal, "This much or less."),
    above: key(decimal, "More than this."),
    below: key(decimal, "Less than this."),
    change: key(decimal, "This much more than before the block, less where negative; may have `within`."),
  }),
);

/** A number, word, flag or label that is expected of a field. */
export const valueShape: Shape = either(numberShape, flag, text());

const SCALE = 18;

/** Exact value of decimal text, in 1e-18; undefined for other text. */
export function toExact(text: string): bigint | undefined {
  const match = /^(-?)([0-9]+)(?:\.([0-9]{1,18}))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = "0", fraction = ""] = match;
  const value = BigInt(whole + fraction.padEnd(SCALE, "0"));
  return sign === "-" ? -value : value;
}

/** Whether a cell, or a part of it, expects a change. */
export function hasChange(cell: Cell): boolean {
  if (cell.kind === "list") return cell.items.some(hasChange);
  return cell.kind === "map" && cell.entries.some(({ key: name, value }) => name === "change" || hasChange(value));
}

/** Why an observed text is not what a cell expects; undefined where it is. */
export function differs(
  moment: Pick<Moment, "idOf" | "before" | "record">,
  cell: Cell,
  observed: string,
  unit = "",
): string | undefined {
  moment.record?.(cell, observed);
  if (cell.kind === "map") {
    const change = getText(cell, "change");
    const wrong = change === undefined ? undefined : differsInChange(moment.before?.get(cell), change, cell, observed);
    return wrong ?? differsInBounds(cell, observed);
  }
  const wanted = textOf(cell) ?? "";
  if (wanted.startsWith("$")) {
    const id = moment.idOf(wanted, unit);
    return id === observed ? undefined : `${wanted}${id === undefined ? "" : ` (${id})`}`;
  }
  return wanted === observed ? undefined : wanted;
}

function differsInChange(before: string | undefined, change: string, cell: Cell, observed: string): string | undefined {
  const [from, to, wanted] = [toExact(before ?? ""), toExact(observed), toExact(change)];
  if (from === undefined) return `a change of ${change} from a number, which there was not before the block`;
  const within = toExact(getText(cell, "within") ?? "") ?? 0n;
  const off = to === undefined || wanted === undefined ? undefined : to - from - wanted;
  if (off !== undefined && off <= within && -off <= within) return undefined;
  return `a change of ${change} from ${before}`;
}

function differsInBounds(cell: Cell, observed: string): string | undefined {
  const value = toExact(observed);
  const wanted = entriesOf(cell)
    .filter((entry) => entry.key !== "why")
    .map((entry) => `${entry.key} ${textOf(entry.value)}`)
    .join(", ");
  if (value === undefined) return wanted;
  const bound = (name: string) => toExact(getText(cell, name) ?? "");
  const approx = bound("approx");
  const within = bound("within") ?? 0n;
  const atLeast = bound("atLeast");
  const atMost = bound("atMost");
  const above = bound("above");
  const below = bound("below");
  const holds =
    (approx === undefined || (value - approx <= within && approx - value <= within)) &&
    (atLeast === undefined || value >= atLeast) &&
    (atMost === undefined || value <= atMost) &&
    (above === undefined || value > above) &&
    (below === undefined || value < below);
  return holds ? undefined : wanted;
}

/**
 * Compares named values with the observed ones, lazily: only values that a file expects are read.
 *
 * @param what owner of the values, for messages
 */
export function compareValues(
  moment: Moment,
  what: string,
  cell: Cell,
  observe: Readonly<Record<string, () => string>>,
): void {
  for (const { key: name, value } of entriesOf(cell)) {
    const read = observe[name];
    if (read === undefined) continue;
    const observed = read();
    const expected = differs(moment, value, observed, name);
    if (expected !== undefined) moment.fail({ place: value.place, what: `${what} ${name}`, expected, observed });
  }
}
