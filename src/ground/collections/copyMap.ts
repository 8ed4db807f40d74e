/** Makes a map equal to another one, with its entries in the same order. */
export function copyMap<Key, Value>(from: ReadonlyMap<Key, Value>, to: Map<Key, Value>): void {
  // Most maps of a copy have nothing in them.
  if (to.size > 0) to.clear();
  if (from.size > 0) for (const [key, value] of from) to.set(key, value);
}
