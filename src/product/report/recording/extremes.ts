/** The least and the greatest value of a column. The object is read again for each column. */
export class Extremes {
  least = Number.NaN;
  most = Number.NaN;

  /** Reads the first values of a column, at least one. */
  read(values: Float64Array, count: number): this {
    let least = values[0]!;
    let most = least;
    for (let at = 1; at < count; at++) {
      const value = values[at]!;
      if (value < least) least = value;
      if (value > most) most = value;
    }
    this.least = least;
    this.most = most;
    return this;
  }
}
