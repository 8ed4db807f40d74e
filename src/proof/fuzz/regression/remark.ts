import type { RunFailure } from "../../../product/scenario/run/result.ts";
import { runScenarioFile } from "../../../product/scenario/run/runScenario.ts";
import type { Invariant } from "../../invariants/defineInvariant.ts";
import type { Failure } from "../shrink/signature.ts";

/**
 * What a reader of a file should know of how it runs on this venue: that it does not fail, or for something else first.
 * Undefined where it fails as it should: by the invariant that was broken, or where another thing was found, in whatever it
 * expects.
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
    return undefined; // the venue breaks down
  }
  const [first] = failures;
  if (first === undefined) return UNSHOWN;
  const isIt = kind !== "invariant" || failures.some(({ what }) => what === `invariant ${invariant}`);
  return isIt ? undefined : `# Here another thing fails first: ${first.what} in ${first.block}.`.slice(0, 200);
}

/** A scenario runs without planted faults, and expects nothing of what stays within the venue. */
const UNSHOWN =
  "# Here it does not fail: nothing that a scenario runs with shows what was found. The case does it again.";
