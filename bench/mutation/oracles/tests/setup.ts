// Runs in the copy before each test file: activates a mutant, or notes which places each test runs.
import { afterEach, beforeEach, inject } from "vitest";
import { endCovering, type Seen, selectMutant, startCovering, startTurns } from "../../mutant.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The active mutant, 0 for none; or that places are noted. */
    readonly mutation: { readonly mutant: number; readonly isCovering: boolean };
  }
  interface TaskMeta {
    /** Places that ran in the test. */
    seen?: readonly Seen[];
    /** Places that ran since the test before, or since the file was loaded. */
    before?: readonly Seen[];
    /** CPU time, ms. */
    cpuMs?: number;
  }
}

const { mutant, isCovering } = inject("mutation");
selectMutant(mutant);
if (isCovering) startCovering();
else endCovering();

let begin = process.threadCpuUsage();

beforeEach(({ task }) => {
  // Outside of blocks a test may turn as often as it likes: its CPU time is limited.
  startTurns(Number.POSITIVE_INFINITY);
  if (!isCovering) return;
  task.meta.before = endCovering();
  startCovering();
  begin = process.threadCpuUsage();
});

// It was registered first, so it runs last.
afterEach(({ task }) => {
  if (!isCovering) return;
  const { user, system } = process.threadCpuUsage(begin);
  task.meta.cpuMs = (user + system) / 1000;
  task.meta.seen = endCovering();
  startCovering();
});
