/**
 * Deletes from a list what is not needed: halves, quarters and so on down to single elements, from the back, because what
 * is behind a deletion has to be run again. Elements needed only by each other go with chunks that hold both.
 *
 * @param items read anew for every chunk: `accept` may shorten the list more than it was asked to
 * @param accept tries a shorter list, and makes it the list if it does
 * @param smallest where to stop; 1 by default
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

/** Deletes pairs of elements that are needed only by each other, wherever they stand; the square of the length. */
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
