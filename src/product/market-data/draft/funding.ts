/** Drafts settled funding rates: certain where the unit, the zone and the interval all show in the rows. */
import { formatDuration } from "../durations.ts";
import type { MappingStream } from "../mapping/schema.ts";
import { type ColumnView, medianOf } from "./columnView.ts";
import type { DraftedStream, DraftedTime } from "./draftMapping.ts";
import { mostFrequent } from "./sample.ts";
import { stepsOf } from "./times.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Half of the rates of a market are below this in eight hours, as a fraction; in percent they are above it. */
const USUAL_MOST = 0.002;

/** Settlements come some milliseconds late: the distance to the nearest minute, or of shorter ones as it is. */
export function toMinutes(ms: number): number {
  return ms < MINUTE_MS ? ms : Math.round(ms / MINUTE_MS) * MINUTE_MS;
}

export function draftFunding(view: ColumnView, time: DraftedTime, rate: number): DraftedStream {
  const steps = stepsOf(time.ms).map(toMinutes);
  const intervalMs = mostFrequent(steps) ?? 0;
  const interval = formatDuration(intervalMs) ?? "8h";
  const stream = { kind: "funding", rate: { column: view.ref(rate), unit: "fraction" }, interval } as MappingStream;
  if (time.isZoned && isRegular(steps, intervalMs) && isFraction(view, rate, intervalMs)) {
    const note = `The rate is ${view.label(rate)}, a fraction that settles every ${interval}, the distance of the rows.`;
    return { streams: [stream], notes: [note], questions: [] };
  }
  const question = `is ${view.label(rate)} a fraction, percent or bps, and settled every ${interval}?`;
  return { streams: [stream], notes: [], questions: [question] };
}

/** Nearly all rows have one distance, whole hours of which a day is a multiple. */
function isRegular(steps: readonly number[], intervalMs: number): boolean {
  const equal = steps.filter((step) => step === intervalMs).length;
  const isOfDay = intervalMs > 0 && intervalMs % HOUR_MS === 0 && DAY_MS % intervalMs === 0;
  return isOfDay && equal > 1 && equal >= steps.length * 0.9;
}

function isFraction(view: ColumnView, rate: number, intervalMs: number): boolean {
  if (/percent|pct|bps|%/i.test(view.label(rate))) return false;
  const sizes = view.numbers(rate)!.map(Math.abs);
  return medianOf(sizes) * ((8 * HOUR_MS) / intervalMs) <= USUAL_MOST;
}
