import type { ChartBar } from "./chart.ts";

const HOUR_MS = 3_600_000;
const BIN_STEPS = [1, 2, 4, 8, 24, 48, 24 * 7, 24 * 14, 24 * 28, 24 * 91].map((hours) => hours * HOUR_MS);

/** Increases of a running sum in bins of equal length: exact at every kept point, so no payment is lost. */
export function computeBins(
  times: readonly number[],
  sums: readonly number[],
  fromMs: number,
  toMs: number,
  binsMax: number,
): { readonly bins: ChartBar[]; readonly stepMs: number } {
  const stepMs = BIN_STEPS.find((step) => (toMs - fromMs) / step <= binsMax) ?? Math.ceil((toMs - fromMs) / binsMax);
  const bins: ChartBar[] = [];
  const firstMs = Math.floor(fromMs / stepMs) * stepMs;
  let row = 0;
  let before = 0;
  while (row < times.length && times[row]! < fromMs) before = sums[row++]!;
  for (let start = firstMs; start < toMs; start += stepMs) {
    let after = before;
    while (row < times.length && times[row]! <= start + stepMs) after = sums[row++]!;
    bins.push({ fromMs: Math.max(start, fromMs), toMs: Math.min(start + stepMs, toMs), value: after - before });
    before = after;
  }
  return { bins, stepMs };
}
