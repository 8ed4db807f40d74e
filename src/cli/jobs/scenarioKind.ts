import { createScenarioKind } from "../../product/scenario/run/runFiles.ts";
import type { Invariant } from "../../proof/invariants/statements.ts";

/** Runs scenario files, with invariants of the user's own if the batch names modules. */
export const scenarioKind = createScenarioKind(loadOwnInvariants);

/**
 * Loads modules with invariants of the user's own.
 *
 * @param modules absolute paths
 * @throws FuzzError INVARIANT_MISSING, INVARIANT_BROKEN, INVARIANT_INVALID
 */
export async function loadOwnInvariants(modules: readonly string[]): Promise<readonly Invariant[]> {
  const { loadInvariants } = await import("../../proof/fuzz/campaign/loadSelected.ts");
  const { registerSelfImports } = await import("../selfImports.ts");
  registerSelfImports();
  return (await Promise.all(modules.map(loadInvariants))).flat();
}
