/** Figures of the page as text. */

/** 1057514 is 1,057,514. */
export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** Two decimals; -5.9 is -5.90. */
export function formatUsd(amount: number, decimals = 2): string {
  return amount.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** Quote units as USD. */
export function formatUnits(units: number, decimals = 2): string {
  return formatUsd(units / 1_000_000, decimals);
}

/** 0.9643 is 96.43 %. */
export function formatShare(share: number, decimals = 2): string {
  return `${formatUsd(100 * share, decimals)} %`;
}

/** 2025-10-10 21:00 UTC. */
export function formatTime(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** 2025-10-10. */
export function formatDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

export function formatOf(part: number, whole: number): string {
  return `${formatCount(part)} of ${formatCount(whole)}`;
}
