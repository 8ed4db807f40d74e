/** The value of a key; created if there is none. */
export function getOrAdd<T>(map: Map<number, T>, key: number, create: () => T): T {
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}
