/**
 * Keeps at most `max` of the events that pass, evenly: every one, then every second, every fourth, and so on. Which are
 * kept depends on their number alone.
 */
export class EventSample<T> {
  readonly #max: number;
  #kept: T[] = [];
  #stride = 1;
  #seen = 0;

  constructor(max: number) {
    this.#max = Math.max(2, max);
  }

  push(event: T): void {
    if (this.#seen++ % this.#stride !== 0) return;
    if (this.#kept.length === this.#max) {
      this.#kept = this.#kept.filter((_, i) => i % 2 === 0);
      this.#stride *= 2;
      if ((this.#seen - 1) % this.#stride !== 0) return;
    }
    this.#kept.push(event);
  }

  get seen(): number {
    return this.#seen;
  }

  get events(): readonly T[] {
    return this.#kept;
  }
}
