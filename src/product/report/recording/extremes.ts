/** The first place of the greatest value, from <= place < to. */
export function findMost(values: Float64Array, from: number, to: number): number {
  let place = from;
  let most = values[from]!;
  for (let at = from + 1; at < to; at++) {
    const value = values[at]!;
    if (value > most) {
      most = value;
      place = at;
    }
  }
  return place;
}

/** The first place of the least value, from <= place < to. */
export function findLeast(values: Float64Array, from: number, to: number): number {
  let place = from;
  let least = values[from]!;
  for (let at = from + 1; at < to; at++) {
    const value = values[at]!;
    if (value < least) {
      least = value;
      place = at;
    }
  }
  return place;
}
