/** Drafts a mapping from the first rows of a file: certain columns, assumptions, and points for a person to check. */
import type { Mapping, MappingStream } from "../mapping/schema.ts";
import type { FindingKind } from "../types.ts";
import { bindBars } from "./bars.ts";
import { draftBook } from "./book.ts";
import { ColumnView } from "./columnView.ts";
import { draftOther } from "./otherStreams.ts";
import { findColumns } from "./roles.ts";
import type { Sample } from "./sample.ts";
import { type FoundTime, findSplitTimes, findTimes } from "./times.ts";

/** A mapping with what is known of its parts. */
export interface Draft {
  readonly mapping: Mapping;
  /** What was assumed, as sentences for reports. */
  readonly notes: readonly string[];
  /** What a person has to check; a draft without any can be read as it is. */
  readonly questions: readonly string[];
}

/** A stream with its assumptions, and its notes on the whole file. */
export interface DraftedStream {
  readonly streams: readonly MappingStream[];
  readonly notes: readonly string[];
  readonly questions: readonly string[];
  readonly allow?: readonly FindingKind[];
}

/** @param name of the mapping, by default of the file */
export function draftMapping(sample: Sample, name: string): Draft {
  const view = new ColumnView(sample);
  const time = draftTime(view);
  const order = isNewestFirst(time.ms) ? "newestFirst" : undefined;
  const { streams, notes, questions, allow } = bindBars(view, time) ?? draftBook(view) ?? draftOther(view, time);
  const symbols = draftSymbols(view);
  const all = [...time.notes, ...notes, ...(order === undefined ? [] : ["The file begins with its newest row."])];
  return {
    mapping: {
      mapping: name,
      ...(sample.json !== undefined
        ? { json: sample.json }
        : { header: sample.hasHeader, ...(sample.hasHeader ? {} : { columns: sample.columns }) }),
      ...(sample.skipLines === 0 ? {} : { skipLines: sample.skipLines }),
      ...(sample.separator === "," ? {} : { separator: sample.separator }),
      ...(view.hasDecimalComma ? { decimal: "," } : {}),
      exponents: true,
      ...(order === undefined ? {} : { order }),
      ...symbols.part,
      time: time.part,
      streams,
      ...(allow === undefined ? {} : { allow }),
      notes: all,
    } as Mapping,
    notes: all,
    questions: [...time.questions, ...questions, ...symbols.questions],
  };
}

/** How the time is read: the part of the mapping, with what was assumed. */
export interface DraftedTime {
  readonly part: Mapping["time"];
  /** The times of the sample; empty where they could not be read. */
  readonly ms: readonly number[];
  /** Columns with the time: one, or two with a time of day. */
  readonly columns: number;
  /** Whether the time of a row is the open or the close of its bar. */
  readonly label: "open" | "close";
  /** Every time counts from 1970 or names its zone. */
  readonly isZoned: boolean;
  readonly notes: readonly string[];
  readonly questions: readonly string[];
}

function draftTime(view: ColumnView): DraftedTime {
  const { names } = view.sample;
  if (names === undefined) {
    const split = findSplitTimes(view.texts(0), view.texts(1));
    if (split.length > 0) return describeTime(view, 0, 1, split, "open");
    return describeTime(view, 0, undefined, findTimes(view.texts(0)), "open");
  }
  const dates = findColumns(names, "time");
  const readings = dates.map((column) => ({ column, found: findTimes(view.texts(column)) }));
  const counted = readings.find(({ found }) => found.length === 1 && found[0]!.unit.length <= 2);
  const clock = findColumns(names, "timeOfDay")[0];
  const date = findColumns(names, "time").find((column) => column !== clock);
  if (counted === undefined && clock !== undefined && date !== undefined) {
    const split = findSplitTimes(view.texts(date), view.texts(clock));
    if (split.length > 0) return describeTime(view, date, clock, split, "open");
  }
  const chosen = counted ?? readings.find(({ found }) => found.length > 0);
  if (chosen !== undefined) return describeTime(view, chosen.column, undefined, chosen.found, "open");
  for (const column of findColumns(names, "closeTime")) {
    const found = findTimes(view.texts(column));
    if (found.length > 0) return describeTime(view, column, undefined, found, "close");
  }
  // A column without a name, as an index is written, or any other whose texts are times.
  const any = names.findIndex((_, column) => findTimes(view.texts(column)).length > 0);
  if (any >= 0) {
    const drafted = describeTime(view, any, undefined, findTimes(view.texts(any)), "open");
    const isIndex = any === 0 && (names[0] === "" || /^unnamed/i.test(names[0]!));
    return isIndex
      ? drafted
      : { ...drafted, questions: [...drafted.questions, `is ${view.label(any)} the time of a row?`] };
  }
  return describeTime(view, dates[0] ?? 0, undefined, [], "open");
}

function describeTime(
  view: ColumnView,
  column: number,
  clock: number | undefined,
  found: readonly FoundTime[],
  label: "open" | "close",
): DraftedTime {
  const [time] = found;
  const where = clock === undefined ? view.label(column) : `${view.label(column)} and ${view.label(clock)}`;
  const [example = ""] = view.texts(column);
  if (time === undefined) {
    const part = toTime({ column: view.ref(column), unit: "text", format: "YYYY-MM-DD HH:mm:ss", zone: "UTC" });
    const question = `the time in ${where} (${JSON.stringify(example)}) is of no known form: state its unit or format`;
    return { part, ms: [], columns: 1, label, isZoned: false, notes: [], questions: [question] };
  }
  const { unit, format, isZoned } = time;
  const isCount = unit !== "iso" && unit !== "text";
  const form = isCount ? `${unit} since 1970` : unit === "iso" ? "ISO 8601" : `of the form ${format}`;
  const zone = isCount ? "" : isZoned ? ", with its zone" : "; it names no zone, and UTC is assumed";
  const forms = found.map((other) => other.format ?? other.unit).join(" or ");
  return {
    part: toTime({
      column: view.ref(column),
      unit,
      ...(format === undefined ? {} : { format }),
      ...(clock === undefined ? {} : { timeColumn: view.ref(clock) }),
      ...(isCount ? {} : { zone: "UTC" }),
    }),
    ms: time.ms,
    columns: clock === undefined ? 1 : 2,
    label,
    isZoned: isCount || isZoned,
    notes: [`The time is ${where}, ${form}${zone}.`],
    questions: found.length === 1 ? [] : [`the time in ${where} may be ${forms}: state the right format`],
  };
}

/** The schema's unions of literals have no static type: the parser of the written mapping checks them. */
function toTime(part: Omit<Mapping["time"], "unit"> & { readonly unit: FoundTime["unit"] }): Mapping["time"] {
  return part as unknown as Mapping["time"];
}

/** True if times fall and never rise. */
function isNewestFirst(ms: readonly number[]): boolean {
  return ms.length > 1 && ms[0]! > ms.at(-1)! && ms.every((time, index) => index === 0 || time <= ms[index - 1]!);
}

/** One symbol needs no entry; of several, one has to be chosen. */
function draftSymbols(view: ColumnView): { part: Partial<Mapping>; questions: string[] } {
  const column = view.find("symbol").find((index) => !/^[-+\d.]*$/.test(view.texts(index)[0] ?? ""));
  if (column === undefined) return { part: {}, questions: [] };
  const symbols = [...new Set(view.texts(column))];
  if (symbols.length < 2) return { part: {}, questions: [] };
  const shown = symbols.slice(0, 5).join(", ");
  return {
    part: { where: { [view.ref(column)]: symbols[0]! } },
    questions: [`${view.label(column)} has several symbols (${shown}): take one, and import the file once for each`],
  };
}
