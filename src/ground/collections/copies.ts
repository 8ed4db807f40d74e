/** Typed arrays of tables and indexes. */
type AnyArray = Int32Array | Float64Array;

/** A copy of an array: in the memory of a spare one of the same length, or in new memory. */
export function copyArray<Kind extends AnyArray>(from: Kind, spare: Kind | undefined): Kind {
  if (spare === undefined || spare.length !== from.length) return from.slice() as Kind;
  spare.set(from);
  return spare;
}

/** Makes a list equal to another one, in its own memory. */
export function copyList<Item>(from: readonly Item[], to: Item[]): void {
  to.length = from.length;
  for (let place = 0; place < from.length; place++) to[place] = from[place]!;
}

/** Makes a map equal to another one, with its entries in the same order. */
export function copyMap<Key, Value>(from: ReadonlyMap<Key, Value>, to: Map<Key, Value>): void {
  // Most maps of a copy have nothing in them.
  if (to.size > 0) to.clear();
  if (from.size > 0) for (const [key, value] of from) to.set(key, value);
}
