import { Explorer, type ExplorerOptions } from "./explorer.ts";
import { Frontier, type FrontierOptions } from "./frontier.ts";
import type { StartReport } from "./startReport.ts";
import type { Start } from "./worlds.ts";

export interface ExploreOptions
  extends Omit<FrontierOptions, "isStepwise">,
    Pick<ExplorerOptions, "invariants" | "apply" | "runHeavy"> {
  /** Called after each block that was tried. What it throws ends the exploration. */
  readonly onProgress?: (transitions: number, states: number, findings: number) => void;
}

/**
 * Tries all sequences of up to `depth` blocks of the alphabet from a start, in this thread, block by block. States with
 * the same key count once.
 */
export function exploreStart(start: Start, options: ExploreOptions): StartReport {
  const frontier = new Frontier(start, { ...options, isStepwise: true });
  let tried = 0;
  const onTried = () => options.onProgress?.(++tried, frontier.states, frontier.findings);
  const explorer = new Explorer(start, { ...options, onTried });
  const rounds = frontier.explore();
  let round = rounds.next();
  while (round.done !== true) round = rounds.next(round.value.map((task) => explorer.run(task)));
  return frontier.report([explorer.takeCounts()]);
}
