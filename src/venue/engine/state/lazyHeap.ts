/**
 * Ids by key, the least key first. Ids are taken from the top only: an id whose key has changed is found stale when it
 * gets there. Ids of equal keys come in no defined order.
 */
export class LazyHeap {
  readonly keys: number[] = [];
  readonly ids: number[] = [];

  get size(): number {
    return this.ids.length;
  }

  /** The least key; Infinity when there is none. */
  get least(): number {
    return this.ids.length === 0 ? Number.POSITIVE_INFINITY : this.keys[0]!;
  }

  push(key: number, id: number): void {
    const { keys, ids } = this;
    let at = ids.length;
    keys.push(key);
    ids.push(id);
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (keys[above]! <= key) break;
      keys[at] = keys[above]!;
      ids[at] = ids[above]!;
      at = above;
    }
    keys[at] = key;
    ids[at] = id;
  }

  /** Takes the top off and returns its id. There must be one. */
  pop(): number {
    const { keys, ids } = this;
    const top = ids[0]!;
    const key = keys.pop()!;
    const id = ids.pop()!;
    const size = ids.length;
    if (size === 0) return top;
    let at = 0;
    for (;;) {
      let below = at * 2 + 1;
      if (below >= size) break;
      if (below + 1 < size && keys[below + 1]! < keys[below]!) below++;
      if (keys[below]! >= key) break;
      keys[at] = keys[below]!;
      ids[at] = ids[below]!;
      at = below;
    }
    keys[at] = key;
    ids[at] = id;
    return top;
  }
}
