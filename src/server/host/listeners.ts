/** Listeners of one kind of event. One that throws is a fault of ours, and stops the host. */
export class Listeners<T> {
  readonly #all = new Set<(value: T) => void>();

  /** Adds a listener; returns a function that removes it. */
  add(listener: (value: T) => void): () => void {
    // A wrapper, so that one listener may be added twice.
    const own = (value: T) => listener(value);
    this.#all.add(own);
    return () => this.#all.delete(own);
  }

  emit(value: T): void {
    for (const listener of [...this.#all]) listener(value);
  }
}
