import { countOf, formatCount } from "../ground/math/counts.ts";
import type { ImportProgress } from "../product/market-data/types.ts";
import type { Terminal } from "./terminal.ts";

/** Below this a rate says nothing. */
const SECONDS_LEAST = 0.5;

/**
 * The note next to the progress of reading files: rows, rows a second, and the time left. A terminal's bar shows the
 * time left itself.
 *
 * @param now milliseconds of a clock that never goes back
 */
export function createReadingPace(
  { interactive }: Pick<Terminal, "interactive">,
  now: () => number = () => performance.now(),
): (progress: ImportProgress) => string {
  const start = now();
  return ({ bytesDone, bytesTotal, rows }) => {
    const seconds = (now() - start) / 1000;
    const read = countOf(rows, "row");
    if (seconds < SECONDS_LEAST || bytesDone === 0) return read;
    const rate = `${read}, ${formatCount(Math.round(rows / seconds))} rows/s`;
    if (interactive) return rate;
    return `${rate}, ${formatLeft((seconds * Math.max(0, bytesTotal - bytesDone)) / bytesDone)} left`;
  };
}

function formatLeft(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
