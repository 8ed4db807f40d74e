import type { EventValue } from "./eventValues.ts";

/** Words of 32 bits in a row are one address, or one id. */
const JOINED = [
  { name: "address", parts: ["w0", "w1", "w2", "w3", "w4"] },
  { name: "agent", parts: ["a0", "a1", "a2", "a3", "a4"] },
  { name: "authorizationId", parts: ["i0", "i1", "i2", "i3", "i4", "i5", "i6", "i7"] },
] as const;

/** Joins the words of addresses and ids into one field each; changes what it is given. */
export function joinWords(fields: Record<string, EventValue>): Record<string, EventValue> {
  for (const { name, parts } of JOINED) {
    if (!Object.hasOwn(fields, parts[0])) continue;
    fields[name] = `0x${parts.map((part) => String(fields[part]).slice(2)).join("")}`;
    for (const part of parts) delete fields[part];
  }
  return fields;
}
