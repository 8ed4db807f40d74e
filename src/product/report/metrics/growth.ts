import type { DrawdownSpan } from "../input.ts";
import type { Outcome } from "./dailyReturns.ts";
import { DAYS_MIN, YEAR_MS } from "./definitions.ts";

/** final / initial - 1. */
export function computeTotalReturn(initial: number, final: number): number {
  return (final - initial) / initial;
}

/** Compound annual growth rate over `durationMs`; equity in any one unit, both positive. */
export function computeCagr(initial: number, final: number, durationMs: number): Outcome {
  if (durationMs < DAYS_MIN * 86_400_000) return { reason: "tooFewDays" };
  if (initial <= 0 || final <= 0) return { reason: "equityNotPositive" };
  return { value: (final / initial) ** (YEAR_MS / durationMs) - 1 };
}

/** (peak - trough) / peak; 0 without a drawdown. */
export function computeDrawdown(span: DrawdownSpan | null): number {
  return span === null ? 0 : (span.peak - span.trough) / span.peak;
}

/** CAGR over maximum drawdown. */
export function computeCalmar(cagr: Outcome, maxDrawdown: number): Outcome {
  if ("reason" in cagr) return cagr;
  if (maxDrawdown <= 0) return { reason: "noDrawdown" };
  return { value: cagr.value / maxDrawdown };
}
