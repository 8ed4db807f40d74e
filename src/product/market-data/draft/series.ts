/** Drafts a table of other numbers, such as open interest: series, which strategies read by name. */
import { formatDuration } from "../durations.ts";
import type { MappingStream } from "../mapping/schema.ts";
import type { ColumnView } from "./columnView.ts";
import type { DraftedStream, DraftedTime } from "./draftMapping.ts";
import { toMinutes } from "./funding.ts";
import { normalizeName } from "./roles.ts";
import { mostFrequent } from "./sample.ts";
import { stepsOf } from "./times.ts";

/** Series of one mapping at most. */
const SERIES_MOST = 64;
const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/** Undefined if no named column but those of the time has numbers. */
export function draftSeries(view: ColumnView, time: DraftedTime): DraftedStream | undefined {
  const { names } = view.sample;
  if (names === undefined || time.ms.length === 0) return undefined;
  const taken = new Set([time.part.column, time.part.timeColumn]);
  const others = new Set((["time", "closeTime", "id"] as const).flatMap((role) => view.find(role)));
  const values: Record<string, string | number> = {};
  let hasEmpty = false;
  for (const [column, name] of names.entries()) {
    const numbers = others.has(column) || taken.has(view.ref(column)) ? undefined : view.numbers(column);
    const own = NAME.test(name) ? name : normalizeName(name);
    if (numbers === undefined || !NAME.test(own) || Object.hasOwn(values, own)) continue;
    values[own] = view.ref(column);
    hasEmpty ||= numbers.some((value) => Number.isNaN(value));
    if (Object.keys(values).length === SERIES_MOST) break;
  }
  if (Object.keys(values).length === 0) return undefined;
  const spacing = formatDuration(mostFrequent(stepsOf(time.ms).map(toMinutes)) ?? 0);
  const delay = spacing ?? "0s";
  const stream = {
    kind: "series",
    values,
    delay,
    ...(spacing === undefined ? {} : { spacing }),
    ...(hasEmpty ? { skipEmpty: true } : {}),
  } as MappingStream;
  return {
    streams: [stream],
    notes: ["The columns of numbers are series, which strategies read by name."],
    questions: [`a row counts as known ${delay} after its time: state the delay of this file`],
  };
}
