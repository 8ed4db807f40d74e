import { formatDecimal } from "../../../ground/math/decimal.ts";
import { AMOUNT_DECIMALS } from "../../../ground/math/fixed.ts";
import type { EventValue } from "./eventValues.ts";

/** Words of 32 bits in a row are one address, or one id. */
const JOINED = [
  { name: "address", parts: ["w0", "w1", "w2", "w3", "w4"] },
  { name: "agent", parts: ["a0", "a1", "a2", "a3", "a4"] },
  { name: "authorizationId", parts: ["i0", "i1", "i2", "i3", "i4", "i5", "i6", "i7"] },
] as const;

/**
 * Numbers of 64 bits in two halves: the amount that a cap counts from, and cumulative funding indices, 1e-9 quote units
 * per lot.
 */
const HALVES = [
  { name: "base", decimals: AMOUNT_DECIMALS },
  { name: "funding", decimals: 0 },
  { name: "index", decimals: 0 },
] as const;

/** Joins the words of addresses and ids, and the halves of numbers, into one field each; changes what it is given. */
export function joinWords(fields: Record<string, EventValue>): Record<string, EventValue> {
  for (const { name, parts } of JOINED) {
    if (!Object.hasOwn(fields, parts[0])) continue;
    fields[name] = `0x${parts.map((part) => String(fields[part]).slice(2)).join("")}`;
    for (const part of parts) delete fields[part];
  }
  for (const { name, decimals } of HALVES) {
    const { [`${name}High`]: high, [`${name}Low`]: low } = fields;
    if (typeof high !== "number" || typeof low !== "number") continue;
    fields[name] = formatDecimal((BigInt(high) << 32n) + BigInt(low), decimals);
    delete fields[`${name}High`];
    delete fields[`${name}Low`];
  }
  return fields;
}
