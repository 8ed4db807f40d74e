const DAY_MS = 86_400_000;

const UNITS = [
  ["d", DAY_MS],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
] as const;

/** A length as mapping files write it; `undefined` if it is no whole number of seconds or longer than a week. */
export function formatDuration(ms: number): string | undefined {
  const unit = UNITS.find(([, length]) => ms % length === 0);
  return unit === undefined || ms > 7 * DAY_MS || ms <= 0 ? undefined : `${ms / unit[1]}${unit[0]}`;
}
