import { relative } from "node:path";
import { formatCommand } from "../../../ground/collections/commandLine.ts";
import type { CanaryName } from "./canaryNames.ts";

/** Settings that, together with a case, decide whether the case fails. */
export interface ReproduceSettings {
  /** Patterns of invariants; "" for all. */
  readonly invariants: string;
  /** Absolute paths of the user's invariant modules. */
  readonly userInvariants: readonly string[];
  readonly model: boolean;
  readonly canary?: CanaryName | undefined;
}

/**
 * Returns the command that runs a case with the settings under which it failed.
 *
 * @param caseMs time limit of a case that does not end
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

/** Returns the command that runs a scenario with the user's invariants. */
export function formatScenarioRun(path: string, userInvariants: readonly string[]): string {
  return formatCommand(["scenario", "run", path, ...userWords(userInvariants)]);
}

function userWords(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  return ["--user-invariants", ...paths.map(shortenPath)];
}

/** Returns a path relative to the working folder, or the absolute path if it lies outside. */
export function shortenPath(path: string): string {
  const near = relative("", path);
  return near.startsWith("..") ? path : near;
}
