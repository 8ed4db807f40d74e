import { runScenarioFile } from "../../scenario/run/runScenario.ts";
import type { Failure } from "../shrink/signature.ts";

/**
 * Whether a file fails on this venue, and for the reason for which it was written: by the invariant that was broken, or where
 * another thing was found, in whatever it expects.
 */
export function showsHere(text: string, { kind = "invariant", invariant }: Failure): boolean {
  try {
    const { cases } = runScenarioFile("regression.yaml", { readText: () => text });
    const failures = cases.flatMap((result) => result.failures);
    return kind === "invariant" ? failures.some(({ what }) => what === `invariant ${invariant}`) : failures.length > 0;
  } catch {
    return true; // the venue breaks down
  }
}
