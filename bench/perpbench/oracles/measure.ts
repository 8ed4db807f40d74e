import type { Attempt } from "../job.ts";
import { readCanary, selectBug } from "../planted.ts";

/** Runs something with a bug selected, and measures it. No bug is selected afterwards. */
export function measure<Shown extends object>(
  bug: number,
  work: () => Shown,
): Shown & Pick<Attempt, "bug" | "reached" | "triggered" | "cpuSeconds"> {
  selectBug(bug);
  const before = process.cpuUsage();
  try {
    const shown = work();
    const { user, system } = process.cpuUsage(before);
    return { ...shown, bug, ...readCanary(), cpuSeconds: Math.round((user + system) / 1000) / 1000 };
  } finally {
    selectBug(0);
  }
}

/** Thrown out of an exploration that has shown enough. */
export class Enough extends Error {}

/** The first words of an error that a bug causes outside of a block, where nothing checks. */
export function describeThrown(error: unknown): string {
  return String(error instanceof Error ? error.message : error)
    .split("\n", 1)[0]!
    .slice(0, 300);
}
