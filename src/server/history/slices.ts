import { setImmediate } from "node:timers/promises";

/** Longest slice of work that other work waits for, ms. */
export const SLICE_MS = 10;

/** Work that yields where other work may come between. */
export type Slices<T> = Generator<void, T>;

/** Does all of the work without yielding. */
export function runToEnd<T>(work: Slices<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/** Does the work in slices of some milliseconds; other work comes between two of them. */
export async function runInSlices<T>(work: Slices<T>): Promise<T> {
  for (;;) {
    const startMs = performance.now();
    while (performance.now() - startMs < SLICE_MS) {
      const { done, value } = work.next();
      if (done === true) return value;
    }
    await setImmediate();
  }
}
