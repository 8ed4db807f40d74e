/** Numbers for people: grouped thousands, fixed digits, no locale. */
import { groupDigits } from "../../../ground/math/counts.ts";

/** Puts commas between thousands of canonical or fixed decimal text. */
export function groupThousands(text: string): string {
  const [whole = "", fraction] = text.split(".");
  return fraction === undefined ? groupDigits(whole) : `${groupDigits(whole)}.${fraction}`;
}

/** Decimal text with exactly `digits` after the point, half away from zero, e.g. "1234.565" -> "1,234.57". */
export function formatFixed(text: string, digits: number): string {
  const negative = text.startsWith("-");
  const [whole = "0", fraction = ""] = (negative ? text.slice(1) : text).split(".");
  const kept = fraction.slice(0, digits).padEnd(digits, "0");
  const up = (fraction.charCodeAt(digits) || 48) >= 53 ? 1n : 0n;
  const scaled = (BigInt(whole + kept) + up).toString().padStart(digits + 1, "0");
  const cut = scaled.length - digits;
  const body = digits === 0 ? scaled : `${scaled.slice(0, cut)}.${scaled.slice(cut)}`;
  return `${negative && /[1-9]/.test(body) ? "-" : ""}${groupThousands(body)}`;
}

/** Decimal text in USD as "1,234.57". */
export function formatUsd(text: string): string {
  return formatFixed(text, 2);
}

/** As `formatUsd`, with "+" before a gain. */
export function formatSignedUsd(text: string): string {
  const shown = formatUsd(text);
  return /[1-9]/.test(shown) && !shown.startsWith("-") ? `+${shown}` : shown;
}

/** A fraction as a percentage with two digits, e.g. 0.1234 -> "12.34 %". */
export function formatPercent(value: number, digits = 2): string {
  return `${formatNumber(value * 100, digits)} %`;
}

/** As `formatPercent`, with "+" before a gain. */
export function formatSignedPercent(value: number): string {
  const shown = formatPercent(value);
  return value > 0 && /[1-9]/.test(shown) ? `+${shown}` : shown;
}

/** A number with `digits` after the point; beyond 1e15 in exponent form. */
export function formatNumber(value: number, digits: number): string {
  if (!(Math.abs(value) < 1e15)) return String(value);
  const text = value.toFixed(digits);
  return groupThousands(/[1-9]/.test(text) ? text : text.replace("-", ""));
}

/** Bytes as "142 MiB". */
export function formatBytes(bytes: number): string {
  const mebibytes = bytes / 1_048_576;
  return mebibytes >= 1_024 ? `${formatNumber(mebibytes / 1_024, 2)} GiB` : `${formatNumber(mebibytes, 0)} MiB`;
}

/** The negative of canonical decimal text. */
export function negate(text: string): string {
  if (text === "0") return text;
  return text.startsWith("-") ? text.slice(1) : `-${text}`;
}
