import { formatAmount, formatLots, formatPrice } from "../../engine/formulas/text.ts";
import type { MarketParameters } from "../../protocol/parameters.ts";
import type { RejectionNumbers } from "../../protocol/rejections.ts";

/** Numbers that are amounts of collateral whatever the code. */
const AMOUNTS: ReadonlySet<string> = new Set([
  "equity",
  "required",
  "amount",
  "free",
  "value",
  "notional",
  "collateral",
]);
/** Reference prices. */
const PRICES: ReadonlySet<string> = new Set(["index", "mark", "oracle"]);
/** Bounds are in the unit of what they bound. */
const BOUNDED: Readonly<Record<string, "amount" | "lots">> = {
  NOTIONAL_TOO_SMALL: "amount",
  SIZE_TOO_SMALL: "lots",
  SIZE_TOO_LARGE: "lots",
  OUTFLOW_LIMIT: "amount",
};

/** The numbers of a rejection in the units of traders, by name; what has no unit stays as it is. */
export function numberTexts(
  code: string,
  numbers: RejectionNumbers,
  rules: MarketParameters | undefined,
): Record<string, string> {
  return Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, textOf(code, name, value, rules)]));
}

function textOf(code: string, name: string, value: number | string, rules: MarketParameters | undefined): string {
  if (typeof value === "string") return value;
  const isBound = name === "least" || name === "most" || name === "limit";
  const kind = AMOUNTS.has(name) ? "amount" : name === "lots" ? "lots" : isBound ? BOUNDED[code] : undefined;
  if (!Number.isSafeInteger(value)) return `${value}`;
  if (kind === "amount") return `${formatAmount(value)} USD`;
  if (kind === "lots" && rules !== undefined) return formatLots(rules, value);
  if (PRICES.has(name)) return formatPrice(value);
  if ((name === "price" || name === "best") && code !== "OFF_TICK" && rules !== undefined) {
    return formatPrice(value * rules.tickSize);
  }
  if (name === "price" || name === "tickSize" || name === "lotSize" || name === "size") return formatPrice(value);
  return `${value}`;
}
