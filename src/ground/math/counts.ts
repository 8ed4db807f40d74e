/**
 * A count with its noun: `1 file`, `1,200 files`, `2 sets of rules`.
 *
 * @param plural of a noun that does not take an s at its end
 */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  const digits = `${Math.trunc(count)}`.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${digits} ${count === 1 ? noun : plural}`;
}
