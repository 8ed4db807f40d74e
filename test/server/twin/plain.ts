/** Whole numbers as decimal text, and back, in the plainest way. */

/** `value` units of 10^-decimals. */
export function textOf(value: bigint | number, decimals: number): string {
  const whole = BigInt(value);
  const digits = String(whole < 0n ? -whole : whole).padStart(decimals + 1, "0");
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  const text = digits.slice(0, digits.length - decimals) + (fraction === "" ? "" : `.${fraction}`);
  return whole < 0n ? `-${text}` : text;
}

/** The number that a text is, in units of 10^-decimals. */
export function numberOf(text: string, decimals: number): bigint {
  const [, sign, whole = "0", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)!;
  const value = BigInt(whole + fraction.padEnd(decimals, "0"));
  return sign === "-" ? -value : value;
}

export const amountText = (value: bigint | number): string => textOf(value, 6);
export const priceText = (value: bigint | number): string => textOf(value, 8);
export const rateText = (value: bigint | number): string => textOf(value, 9);

export function floorOf(over: bigint, under: bigint): bigint {
  const quotient = over / under;
  return over < 0n && quotient * under !== over ? quotient - 1n : quotient;
}

export function ceilOf(over: bigint, under: bigint): bigint {
  return -floorOf(-over, under);
}

/**
 * Differences between an answer and the expected one, member by member; members that are not expected may have any
 * value.
 */
export function listDifferences(expected: unknown, said: unknown, path = ""): string[] {
  if (typeof expected !== "object" || expected === null) {
    const same = Object.is(expected, said);
    return same ? [] : [`${path || "it"} is ${JSON.stringify(said)}, not ${JSON.stringify(expected)}`];
  }
  if (typeof said !== "object" || said === null) return [`${path || "it"} is ${JSON.stringify(said)}`];
  if (Array.isArray(expected) && expected.length !== (said as unknown[]).length) {
    return [`${path || "it"} has ${(said as unknown[]).length} items, not ${expected.length}`];
  }
  return Object.entries(expected)
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) => listDifferences(value, (said as Record<string, unknown>)[name], `${path}/${name}`));
}
