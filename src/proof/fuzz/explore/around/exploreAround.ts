import type { Case, PlannedBlock, Scenario } from "../../../../product/scenario/compile/plan.ts";
import { CaseRun, type Digest } from "../../../../product/scenario/run/caseRun.ts";

import type { Block } from "../../../../protocol/transaction.ts";
import { createDigester } from "../../../../protocol/typedDataDigest.ts";
import { applyBlock } from "../../../../venue/engine/applyBlock.ts";
import { signingDomainOf } from "../../../../venue/simulation/signatures.ts";
import { invariants } from "../../../invariants/list.ts";
import type { Invariant } from "../../../invariants/machinery/defineInvariant.ts";
import type { Crash } from "../../case/crash.ts";
import type { Chronicle } from "../../case/resolveCase.ts";
import { keepModel, LockStep } from "../../differential/lockStep.ts";
import type { FuzzViolation } from "../../run/violation.ts";
import type { Apply } from "../../shrink/readScript.ts";
import { signatureOf } from "../../shrink/signature.ts";
import { keepPoint, type Point, Trial } from "../trial.ts";
import { listSteps } from "./listSteps.ts";
import { buildStep, type Step } from "./step.ts";

export interface AroundOptions {
  /** Default: all. */
  readonly invariants?: readonly Invariant[];
  /** Run the model in lock step, where the scenario starts at genesis. Default: true. */
  readonly model?: boolean;
  /** Applies a block, for example on a venue with a planted fault. */
  readonly apply?: Apply;
  /** @param places places that were explored so far */
  readonly onProgress?: (places: number, findings: number) => void;
  /**
   * Called with each violation as it is found. What it throws ends the exploration, and so does what `onProgress`
   * throws.
   */
  readonly onFinding?: (finding: AroundFinding) => void;
}

/** A violation after a step. Further steps with the same violation are counted. */
export interface AroundFinding {
  readonly file: string;
  /** Variant and row of the scenario; empty for its only case. */
  readonly case: string;
  /** Block of the scenario before which the step was tried; `the end` after the last. */
  readonly before: string;
  /** The step in words; undefined if the scenario itself shows the violation. */
  readonly step: string | undefined;
  readonly violation: FuzzViolation;
  /** The blocks that lead to it; undefined if the scenario continues from a stored venue. */
  readonly chronicle: Chronicle | undefined;
  /** Number of further steps with the same violation. */
  more: number;
}

/** Outcomes of the steps of one action. */
export interface Tried {
  tried: number;
  applied: number;
}

export interface AroundReport {
  readonly scenarios: number;
  readonly cases: number;
  /** Cases in which the model ran in lock step. */
  readonly withModel: number;
  /** Places between blocks at which every step was tried. */
  readonly places: number;
  /** Steps that were tried, and blocks that were applied and checked, with those after the steps. */
  readonly steps: number;
  readonly blocks: number;
  /** Blocks after which the heavy invariants were checked as well. */
  readonly sampled: number;
  readonly actions: Readonly<Record<string, Tried>>;
  /** By invariant: how often it met its subject. */
  readonly met: Readonly<Record<string, number>>;
  readonly findings: readonly AroundFinding[];
}

/** Heavy invariants are checked after every block of this many. */
export const HEAVY_EVERY = 64;

/**
 * Tries every generic step around every block of scenarios: the step in a block of its own, then the block of the
 * scenario that would have followed. After both it checks the invariants and compares the model.
 */
export function exploreAround(scenarios: readonly Scenario[], options: AroundOptions = {}): AroundReport {
  const around = new Around(options);
  for (const { file, cases } of scenarios) for (const plan of cases) around.explore(file, plan);
  return around.report(scenarios);
}

/** Number of places between blocks at which steps are tried. */
export function countPlaces(scenarios: readonly Scenario[]): number {
  const cases = scenarios.flatMap(({ cases: all }) => all);
  return cases.reduce((sum, { blocks }) => sum + blocks.filter(({ refused }) => !refused).length + 1, 0);
}

class Around {
  readonly #options: AroundOptions;
  readonly #findings = new Map<string, AroundFinding>();
  readonly #actions: Record<string, Tried> = {};
  readonly #met: Record<string, number> = {};
  #withModel = 0;
  #places = 0;
  #steps = 0;
  #blocks = 0;
  #sampled = 0;

  constructor(options: AroundOptions) {
    this.#options = options;
  }

  report(scenarios: readonly Scenario[]): AroundReport {
    return {
      scenarios: scenarios.length,
      cases: scenarios.reduce((sum, { cases }) => sum + cases.length, 0),
      withModel: this.#withModel,
      places: this.#places,
      steps: this.#steps,
      blocks: this.#blocks,
      sampled: this.#sampled,
      actions: this.#actions,
      met: this.#met,
      findings: [...this.#findings.values()],
    };
  }

  explore(file: string, plan: Case): void {
    const { apply, onProgress } = this.#options;
    const chosen = (this.#options.invariants ?? invariants).filter(({ id }) => !plan.disabled.includes(id));
    const digester = createDigester(signingDomainOf(plan.genesis));
    const digest: Digest = (transaction) => digester.digestOf(transaction);
    const run = new CaseRun(plan, digest);
    const trial = new Trial(run.state, { invariants: chosen, apply });
    const withModel = (this.#options.model ?? true) && plan.start === undefined;
    if (withModel) this.#withModel++;
    let model = withModel ? keepModel(new LockStep(plan.genesis, "block", run.state).model) : undefined;
    const blocks: Block[] = [];
    const crashes: Crash[] = [];
    const place = (before: string, next: PlannedBlock | undefined) => {
      const at: Place = { file, plan, digest, run, model, before, next, trial, blocks, crashes };
      for (const step of listSteps(run.state, plan.names)) this.#try(at, step);
      this.#places++;
      onProgress?.(this.#places, this.#findings.size);
    };
    for (const planned of plan.blocks) {
      if (planned.refused) continue;
      place(planned.name, planned);
      for (let count = 0; count < planned.repeat; count++) {
        const { height } = run.state;
        const consumed = run.state.consumed;
        const block = run.build(planned);
        crashes.push(...planned.restart.map((way) => ({ height, way })));
        blocks.push(block);
        const tried = trial.try({ state: run.state, model }, block, { light: this.#blocks });
        this.#blocks++;
        if (tried?.violation !== undefined) {
          const { violation } = tried;
          const chronicle = plan.start === undefined ? { genesis: plan.genesis, blocks, crashes } : undefined;
          this.#add({ file, case: plan.name, before: planned.name, step: undefined, violation, chronicle, more: 0 });
          this.#addMet(trial);
          return;
        }
        model = tried?.model === undefined ? undefined : keepModel(tried.model.model);
        const result = (apply ?? applyBlock)(run.state, block);
        run.remember(planned, block, result, consumed);
      }
    }
    place("the end", undefined);
    this.#addMet(trial);
  }

  /** A step at a place, then the block that would have come there. */
  #try(place: Place, step: Step): void {
    const { run, model, trial, next, plan, digest } = place;
    const block = buildStep(run.state, step);
    const tried = this.#apply(trial, { state: run.state, model }, block);
    this.#steps++;
    if (tried === undefined) return;
    const kind = step.drafts.length === 0 ? "time" : step.kind;
    const count = (this.#actions[kind] ??= { tried: 0, applied: 0 });
    count.tried++;
    if (tried.violation !== undefined) {
      this.#found(place, step, [block], tried.violation);
      return;
    }
    if (block.transactions.every((_, index) => tried.result.receipts.codes[index] === 0)) count.applied++;
    const after = keepPoint(tried);
    const follow =
      next === undefined ? undefined : new CaseRun(plan, digest, { state: after.state, labels: run.labels });
    const following = follow === undefined ? emptyBlock(after) : buildNext(follow, next!, after);
    const then = this.#apply(trial, { state: follow?.state ?? after.state, model: after.model }, following);
    if (then?.violation !== undefined) this.#found(place, step, [block, following], then.violation);
  }

  #apply(trial: Trial, point: Point, block: Block) {
    const heavy = this.#blocks++ % HEAVY_EVERY === 0;
    if (heavy) this.#sampled++;
    return trial.try(point, block, { light: this.#blocks, heavy: heavy ? this.#sampled : undefined });
  }

  #found(
    { file, plan, before, next, blocks, crashes }: Place,
    step: Step,
    own: Block[],
    violation: FuzzViolation,
  ): void {
    const { height } = own[0]!;
    const restarts = own.length > 1 && next !== undefined ? next.restart.map((way) => ({ height, way })) : [];
    const { genesis, start } = plan;
    const chronicle =
      start === undefined ? { genesis, blocks: [...blocks, ...own], crashes: [...crashes, ...restarts] } : undefined;
    this.#add({ file, case: plan.name, before, step: step.words, violation, chronicle, more: 0 });
  }

  #add(finding: AroundFinding): void {
    this.#options.onFinding?.(finding);
    const key = signatureOf(finding.violation);
    const known = this.#findings.get(key);
    if (known === undefined) this.#findings.set(key, finding);
    // A violation that the scenario itself shows needs no step.
    else if (known.step !== undefined && finding.step === undefined)
      this.#findings.set(key, { ...finding, more: known.more + 1 });
    else known.more++;
  }

  #addMet(trial: Trial): void {
    for (const [id, count] of trial.met) this.#met[id] = (this.#met[id] ?? 0) + count;
  }
}

/** A moment between two blocks of a case. */
interface Place {
  readonly file: string;
  readonly plan: Case;
  readonly digest: Digest;
  readonly run: CaseRun;
  readonly model: Point["model"];
  readonly before: string;
  readonly next: PlannedBlock | undefined;
  readonly trial: Trial;
  readonly blocks: readonly Block[];
  readonly crashes: readonly Crash[];
}

function emptyBlock({ state: { height, timeMs } }: Point): Block {
  return { height: height + 1, timeMs: timeMs + 1000, transactions: [] };
}

/** The next block of the scenario; later if the step took longer than the scenario waits. */
function buildNext(run: CaseRun, planned: PlannedBlock, { state }: Point): Block {
  const block = run.build(planned);
  return block.timeMs > state.timeMs ? block : { ...block, timeMs: state.timeMs + 1000 };
}
