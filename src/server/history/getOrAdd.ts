/** What stands under a key, made anew where there is nothing. */
export function getOrAdd<T>(map: Map<number, T>, key: number, create: () => T): T {
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}
