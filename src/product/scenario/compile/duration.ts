const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export const DURATION = /^([0-9]{1,9})(ms|s|m|h|d)$/;
export const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/;

/** Milliseconds of `30s`, `5m`, `250ms`, `8h`, `1d`; undefined for other text. */
export function parseDuration(text: string): number | undefined {
  const [, digits, unit] = DURATION.exec(text) ?? [];
  return digits === undefined || unit === undefined ? undefined : Number(digits) * UNITS[unit]!;
}

/** Milliseconds since 1970 of `2024-01-01T00:00:00Z`; undefined for other text. */
export function parseInstant(text: string): number | undefined {
  if (!INSTANT.test(text)) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

/** A duration as it is written: the largest unit that is whole. */
export function formatDuration(ms: number): string {
  for (const unit of ["d", "h", "m", "s"])
    if (ms >= UNITS[unit]! && ms % UNITS[unit]! === 0) return `${ms / UNITS[unit]!}${unit}`;
  return `${ms}ms`;
}
