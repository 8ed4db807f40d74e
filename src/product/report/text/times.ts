/** Times for people, always UTC. */

/** "2020-03-12". */
export function formatDate(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

/** "2020-03-12 10:45", with seconds or milliseconds only when they are not zero. */
export function formatTime(timeMs: number): string {
  const iso = new Date(timeMs).toISOString();
  const end = timeMs % 60_000 === 0 ? 16 : timeMs % 1_000 === 0 ? 19 : 23;
  return `${iso.slice(0, 10)} ${iso.slice(11, end)}`;
}

/** The two largest units, e.g. "98 d 22 h", "3 h 5 min", "12.5 s", "250 ms". */
export function formatDuration(ms: number): string {
  if (ms < 0) return `-${formatDuration(-ms)}`;
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 60_000) return `${Number((ms / 1_000).toFixed(1))} s`;
  const minutes = Math.round(ms / 60_000);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return join(hours, "h", minutes % 60, "min");
  const totalHours = Math.round(ms / 3_600_000);
  return join(Math.floor(totalHours / 24), "d", totalHours % 24, "h");
}

function join(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}
