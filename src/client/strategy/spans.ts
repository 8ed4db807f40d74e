/** Spans of time as a strategy writes them, and the instants at which they begin. */

/** Whole milliseconds, or a text: `500ms`, `30s`, `15m`, `4h`, `1d`, `1w`. */
export type Span = number | string;

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const DAY_MS = UNITS["d"]!;
const WEEK_MS = UNITS["w"]!;
/** 1970-01-05 was the first Monday. */
const MONDAY_MS = 4 * DAY_MS;

/** Length of a span, ms; undefined for a text or number that is no span of at least 1 ms. */
export function parseSpan(span: Span): number | undefined {
  const [, count, unit] = /^([0-9]{1,15})(ms|s|m|h|d|w)$/.exec(String(span)) ?? [];
  const ms = typeof span === "number" ? span : Number(count) * UNITS[unit ?? ""]!;
  return Number.isSafeInteger(ms) && ms >= 1 ? ms : undefined;
}

/**
 * The last instant at or before a time at which a span of its kind begins: whole multiples since 1970 UTC. Hours and
 * days are those of the clock; spans of whole weeks begin on Mondays.
 */
export function startOfSpan(timeMs: number, spanMs: number): number {
  const from = spanMs % WEEK_MS === 0 ? MONDAY_MS : 0;
  return Math.floor((timeMs - from) / spanMs) * spanMs + from;
}

/** Whether spans of a length follow one another through every day, or every week, in the same way. */
export function isOnClock(spanMs: number): boolean {
  return DAY_MS % spanMs === 0 || spanMs === WEEK_MS;
}
