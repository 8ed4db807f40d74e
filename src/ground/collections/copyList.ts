/** Makes a list equal to another one, in its own memory. */
export function copyList<Item>(from: readonly Item[], to: Item[]): void {
  to.length = from.length;
  for (let place = 0; place < from.length; place++) to[place] = from[place]!;
}
