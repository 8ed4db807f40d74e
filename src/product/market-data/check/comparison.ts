/** A recorded value that differs from the one that other events give, both in the units of the tape. */
export interface Difference {
  readonly timeMs: number;
  readonly what: string;
  readonly recorded: number;
  readonly rebuilt: number;
}

/** Number of values that were compared, of those that are equal, and the first differences. */
export interface ComparisonResult {
  readonly compared: number;
  readonly equal: number;
  /** The first few. */
  readonly differences: readonly Difference[];
}

const KEPT_MOST = 5;

/** Counts comparisons, and keeps the first differences. */
export class Comparison {
  #compared = 0;
  #equal = 0;
  readonly #differences: Difference[] = [];

  /** @param difference undefined where both are equal */
  add(difference: Difference | undefined): void {
    this.#compared++;
    if (difference === undefined) this.#equal++;
    else if (this.#differences.length < KEPT_MOST) this.#differences.push(difference);
  }

  get result(): ComparisonResult {
    return { compared: this.#compared, equal: this.#equal, differences: [...this.#differences] };
  }
}
