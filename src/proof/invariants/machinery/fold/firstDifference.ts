/** The first difference of two plain values: its path and both sides; undefined if they are equal. */
export function firstDifference(a: unknown, b: unknown, path = ""): string | undefined {
  if (Object.is(a, b) || a === b) return undefined;
  if (a instanceof Map && b instanceof Map) {
    for (const key of new Set([...a.keys(), ...b.keys()])) {
      const found = firstDifference(a.get(key), b.get(key), `${path}[${String(key)}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) {
    return `${path === "" ? "value" : path}: ${show(a)} and ${show(b)}`;
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const left = (a as Record<string, unknown>)[key];
    const right = (b as Record<string, unknown>)[key];
    const found = firstDifference(left, right, path === "" ? key : `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function show(value: unknown): string {
  return JSON.stringify(value, (_key, part) =>
    typeof part === "bigint" ? String(part) : part instanceof Map ? [...part] : part,
  );
}
