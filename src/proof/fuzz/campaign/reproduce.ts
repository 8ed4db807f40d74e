import { relative } from "node:path";
import { formatCommand } from "../../../ground/collections/commandLine.ts";
import type { CanaryName } from "./canaryNames.ts";

/** What decides, besides a case, whether the case fails. */
export interface ReproduceSettings {
  /** Patterns of invariants; "" for all. */
  readonly invariants: string;
  /** Absolute paths of modules. */
  readonly userInvariants: readonly string[];
  readonly model: boolean;
  readonly canary?: CanaryName | undefined;
}

/**
 * The command that runs a case with the settings under which it failed.
 *
 * @param caseMs time after which the case is given up, for a case that does not end
 */
export function formatReplay(
  path: string,
  { invariants, userInvariants, model, canary }: ReproduceSettings,
  caseMs?: number,
): string {
  return formatCommand([
    "fuzz",
    "replay",
    path,
    ...(invariants === "" ? [] : ["--invariants", invariants]),
    ...userWords(userInvariants),
    ...(model ? ["--model"] : []),
    ...(canary === undefined ? [] : ["--canary", canary]),
    ...(caseMs === undefined ? [] : ["--case-timeout", `${caseMs}ms`]),
  ]);
}

/** The command that runs a scenario with invariants of the user's own. */
export function formatScenarioRun(path: string, userInvariants: readonly string[]): string {
  return formatCommand(["scenario", "run", path, ...userWords(userInvariants)]);
}

function userWords(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  return ["--user-invariants", ...paths.map(shortenPath)];
}

/** A path from the working folder, or the whole path where it leads out of that folder. */
export function shortenPath(path: string): string {
  const near = relative("", path);
  return near.startsWith("..") ? path : near;
}
