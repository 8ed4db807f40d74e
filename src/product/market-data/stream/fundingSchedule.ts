/** Settlements are published some time after their instant; this much later is still on schedule. */
const LATE_MS = 60_000;
const HOUR_MS = 3_600_000;

/**
 * What is wrong with a funding time that is not `offset` plus a whole number of intervals since midnight UTC;
 * `undefined` if it is, or is at most a minute later.
 */
export function offSchedule(timeMs: number, intervalMs: number, offsetMs: number): string | undefined {
  const late = (((timeMs - offsetMs) % intervalMs) + intervalMs) % intervalMs;
  if (late <= LATE_MS) return undefined;
  const at = new Date(timeMs).toISOString();
  return (
    `${at} is ${formatLength(late)} after the last settlement of a schedule of ${formatLength(intervalMs)} from ` +
    `${new Date(offsetMs).toISOString().slice(11, 16)} UTC; state the zone of local times, or the venue's offset`
  );
}

function formatLength(ms: number): string {
  const hours = Math.floor(ms / HOUR_MS);
  const minutes = Math.floor((ms % HOUR_MS) / 60_000);
  if (minutes === 0) return `${hours} h`;
  return `${hours > 0 ? `${hours} h ` : ""}${minutes} min`;
}
