/** The first place at which two values differ: the keys that lead to it, and both sides. */
export interface Difference {
  readonly path: readonly string[];
  readonly left: unknown;
  readonly right: unknown;
}

/** The first difference of two plain values in words: its path and both sides; undefined if they are equal. */
export function firstDifference(a: unknown, b: unknown): string | undefined {
  const found = findDifference(a, b);
  if (found === undefined) return undefined;
  const { path, left, right } = found;
  return `${path.join(".") || "value"}: ${show(left)} and ${show(right)}`;
}

/** The first difference of two plain values; undefined if they are equal. */
export function findDifference(a: unknown, b: unknown, path: readonly string[] = []): Difference | undefined {
  if (Object.is(a, b) || a === b) return undefined;
  if (a instanceof Map && b instanceof Map) {
    for (const key of new Set([...a.keys(), ...b.keys()])) {
      const found = findDifference(a.get(key), b.get(key), [...path, String(key)]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return { path, left: a, right: b };
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const left = (a as Record<string, unknown>)[key];
    const right = (b as Record<string, unknown>)[key];
    const found = findDifference(left, right, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `accounts 3, positions 0, cost: 5 by the events, 6 in the venue`: table and row, then the column. */
export function describeDifference({ path, left, right }: Difference): string {
  const parts: string[] = [];
  for (const key of path) {
    const last = parts.at(-1);
    if (last !== undefined && /^-?\d+$/.test(key) && !last.includes(" ")) parts[parts.length - 1] = `${last} ${key}`;
    else parts.push(key);
  }
  const place = parts.length === 0 ? "value" : parts.join(", ");
  return `${place}: ${show(left)} by the events, ${show(right)} in the venue`;
}

function show(value: unknown): string {
  return JSON.stringify(value, (_key, part) =>
    typeof part === "bigint" ? String(part) : part instanceof Map ? [...part] : part,
  );
}
