/** One step around every block of scenarios, with one bug. */
import { join } from "node:path";
import { compileScenario } from "../../../src/product/scenario/compile/compileScenario.ts";
import type { FoundStep } from "../../../src/proof/fuzz/explore/around/aroundTask.ts";
import { exploreAround } from "../../../src/proof/fuzz/explore/around/exploreAround.ts";
import { applyBlock } from "../../../src/venue/engine/applyBlock.ts";
import type { Attempt, Visits } from "../job.ts";
import { visited } from "../planted.ts";
import type { Finding } from "../search.ts";
import { cut, thrown } from "./explore.ts";
import { Enough, measure } from "./measure.ts";
import { listScenarios, SCENARIOS } from "./scenarios.ts";

export interface AroundJob {
  readonly method: "around";
  readonly bug: number;
  /** One scenario of this many, in the order of their names. */
  readonly every: number;
  /** Blocks to apply at most: no further scenario begins beyond it. */
  readonly budget: number;
  /** Those of them that are explored. Default: all. */
  readonly scenarios?: readonly string[];
}

export interface Surrounded extends Attempt {
  readonly method: "around";
  readonly every: number;
  readonly budget: number;
  /** Scenarios that were explored, the last one perhaps in part, and blocks that were applied. */
  readonly scenarios: number;
  readonly blocks: number;
  /** True if the budget ended the exploration. */
  readonly isCut: boolean;
  /** Scenario, its block and the step that show it; no step if the scenario itself does. */
  readonly file?: string | undefined;
  readonly before?: string | undefined;
  readonly step?: string | undefined;
  /** Without a bug: the lines that each scenario reaches with the steps around it. */
  readonly visits?: Visits;
}

type Found = Pick<Surrounded, "before" | "step"> & { readonly finding: Finding };

/** Explores around scenarios until a finding, or to the end. */
export function runAround({ bug, every, budget, scenarios }: AroundJob): Surrounded {
  const files = scenarios ?? listScenarios().filter((_, at) => at % every === 0);
  return measure(bug, () => {
    const visits: Record<string, readonly number[]> = {};
    let found: Found | undefined;
    let [opened, blocks] = [0, 0];
    for (const file of files) {
      if (found !== undefined || blocks >= budget) break;
      visited.clear();
      opened++;
      found = exploreFile(file, () => blocks++);
      visits[file] = [...visited].sort((a, b) => a - b);
    }
    const isCut = found === undefined && opened < files.length;
    const shown = { method: "around", every, budget, scenarios: opened, blocks, isCut } as const;
    const where = found === undefined ? {} : { ...found, file: files[opened - 1] };
    return bug === 0 ? { ...shown, ...where, visits } : { ...shown, ...where };
  });
}

function exploreFile(file: string, onBlock: () => void): Found | undefined {
  let found: FoundStep | undefined;
  try {
    exploreAround([compileScenario(join(SCENARIOS, file))], {
      apply(state, block, probe) {
        onBlock();
        return applyBlock(state, block, probe);
      },
      onFound(first) {
        found = first;
        throw new Enough();
      },
    });
  } catch (error) {
    if (!(error instanceof Enough)) return { finding: thrown(error) };
  }
  return found && { finding: cut(found.violation), before: found.before, step: found.step?.words };
}
