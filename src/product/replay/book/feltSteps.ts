/** What changed at a price where an order of another account rests, or could be met. */
export const FELT_STEP = {
  /**
   * A trade takes lots of a side. Other orders at better prices leave `taken` of them. The house has `after` at its
   * price then, where another order rests there.
   */
  print: 0,
  /** A level whose queue has another order: `taken` lots go from its front, then it has `lots`. */
  queue: 1,
  /** A level that crosses other orders: of `lots`, `after` are left. */
  cross: 2,
} as const;

/** `after` of a trade at whose price no other order rests. */
export const NOTHING_FELT = -1;

/** Values of a step: kind, side, ticks, lots, taken, after. */
const WIDTH = 6;
const FIRST_STEPS = 32;

/** Steps of a book in the order of history. They are values in one array: every trade adds one. */
export class FeltSteps {
  count = 0;
  #values = new Float64Array(FIRST_STEPS * WIDTH);

  /** @param isBid side of the level: of a trade, the one that is taken */
  add(kind: number, isBid: boolean, ticks: number, lots: number, taken: number, after: number): void {
    const at = this.count * WIDTH;
    if (at === this.#values.length) this.#grow();
    const values = this.#values;
    values[at] = kind;
    values[at + 1] = isBid ? 1 : 0;
    values[at + 2] = ticks;
    values[at + 3] = lots;
    values[at + 4] = taken;
    values[at + 5] = after;
    this.count++;
  }

  kind(step: number): number {
    return this.#values[step * WIDTH]!;
  }

  isBid(step: number): boolean {
    return this.#values[step * WIDTH + 1] === 1;
  }

  ticks(step: number): number {
    return this.#values[step * WIDTH + 2]!;
  }

  lots(step: number): number {
    return this.#values[step * WIDTH + 3]!;
  }

  taken(step: number): number {
    return this.#values[step * WIDTH + 4]!;
  }

  after(step: number): number {
    return this.#values[step * WIDTH + 5]!;
  }

  /** Adds the changes of queues of a later list. */
  addQueues(later: FeltSteps): void {
    for (let step = 0; step < later.count; step++) {
      if (later.kind(step) !== FELT_STEP.queue) continue;
      this.add(FELT_STEP.queue, later.isBid(step), later.ticks(step), later.lots(step), later.taken(step), 0);
    }
  }

  clear(): void {
    this.count = 0;
  }

  #grow(): void {
    const grown = new Float64Array(this.#values.length * 2);
    grown.set(this.#values);
    this.#values = grown;
  }
}
