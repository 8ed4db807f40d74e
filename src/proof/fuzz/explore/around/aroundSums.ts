import type { Case, Scenario } from "../../../../product/scenario/compile/plan.ts";
import { signatureOf } from "../../shrink/signature.ts";
import type { AroundFinding, AroundReport, Tried } from "./aroundReport.ts";
import type { AroundDone, AroundTask, FoundStep } from "./aroundTask.ts";
import { PLACES_A_TASK } from "./aroundTask.ts";
import { type CaseOptions, rebuildChronicle, runsModel } from "./caseExplorer.ts";

/** The tasks of scenarios: every place of every case. */
export function listAroundTasks(scenarios: readonly Scenario[]): AroundTask[] {
  let ordinal = 0;
  return scenarios.flatMap(({ cases }, file) =>
    cases.flatMap(({ blocks }, at) => {
      const places = blocks.filter(({ refused }) => !refused).length + 1;
      const own = ordinal++;
      return Array.from({ length: Math.ceil(places / PLACES_A_TASK) }, (_, slice): AroundTask => {
        const from = slice * PLACES_A_TASK;
        return { file, case: at, ordinal: own, from, to: Math.min(places, from + PLACES_A_TASK) };
      });
    }),
  );
}

/** Joins what tasks gave, in the order of the tasks. */
export class AroundSums {
  readonly #scenarios: readonly Scenario[];
  readonly #options: CaseOptions;
  readonly #found = new Map<
    string,
    { readonly file: string; readonly plan: Case; readonly first: FoundStep; more: number }
  >();
  readonly #actions: Record<string, Tried> = {};
  readonly #met: Record<string, number> = {};
  /** Cases that show a violation by themselves. */
  readonly #broken = new Set<number>();
  readonly #sums = { places: 0, steps: 0, blocks: 0, sampled: 0 };

  constructor(scenarios: readonly Scenario[], options: CaseOptions) {
    this.#scenarios = scenarios;
    this.#options = options;
  }

  add(task: AroundTask, done: AroundDone): void {
    const { ordinal } = task;
    // What is after a violation of the scenario itself was tried in vain.
    if (this.#broken.has(ordinal)) return;
    const { file, cases } = this.#scenarios[task.file]!;
    if (done.lost !== null) throw new Error(`${file}: the blocks before place ${task.from} ended: ${done.lost}`);
    if (done.isBroken) this.#broken.add(ordinal);
    for (const name of ["places", "steps", "blocks", "sampled"] as const) this.#sums[name] += done[name];
    for (const [kind, { tried, applied }] of Object.entries(done.actions)) {
      const sum = (this.#actions[kind] ??= { tried: 0, applied: 0 });
      sum.tried += tried;
      sum.applied += applied;
    }
    for (const [id, count] of Object.entries(done.met)) this.#met[id] = (this.#met[id] ?? 0) + count;
    for (const found of done.found) this.#add(file, cases[task.case]!, found);
  }

  report(): AroundReport {
    const cases = this.#scenarios.flatMap(({ cases: all }) => all);
    return {
      scenarios: this.#scenarios.length,
      cases: cases.length,
      withModel: cases.filter((plan) => runsModel(plan, this.#options)).length,
      ...this.#sums,
      actions: this.#actions,
      met: this.#met,
      findings: [...this.#found.values()].map(({ file, plan, first, more }): AroundFinding => {
        const { before, step, violation } = first;
        const chronicle = rebuildChronicle(plan, first, this.#options.apply);
        return { file, case: plan.name, before, step: step?.words, violation, chronicle, more };
      }),
    };
  }

  #add(file: string, plan: Case, first: FoundStep): void {
    const key = signatureOf(first.violation);
    const known = this.#found.get(key);
    if (known === undefined) this.#found.set(key, { file, plan, first, more: first.more });
    // A violation that the scenario itself shows needs no step.
    else if (known.first.step !== null && first.step === null)
      this.#found.set(key, { file, plan, first, more: known.more + 1 + first.more });
    else known.more += 1 + first.more;
  }
}
