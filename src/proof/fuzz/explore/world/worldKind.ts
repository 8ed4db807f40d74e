import type { JobKind } from "../../../../product/jobs/kind.ts";
import { type ExploreShared, LastUsed, openShared } from "../shared.ts";
import { Explorer } from "./explorer.ts";
import type { Task, TaskCounts, TaskResult } from "./task.ts";
import { openWorlds } from "./worlds.ts";

/** Name of the kind. */
export const WORLD_KIND = "world";

/** One job: a task of one start. */
export interface WorldPart {
  readonly world: number;
  readonly start: number;
  readonly task: Task;
}

/** The result of a task, and what was counted. */
export interface WorldDone {
  readonly result: TaskResult;
  readonly counts: TaskCounts;
}

/** Starts that a thread keeps open: more than are explored at once. */
const OPEN_MOST = 8;

/** Does tasks of the starts of worlds. */
export const worldKind: JobKind = {
  open(text) {
    const shared = openShared(JSON.parse(text) as ExploreShared);
    const worlds = new LastUsed<ReturnType<typeof openWorlds>[number]>(OPEN_MOST);
    const explorers = new LastUsed<Explorer>(OPEN_MOST);
    return (part) => {
      const { world, start, task } = part as WorldPart;
      const explorer = explorers.get(`${world} ${start}`, () => {
        const { starts } = worlds.get(`${world}`, () => openWorlds([shared.compile(world)], shared.model)[0]!);
        return new Explorer(starts[start]!, shared);
      });
      const result = explorer.run(task);
      return JSON.stringify({ result, counts: explorer.takeCounts() } satisfies WorldDone);
    };
  },
};
