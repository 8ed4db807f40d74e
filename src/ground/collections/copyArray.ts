/** Typed arrays of tables and indexes. */
type AnyArray = Int32Array | Float64Array;

/** A copy of an array: in the memory of a spare one of the same length, or in new memory. */
export function copyArray<Kind extends AnyArray>(from: Kind, spare: Kind | undefined): Kind {
  if (spare === undefined || spare.length !== from.length) return from.slice() as Kind;
  spare.set(from);
  return spare;
}
