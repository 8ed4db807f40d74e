import type { Row } from "../recorded.ts";
import type { Bar, Entry } from "./entries.ts";

export type Settlement = Row<"funding_time_ms" | "funding_rate">;

const HOUR_MS = 3_600_000;

export interface FundingSum {
  readonly payments: number;
  /** USD that a position of one bitcoin received; negative was paid. */
  readonly received: number;
}

/**
 * Funding of one bitcoin on the side of the last entry, by plain arithmetic: rate times price at every settlement. The
 * price is the last that the bars know then: at the full hour the close before it, some milliseconds later the open
 * after it.
 */
export function sumFunding(
  bars: readonly Bar[],
  settlements: readonly Settlement[],
  entries: readonly Entry[],
): FundingSum {
  const byTime = new Map(bars.map((bar, at) => [Number(bar.open_time_ms), at]));
  let [payments, received, next, side] = [0, 0, 0, 0];
  for (const { funding_time_ms, funding_rate } of settlements) {
    const timeMs = Number(funding_time_ms);
    const hour = Math.floor(timeMs / HOUR_MS) * HOUR_MS;
    // A settlement comes before the orders of its hour.
    while (next < entries.length && entries[next]![0] < hour) side = entries[next++]![1];
    const at = byTime.get(hour);
    if (side === 0 || at === undefined) continue;
    const price = Number(timeMs === hour ? bars[at - 1]!.close : bars[at]!.open);
    received -= side * price * Number(funding_rate);
    payments++;
  }
  return { payments, received };
}
