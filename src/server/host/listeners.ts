/**
 * Listeners of one kind of event. One that throws, or whose promise rejects, is a defect of the service and stops the
 * host.
 */
export class Listeners<T> {
  readonly #all = new Set<(value: T) => unknown>();

  /** Adds a listener; returns a function that removes it. */
  add(listener: (value: T) => unknown): () => void {
    // A wrapper, so that one listener may be added twice.
    const own = (value: T) => listener(value);
    this.#all.add(own);
    return () => this.#all.delete(own);
  }

  /** Calls the listeners in their order. The promise waits for those of the listeners; undefined if there are none. */
  emit(value: T): Promise<unknown> | undefined {
    const promises: Promise<unknown>[] = [];
    for (const listener of [...this.#all]) {
      const result = listener(value);
      if (result instanceof Promise) promises.push(result);
    }
    return promises.length === 0 ? undefined : Promise.all(promises);
  }
}
