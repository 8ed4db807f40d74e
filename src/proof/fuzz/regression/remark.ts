import type { RunFailure } from "../../../product/scenario/run/result.ts";
import { runScenarioFile } from "../../../product/scenario/run/runScenario.ts";
import type { Invariant } from "../../invariants/machinery/defineInvariant.ts";
import type { Failure } from "../shrink/signature.ts";

/**
 * Remark for readers of a file that does not fail as expected on this venue: it passes, or it fails for another reason
 * first. Undefined if it fails as expected: by the broken invariant or, for other kinds of failure, in any expectation.
 */
export function createRemark(
  text: string,
  { kind = "invariant", invariant }: Failure,
  invariants: readonly Invariant[] = [],
): string | undefined {
  let failures: readonly RunFailure[];
  try {
    const { cases } = runScenarioFile("regression.yaml", { readText: () => text, invariants });
    failures = cases.flatMap((result) => result.failures);
  } catch {
    return undefined; // the venue throws
  }
  const [first] = failures;
  if (first === undefined) return UNSHOWN;
  const isIt = kind !== "invariant" || failures.some(({ what }) => what === `invariant ${invariant}`);
  return isIt
    ? undefined
    : `# On this venue it fails for another reason first: ${first.what} in ${first.block}.`.slice(0, 200);
}

/** A scenario runs without planted faults, and does not check what stays inside the venue. */
const UNSHOWN = "# On this venue it passes: no check of a scenario shows the failure. The case reproduces it.";
