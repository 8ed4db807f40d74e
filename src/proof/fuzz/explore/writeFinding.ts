import { join } from "node:path";
import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { invariants as known } from "../../invariants/list.ts";
import type { Chronicle } from "../case/resolveCase.ts";
import { writeAtomic } from "../corpus/atomic.ts";
import { writeRegression } from "../regression/writeRegression.ts";
import { MODEL_CHECKERS } from "../run/modelCheckers.ts";
import type { FuzzViolation } from "../run/violation.ts";
import type { Apply } from "../shrink/readScript.ts";
import { shrinkChronicle } from "../shrink/shrinkScript.ts";

/** A violation of an exploration as a scenario file. */
export interface Written {
  /** Path of the scenario; undefined if none can be written. */
  readonly scenario?: string;
  /** Why no scenario was written. */
  readonly unsaid?: string;
  /** Transactions of the shrunk chronicle. */
  readonly transactions?: number;
}

/** Candidates that shrinking tries at most. */
const CANDIDATES = 4_000;

/**
 * Shrinks a violation and writes it as a scenario, as a search does.
 *
 * @param chronicle undefined if the venue does not start at genesis
 * @param apply     applies a block with the planted fault, if any
 */
export function writeFinding(
  chronicle: Chronicle | undefined,
  violation: FuzzViolation,
  { folder, apply = applyBlock }: { readonly folder: string; readonly apply?: Apply | undefined },
): Written {
  if (chronicle === undefined) return { unsaid: "its venue does not start at genesis" };
  const checkers = violation.kind === "model" ? { checkers: MODEL_CHECKERS } : {};
  const shrunk = shrinkChronicle(chronicle, violation, { candidates: CANDIDATES, apply, ...checkers });
  if (shrunk === undefined) return { unsaid: "its blocks alone do not show it again" };
  const { script, failure, transactions } = shrunk;
  const { sentence, rules } = known.find(({ id }) => id === failure.invariant) ?? {};
  try {
    const { name, text } = writeRegression(script, failure, {
      ...(sentence === undefined ? {} : { sentence }),
      ...(rules === undefined ? {} : { rules }),
    });
    const path = join(folder, name);
    writeAtomic(path, text);
    return { scenario: path, transactions };
  } catch (error) {
    return { unsaid: error instanceof Error ? error.message : String(error), transactions };
  }
}
