/** Who wants to hear of something. One that throws is a fault of ours, and stops the host. */
export class Listeners<T> {
  readonly #all = new Set<(value: T) => void>();

  /** Returns what ends it. */
  add(listener: (value: T) => void): () => void {
    // A function of its own, so that one listener may be added twice.
    const own = (value: T) => listener(value);
    this.#all.add(own);
    return () => this.#all.delete(own);
  }

  tell(value: T): void {
    for (const listener of [...this.#all]) listener(value);
  }
}
