import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { invariants } from "../../invariants/list.ts";
import type { Invariant } from "../../invariants/machinery/defineInvariant.ts";
import { FuzzError } from "../errors.ts";
import { shortenPath } from "./reproduce.ts";
import { selectInvariants } from "./selectInvariants.ts";

/** Selects the invariants that a campaign checks. */
export interface WatchedSetup {
  /** Patterns for `selectInvariants`; "" for all. */
  readonly invariants: string;
  /** Absolute paths of the user's invariant modules. */
  readonly userInvariants: readonly string[];
}

/**
 * Returns the selected invariants, including those loaded from the user's modules.
 *
 * @throws FuzzError INVARIANT_UNKNOWN, INVARIANT_MISSING, INVARIANT_BROKEN, INVARIANT_INVALID
 */
export async function listWatched({ invariants: patterns, userInvariants }: WatchedSetup): Promise<Invariant[]> {
  const own = (await Promise.all(userInvariants.map(loadInvariants))).flat();
  return selectInvariants([...invariants, ...own], patterns);
}

/** Loads the invariants of one user module. */
export async function loadInvariants(path: string): Promise<Invariant[]> {
  if (!existsSync(path)) {
    throw new FuzzError("INVARIANT_MISSING", "there is no such file", {
      place: shortenPath(path),
      hint: "--user-invariants takes the path of a module whose default export is an invariant, or a list of them",
    });
  }
  let module: { readonly default?: unknown };
  try {
    module = (await import(pathToFileURL(path).href)) as typeof module;
  } catch (cause) {
    const [line = ""] = String(cause).split("\n");
    throw new FuzzError("INVARIANT_BROKEN", `the module does not load: ${line}`, { place: path, cause });
  }
  const list = [module.default].flat();
  for (const one of list) {
    const fault = faultOf(one);
    if (fault === undefined) continue;
    throw new FuzzError("INVARIANT_INVALID", fault, {
      place: path,
      hint: 'write: import { defineInvariant } from "perplab/invariants"; export default defineInvariant({ … });',
    });
  }
  return list as Invariant[];
}

function faultOf(one: unknown): string | undefined {
  if (typeof one !== "object" || one === null) return "the default export is no invariant and no list of them";
  const { id, sentence, touched, sweep, event } = one as Readonly<Record<string, unknown>>;
  if (typeof id !== "string" || id === "") return "an invariant has no id";
  if (typeof sentence !== "string") return `${id} has no sentence`;
  const checks = [touched, sweep, event].filter((check) => typeof check === "function");
  return checks.length > 0 ? undefined : `${id} has neither touched nor sweep nor event`;
}
