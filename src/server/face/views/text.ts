import { formatDecimal } from "../../../ground/math/decimal.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { formatPrice, formatTicks } from "../../../venue/formulas/text.ts";

/** A reference price, null before the first. */
export function priceOrNull(value: number): string | null {
  return value === 0 ? null : formatPrice(value);
}

export function ticksOrNull(rules: MarketParameters, ticks: number): string | null {
  return ticks === 0 ? null : formatTicks(rules, ticks);
}

export { formatTicks as textOfTicks };

/** A size in 1e-8 units of base. */
export function textOfSize(size: number): string {
  return formatDecimal(size, 8);
}

/** A height or time whose 0 means none. */
export function positiveOrNull(value: number): number | null {
  return value > 0 ? value : null;
}

/** Decimals that multiples of a step of 1e-8 need. */
export function decimalsOfStep(step: number): number {
  let decimals = 8;
  for (let rest = step; decimals > 0 && rest % 10 === 0; rest /= 10) decimals--;
  return decimals;
}

/** over / under with so many decimals, rounded up; both positive. */
export function ratioUp(over: bigint, under: bigint, decimals: number): string {
  return formatDecimal((over * 10n ** BigInt(decimals) + under - 1n) / under, decimals);
}

/** over / under with so many decimals, rounded down; both positive. */
export function ratioDown(over: bigint, under: bigint, decimals: number): string {
  return formatDecimal((over * 10n ** BigInt(decimals)) / under, decimals);
}
