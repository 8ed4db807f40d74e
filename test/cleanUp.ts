/** Test files share a worker, so no replaced function and no fake clock outlives its test. */
import { afterEach, vi } from "vitest";

afterEach(() => {
  // In this order: a function that was replaced on a fake clock goes back to the fake clock's, and that one to Node's.
  vi.restoreAllMocks();
  vi.useRealTimers();
});
