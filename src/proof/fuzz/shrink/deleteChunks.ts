/**
 * Deletes unneeded elements from a list: halves, quarters and so on down to single elements. It works from the back,
 * because everything after a deletion must run again. Elements that only need each other go with a chunk that contains
 * both.
 *
 * @param items read for every chunk: `accept` may shorten the list further
 * @param accept tries a shorter list, and keeps it if the failure remains
 * @param smallest smallest chunk size; 1 by default
 * @param prepare  called before each round of chunks of one size
 */
export function deleteChunks<T>(
  items: () => readonly T[],
  accept: (shorter: readonly T[]) => boolean,
  isOver: () => boolean,
  { smallest = 1, prepare }: { readonly smallest?: number; readonly prepare?: () => void } = {},
): void {
  for (let size = Math.ceil(items().length / 2); size >= smallest; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    prepare?.();
    let end = items().length;
    while (end > 0 && !isOver()) {
      const list = items();
      end = Math.min(end, list.length);
      const from = Math.max(0, end - size);
      accept([...list.slice(0, from), ...list.slice(end)]);
      end = from;
    }
    if (isOver()) return;
  }
}

/** Deletes pairs of elements that only need each other, at any distance; quadratic in the length. */
export function deletePairs<T>(
  items: () => readonly T[],
  accept: (shorter: readonly T[]) => boolean,
  isOver: () => boolean,
): void {
  for (let second = items().length - 1; second > 0; second--) {
    for (let first = Math.min(second, items().length) - 1; first >= 0 && !isOver(); first--) {
      const list = items();
      if (second >= list.length) break;
      if (accept(list.filter((_, at) => at !== first && at !== second))) break;
    }
  }
}
