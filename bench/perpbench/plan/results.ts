import { appendLine, readLines } from "../../lib/jobs.ts";
import type { BenchJob, BenchResult } from "../runJob.ts";

/** The sources that gave a result. */
export interface Tree {
  /** Hash of the copy, see `buildCopy`. */
  readonly copy: string;
  /** Commit of the clone, with `+` if its files differed from it. */
  readonly commit: string;
}

interface Line extends Tree {
  /** See `keyOf`. */
  readonly key: string;
  readonly result: BenchResult;
}

/** Name of a job: equal names of one copy have equal results, but for the time that they took. */
export function keyOf(job: BenchJob): string {
  switch (job.method) {
    case "search": {
      const { bug, seed, budget, model, shrinks, guidance } = job;
      const ways = [model ? " model" : "", shrinks ? " shrunk" : "", guidance ? ` ${guidance}` : ""];
      return `search ${bug} seed ${seed} budget ${budget}${ways.join("")}`;
    }
    case "scenarios":
      return `scenarios ${job.bug}`;
    // Which files are left out is a function of the other results.
    case "explore":
      return `explore ${job.bug} depth ${job.depth} blocks ${job.budget}`;
    case "around":
      return `around ${job.bug} every ${job.every} blocks ${job.budget}`;
    case "minimal":
      return "minimal";
  }
}

/** Results of one copy, in a file of lines, so that a stopped run resumes. */
export class Results {
  readonly tree: Tree;
  readonly #path: string;
  readonly #kept = new Map<string, BenchResult>();

  constructor(path: string, tree: Tree) {
    this.#path = path;
    let { commit } = tree;
    for (const line of readLines<Line>(path)) {
      if (line.copy !== tree.copy) continue;
      this.#kept.set(line.key, line.result);
      // Commits that change nothing of the copy have the same results. The first is where they were made.
      ({ commit } = line);
    }
    this.tree = { copy: tree.copy, commit };
  }

  has(job: BenchJob): boolean {
    return this.#kept.has(keyOf(job));
  }

  get<Job extends BenchJob>(job: Job): (BenchResult & { readonly method: Job["method"] }) | undefined {
    return this.#kept.get(keyOf(job)) as (BenchResult & { readonly method: Job["method"] }) | undefined;
  }

  add(job: BenchJob, result: BenchResult): void {
    const key = keyOf(job);
    this.#kept.set(key, result);
    appendLine(this.#path, { ...this.tree, key, result } satisfies Line);
  }
}
