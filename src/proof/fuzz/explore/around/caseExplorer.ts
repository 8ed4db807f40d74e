import type { Case, PlannedBlock } from "../../../../product/scenario/compile/plan.ts";
import { CaseRun, type Digest } from "../../../../product/scenario/run/caseRun.ts";
import type { Block } from "../../../../protocol/transaction.ts";
import { createDigester } from "../../../../protocol/typedDataDigest.ts";
import { applyBlock } from "../../../../venue/engine/applyBlock.ts";
import { forkState } from "../../../../venue/engine/state/forkState.ts";
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
import type { AroundDone, AroundTask, FoundStep } from "./aroundTask.ts";
import { listSteps } from "./listSteps.ts";
import { buildStep, type Step } from "./step.ts";

export interface CaseOptions {
  /** Default: all. */
  readonly invariants?: readonly Invariant[] | undefined;
  /** Run the model in lock step, where the scenario starts at genesis. Default: true. */
  readonly model?: boolean | undefined;
  /** Applies a block, for example on a venue with a planted fault. */
  readonly apply?: Apply | undefined;
  /** Called with each violation as it is found. What it throws ends the exploration. */
  readonly onFound?: ((found: FoundStep) => void) | undefined;
}

/** Heavy invariants are checked after every block of this many. */
export const HEAVY_EVERY = 64;

/**
 * Turns from one place to the next, more than most places have blocks. The number of heavy turns in it is odd, so that
 * each place begins with other parts of the checks that see a part of their cases.
 */
const TURNS = 65 * HEAVY_EVERY;
/** Each place has its heavy checks at other steps: so many blocks later than the place before. */
const SHIFT = 29;

/** Whether the model runs in lock step with a case. */
export function runsModel({ start }: Case, { model = true }: CaseOptions): boolean {
  return model && start === undefined;
}

/** Tries every step at places of one case. What a task gives depends on the case and the task alone. */
export class CaseExplorer {
  readonly #plan: Case;
  readonly #planned: readonly PlannedBlock[];
  readonly #options: CaseOptions;
  readonly #apply: Apply;
  readonly #digest: Digest;
  readonly #trial: Trial;
  #run!: CaseRun;
  #model: Point["model"];
  /** Planned blocks, and blocks, that were applied. */
  #at = 0;
  #own = 0;
  #metBefore: ReadonlyMap<string, number> = new Map();
  #done!: AroundDone;
  /** Turn of the next block. */
  #turn = 0;

  constructor(plan: Case, options: CaseOptions) {
    this.#plan = plan;
    this.#planned = plan.blocks.filter(({ refused }) => !refused);
    this.#options = options;
    this.#apply = options.apply ?? applyBlock;
    this.#digest = digestOf(plan);
    const chosen = (options.invariants ?? invariants).filter(({ id }) => !plan.disabled.includes(id));
    this.#begin();
    this.#trial = new Trial(this.#run.state, { invariants: chosen, apply: options.apply });
  }

  explore({ from, to, ordinal }: Pick<AroundTask, "from" | "to" | "ordinal">): AroundDone {
    this.#done = {
      ...{ places: 0, steps: 0, blocks: 0, sampled: 0, actions: {}, met: {}, found: [], isBroken: false, lost: null },
    };
    try {
      this.#goTo(from);
    } catch (error) {
      // A task before this one reports it.
      return { ...this.#done, lost: error instanceof Error ? error.message : String(error) };
    }
    for (const isHeavy of [false, true]) this.#trial.forget({ state: this.#run.state, model: undefined }, isHeavy);
    for (let place = from; place < to && !this.#done.isBroken; place++) {
      this.#turn = (ordinal + place) * TURNS + (((ordinal + place) * SHIFT) % HEAVY_EVERY);
      const next = this.#planned[place];
      const steps = listSteps(this.#run.state, this.#plan.names);
      for (const [index, step] of steps.entries()) this.#try(step, index, next);
      this.#done.places++;
      if (next !== undefined) this.#advance(next);
    }
    const { met } = this.#trial;
    this.#done.met = Object.fromEntries([...met].map(([id, count]) => [id, count - (this.#metBefore.get(id) ?? 0)]));
    this.#metBefore = met;
    return this.#done;
  }

  #begin(): void {
    this.#run = new CaseRun(this.#plan, this.#digest);
    this.#at = 0;
    this.#own = 0;
    const { genesis } = this.#plan;
    this.#model = runsModel(this.#plan, this.#options)
      ? keepModel(new LockStep(genesis, "block", this.#run.state).model)
      : undefined;
  }

  /** Applies the blocks before a place, without checks. */
  #goTo(place: number): void {
    if (this.#at > place) this.#begin();
    while (this.#at < place) {
      const planned = this.#planned[this.#at]!;
      for (let count = 0; count < planned.repeat; count++) {
        const { consumed } = this.#run.state;
        const block = this.#run.build(planned);
        const { state } = this.#run;
        const both = this.#model && new LockStep(state.genesis, "block", state, this.#model);
        const result = this.#apply(state, block, both?.probe);
        both?.finish();
        this.#model = both && keepModel(both.model);
        this.#run.remember(planned, block, result, consumed);
        this.#own++;
      }
      this.#at++;
    }
  }

  /** Applies the blocks of the scenario at a place, and checks them. */
  #advance(planned: PlannedBlock): void {
    const run = this.#run;
    for (let count = 0; count < planned.repeat; count++) {
      const { consumed } = run.state;
      const block = run.build(planned);
      const tried = this.#trial.try({ state: run.state, model: this.#model }, block, { light: this.#turn++ });
      this.#done.blocks++;
      this.#own++;
      if (tried?.violation !== undefined) {
        this.#found({ before: planned.name, step: null, isFollowing: false, violation: tried.violation });
        this.#done.isBroken = true;
        return;
      }
      this.#model = tried?.model === undefined ? undefined : keepModel(tried.model.model);
      const result = this.#apply(run.state, block);
      run.remember(planned, block, result, consumed);
    }
    this.#at++;
  }

  /** A step, then the block that would have come there. */
  #try(step: Step, index: number, next: PlannedBlock | undefined): void {
    const run = this.#run;
    const found = (isFollowing: boolean, violation: FuzzViolation) =>
      this.#found({ before: next?.name ?? "the end", step: { index, words: step.words }, isFollowing, violation });
    const block = buildStep(run.state, step);
    const tried = this.#check({ state: run.state, model: this.#model }, block);
    this.#done.steps++;
    if (tried === undefined) return;
    const kind = step.drafts.length === 0 ? "time" : step.kind;
    const count = (this.#done.actions[kind] ??= { tried: 0, applied: 0 });
    count.tried++;
    if (tried.violation !== undefined) {
      found(false, tried.violation);
      return;
    }
    if (block.transactions.every((_, at) => tried.result.receipts.codes[at] === 0)) count.applied++;
    const after = keepPoint(tried);
    const { state, following } = buildFollowing(this.#plan, this.#digest, after, run, next);
    const then = this.#check({ state, model: after.model }, following);
    if (then?.violation !== undefined) found(true, then.violation);
  }

  #check(point: Point, block: Block) {
    const light = this.#turn++;
    const isHeavy = light % HEAVY_EVERY === 0;
    this.#done.blocks++;
    if (isHeavy) this.#done.sampled++;
    return this.#trial.try(point, block, { light, heavy: isHeavy ? light / HEAVY_EVERY : undefined });
  }

  #found(given: Omit<FoundStep, "own" | "more">): void {
    const found: FoundStep = { ...given, own: this.#own, more: 0 };
    this.#options.onFound?.(found);
    const key = signatureOf(found.violation);
    const isKnown = (one: FoundStep) =>
      (one.step === null) === (found.step === null) && signatureOf(one.violation) === key;
    const known = this.#done.found.find(isKnown);
    if (known === undefined) this.#done.found.push(found);
    else known.more++;
  }
}

/** The blocks that lead to a violation; undefined if the case continues from a stored venue. */
export function rebuildChronicle(plan: Case, found: FoundStep, apply: Apply = applyBlock): Chronicle | undefined {
  if (plan.start !== undefined) return undefined;
  const digest = digestOf(plan);
  const run = new CaseRun(plan, digest);
  const blocks: Block[] = [];
  const crashes: Crash[] = [];
  const end = () => ({ genesis: plan.genesis, blocks, crashes });
  const planned = plan.blocks.filter(({ refused }) => !refused);
  const last = found.step === null ? found.own : found.own + 1;
  for (const next of [...planned, undefined]) {
    if (blocks.length + 1 === last && found.step !== null) {
      const block = buildStep(run.state, listSteps(run.state, plan.names)[found.step.index]!);
      blocks.push(block);
      if (!found.isFollowing) return end();
      const after = { state: forkState(run.state), model: undefined };
      apply(after.state, block);
      blocks.push(buildFollowing(plan, digest, after, run, next).following);
      crashes.push(...(next?.restart ?? []).map((way) => ({ height: block.height, way })));
      return end();
    }
    for (let count = 0; count < (next?.repeat ?? 0); count++) {
      const { height, consumed } = run.state;
      const block = run.build(next!);
      crashes.push(...next!.restart.map((way) => ({ height, way })));
      blocks.push(block);
      if (found.step === null && blocks.length === last) return end();
      run.remember(next!, block, apply(run.state, block), consumed);
    }
  }
  throw new Error("the case has no such place");
}

function digestOf({ genesis }: Case): Digest {
  const digester = createDigester(signingDomainOf(genesis));
  return (transaction) => digester.digestOf(transaction);
}

/** The block that follows a step, and the venue before it: a block of the scenario may have it start again. */
function buildFollowing(plan: Case, digest: Digest, after: Point, { labels }: CaseRun, next: PlannedBlock | undefined) {
  if (next === undefined) return { state: after.state, following: emptyBlock(after) };
  const run = new CaseRun(plan, digest, { state: after.state, labels });
  const following = buildNext(run, next, after);
  return { state: run.state, following };
}

function emptyBlock({ state: { height, timeMs } }: Point): Block {
  return { height: height + 1, timeMs: timeMs + 1000, transactions: [] };
}

/** The next block of the scenario; later if the step took longer than the scenario waits. */
function buildNext(run: CaseRun, planned: PlannedBlock, { state }: Point): Block {
  const block = run.build(planned);
  return block.timeMs > state.timeMs ? block : { ...block, timeMs: state.timeMs + 1000 };
}
