/** The copy of the sources in which the search is measured. */
import { join } from "node:path";
import type { BenchCopy } from "../lib/benchTask.ts";
import { ROOT } from "../perpbench/buildCopy.ts";
import { buildMutationCopy } from "./buildCopy.ts";
import { type Missed, readMissed } from "./oracles/missed.ts";
import { type OpenedCopy, openCopy } from "./oracles/openCopy.ts";
import { type SearchDraw, writeDraw } from "./searchDraw.ts";

/** Folder with the pages of other oracles. */
export const EVIDENCE: string = join(ROOT, "docs", "evidence");

export interface SearchCopy extends OpenedCopy {
  /** What the other oracles have found, if they name the mutants. */
  readonly missed?: Missed | undefined;
  readonly bench: BenchCopy;
  /** Module of the processes. */
  readonly worker: string;
  /** Folder for the cases of the mutants. */
  readonly cases: string;
}

/** The copy of these sources with the mutants of a draw. */
export function openSearchCopy(draw: SearchDraw): SearchCopy {
  const { mutants, seed, missedBy, triedBy } = draw;
  const others = [...missedBy, ...triedBy];
  const missed = others.length === 0 ? undefined : readMissed(EVIDENCE, others);
  const named = missed && new Set(triedBy.length > 0 ? missed.tried : missed.keys);
  const copy = openCopy("mutation-search", (draft) => buildMutationCopy(mutants, seed, draft, named));
  return {
    ...copy,
    missed,
    bench: { bench: "mutation-search", version: copy.hash, words: writeDraw(draw) },
    worker: join(copy.folder, "bench", "mutation", "worker.ts"),
    cases: join(ROOT, "out", "mutation-cases", copy.version),
  };
}
