import type { JobKind } from "../../../../product/jobs/kind.ts";
import type { Scenario } from "../../../../product/scenario/compile/plan.ts";
import { type ExploreShared, LastUsed, openShared } from "../shared.ts";
import type { AroundTask } from "./aroundTask.ts";
import { CaseExplorer } from "./caseExplorer.ts";

/** Name of the kind. */
export const AROUND_KIND = "around";

/** Scenarios and cases that a thread keeps: consecutive tasks are of the same. */
const OPEN_MOST = 4;

/** Tries steps at places of cases. */
export const aroundKind: JobKind = {
  open(text) {
    const shared = openShared(JSON.parse(text) as ExploreShared);
    const scenarios = new LastUsed<Scenario>(OPEN_MOST);
    const explorers = new LastUsed<CaseExplorer>(OPEN_MOST);
    return (part) => {
      const task = part as AroundTask;
      const explorer = explorers.get(`${task.file} ${task.case}`, () => {
        const { cases } = scenarios.get(`${task.file}`, () => shared.compile(task.file));
        return new CaseExplorer(cases[task.case]!, shared);
      });
      return JSON.stringify(explorer.explore(task));
    };
  },
};
