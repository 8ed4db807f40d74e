import type { Bytes32 } from "../../protocol/fields.ts";

/** Promises that wait for transactions. */
export class Waiters {
  readonly #byId = new Map<Bytes32, Set<() => void>>();

  /** Resolves when the transaction is released, or after the time. */
  wait(id: Bytes32, timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      let all = this.#byId.get(id);
      if (all === undefined) {
        all = new Set();
        this.#byId.set(id, all);
      }
      const done = () => {
        clearTimeout(timer);
        all.delete(done);
        if (all.size === 0 && this.#byId.get(id) === all) this.#byId.delete(id);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      all.add(done);
    });
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Releases the promises that wait for these transactions. */
  release(ids: Iterable<Bytes32>): void {
    if (this.#byId.size === 0) return;
    for (const id of ids) for (const done of [...(this.#byId.get(id) ?? [])]) done();
  }

  releaseAll(): void {
    this.release([...this.#byId.keys()]);
  }
}
