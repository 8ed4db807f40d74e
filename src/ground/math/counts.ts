/** Digits with commas between thousands, `1234567` as `1,234,567`; a sign in front stays. */
export function groupDigits(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A whole number with commas between thousands; a fraction is cut toward zero. */
export function formatCount(count: number): string {
  return groupDigits(`${Math.trunc(count)}`);
}

/**
 * A count with its noun: `1 file`, `1,200 files`, `2 sets of rules`.
 *
 * @param plural of a noun that does not take an s at its end
 */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}
