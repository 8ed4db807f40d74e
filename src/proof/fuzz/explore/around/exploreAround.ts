import type { JobEngine } from "../../../../product/jobs/engine.ts";
import type { Scenario } from "../../../../product/scenario/compile/plan.ts";
import { type ExploreShared, openShared } from "../shared.ts";
import { AROUND_KIND } from "./aroundKind.ts";
import type { AroundReport } from "./aroundReport.ts";
import { AroundSums, listAroundTasks } from "./aroundSums.ts";
import type { AroundDone } from "./aroundTask.ts";
import { CaseExplorer, type CaseOptions } from "./caseExplorer.ts";

/**
 * Tries every generic step around every block of scenarios, in this thread: the step in a block of its own, then the
 * block of the scenario that would have followed. After both it checks the invariants and compares the model.
 */
export function exploreAround(scenarios: readonly Scenario[], options: CaseOptions = {}): AroundReport {
  const sums = new AroundSums(scenarios, options);
  let last: { readonly ordinal: number; readonly explorer: CaseExplorer; readonly isBroken: boolean } | undefined;
  for (const task of listAroundTasks(scenarios)) {
    if (last?.ordinal !== task.ordinal) {
      const explorer = new CaseExplorer(scenarios[task.file]!.cases[task.case]!, options);
      last = { ordinal: task.ordinal, explorer, isBroken: false };
    }
    if (last.isBroken) continue;
    const done = last.explorer.explore(task);
    sums.add(task, done);
    last = { ...last, isBroken: done.isBroken };
  }
  return sums.report();
}

/** Settings of an exploration in jobs. */
export interface AroundJobsOptions {
  /** The scenarios' texts, in their order. */
  readonly shared: ExploreShared;
  /** @param places places that were explored so far */
  readonly onProgress?: (places: number) => void;
}

/**
 * Does the same in jobs. The report is the same for every engine.
 *
 * @param engine knows the kind `around`
 */
export async function exploreAroundInJobs(
  scenarios: readonly Scenario[],
  engine: JobEngine,
  { shared, onProgress }: AroundJobsOptions,
): Promise<AroundReport> {
  const parts = listAroundTasks(scenarios);
  let places = 0;
  const onDone = (at: number) => {
    places += parts[at]!.to - parts[at]!.from;
    onProgress?.(places);
  };
  const texts = await engine.run({ kind: AROUND_KIND, shared: JSON.stringify(shared), parts }, { onDone });
  const sums = new AroundSums(scenarios, openShared(shared));
  for (const [at, text] of texts.entries()) sums.add(parts[at]!, JSON.parse(text) as AroundDone);
  return sums.report();
}
