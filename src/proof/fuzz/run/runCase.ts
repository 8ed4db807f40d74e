import type { Bytes32 } from "../../../protocol/fields.ts";
import type { Block } from "../../../protocol/transaction.ts";
import { applyBlock, type BlockResult } from "../../../venue/engine/applyBlock.ts";
import { writeCanonical } from "../../../venue/engine/commitment/canonical.ts";
import { computeRoot, getHead } from "../../../venue/engine/commitment/root.ts";
import type { Probe } from "../../../venue/engine/probe.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { type Nearest, Watch, type WatchOptions } from "../../invariants/machinery/watching/watch.ts";
import type { Chronicle } from "../case/resolveCase.ts";
import { LockStep } from "../differential/lockStep.ts";
import type { Feedback } from "../feedback/feedback.ts";
import { checkPairs } from "../metamorphic/pairs.ts";
import { joinProbes } from "./joinProbes.ts";
import { compareWithModel } from "./modelCheckers.ts";
import { checkRefusals } from "./refusals.ts";
import { checkAgain, checkRestored, type Played } from "./repeat.ts";
import { openSource, type Source, type Subject } from "./source.ts";
import type { Begun } from "./startingPoints.ts";
import { testedProbe } from "./testedProbe.ts";
import type { FuzzKind, FuzzViolation, Oracle } from "./violation.ts";

/** Selects the oracles of a run. An exception is always reported. */
export interface Oracles {
  /** Invariants; false for none. Default: all. */
  readonly watch?: WatchOptions | false;
  /** Runs the reference model on the same blocks and compares it after each. */
  readonly model?: boolean;
  /** Runs the case a second time; both runs must be equal. */
  readonly again?: boolean;
  /** Runs the blocks with restarts; they must lead to the same venue. */
  readonly restored?: boolean;
  /** Runs the blocks with changes that must not matter, see `METAMORPHIC_PAIRS`. */
  readonly metamorphic?: boolean;
  /** Damages the genesis, the blocks and the stored venue; each must be refused. */
  readonly damaged?: boolean;
}

export interface RunOptions {
  readonly oracles?: Oracles;
  /** Counts the places that the run reaches. */
  readonly feedback?: Feedback;
  /** True to count the slack of invariants in the feedback as well. Default: true. */
  readonly slack?: boolean;
  /** Starts from this moment of the case; earlier blocks are neither checked nor counted. */
  readonly begun?: Begun;
  /** The run ends with the block that reaches this number. */
  readonly maxTransactions?: number;
  /** True to return the blocks. */
  readonly records?: boolean;
  /**
   * True to compare the venue before and after everything that may only read it: the source of each block, every check,
   * the probes. It is slow. Default: only now and then.
   */
  readonly testsReaders?: boolean;
  /** Plants a fault after each block, which the run should find. */
  readonly plant?: (state: State, result: BlockResult) => void;
  /** Receives the height of each block before it is applied. It identifies a block that never returns. */
  readonly onBlock?: (height: number) => void;
}

/** Result of a run. */
export interface CaseRun {
  /** The first violation. It ended the run. */
  readonly violation?: FuzzViolation;
  readonly transactions: number;
  readonly blocks: number;
  /** Head of the effects chain at the end. The same blocks with the same outcomes have the same head on any machine. */
  readonly digest: Bytes32;
  /** Counts of the feedback, see `CoverageMap.read`; empty without feedback. */
  readonly reached: Uint32Array;
  /**
   * For each place of `reached`: number of genes after which the venue first reached it; 0 if no other genes could
   * follow.
   */
  readonly reachedAt: Uint16Array;
  /** The blocks, if requested. In the last one the venue may have thrown. */
  readonly chronicle?: Chronicle;
  /** Number of times each invariant had something to check. */
  readonly met: ReadonlyMap<string, number>;
  /** Smallest slack of each invariant that has one, see `Watch.nearest`. */
  readonly nearest: ReadonlyMap<string, Nearest>;
}

/** Of so many blocks of a case, one is drawn with a comparison of the venue before and after. */
const TESTED_EVERY = 32;

/** Runs a case, or explicit blocks, to the first violation or to the end. It never throws for a fault of the venue. */
export function runCase(subject: Subject, options: RunOptions = {}): CaseRun {
  const { oracles = {} } = options;
  options.feedback?.start();
  const run = new Run(options.begun?.source ?? openSource(subject), options);
  run.play();
  run.violation ??= repeat(subject, run.played, oracles);
  return run.end();
}

/** Runs the played blocks again with the other oracles. */
function repeat(
  subject: Subject,
  played: Played,
  { again, restored, metamorphic, damaged }: Oracles,
): FuzzViolation | undefined {
  try {
    return (
      (again === true ? checkAgain(openSource(subject), played) : undefined) ??
      (restored === true ? checkRestored(played) : undefined) ??
      (metamorphic === true ? checkPairs(played) : undefined) ??
      (damaged === true ? checkRefusals(played) : undefined)
    );
  } catch (error) {
    // It did not throw in the first run.
    return violate("throw", "nothingThrows", played.blocks.at(-1)?.height ?? 0, describe(error));
  }
}

class Run {
  readonly #source: Source;
  readonly #options: RunOptions;
  /** True if blocks are kept, and if their heads are kept. */
  readonly #isKept: boolean;
  readonly #isCompared: boolean;
  readonly played: Played;
  violation: FuzzViolation | undefined;
  readonly #watch: Watch | undefined;
  readonly #model: LockStep | undefined;
  readonly #probe: Probe | undefined;
  readonly #testedEvery: number;
  /** What changed the venue though it may only read it. */
  #writer: FuzzViolation | undefined;
  #draws = 0;
  #transactions = 0;
  #blocks = 0;
  /** Height of the venue at the start, and the number of genes after each block since. */
  readonly #from: number;
  readonly #boundaries: number[] = [];

  constructor(source: Source, options: RunOptions) {
    const { watch, model = false, again = false, restored = false, metamorphic = false } = options.oracles ?? {};
    const { damaged = false } = options.oracles ?? {};
    this.#source = source;
    this.#from = source.state.height;
    this.#options = options;
    this.#isCompared = again || restored;
    this.#isKept = this.#isCompared || metamorphic || damaged || options.records === true;
    this.played = { genesis: source.genesis, blocks: [], heads: [], root: undefined };
    const testsChecks = options.testsReaders === true;
    this.#testedEvery = testsChecks ? 1 : TESTED_EVERY;
    this.#watch = watch === false ? undefined : new Watch(source.state, { ...watch, testsChecks });
    this.#model = model ? new LockStep(source.genesis, "block", source.state, options.begun?.model) : undefined;
    const others = joinProbes(this.#model?.probe, options.feedback?.probe);
    const tested = testsChecks && others !== undefined ? testedProbe(others, () => this.#noteWriter()) : others;
    this.#probe = joinProbes(this.#watch?.probe, tested);
  }

  #noteWriter(): void {
    const observed = "a probe of the search changed the venue: probes only read";
    this.#writer ??= violate("throw", "casesRun", this.#source.state.height, observed);
  }

  play(): void {
    const { maxTransactions = Number.POSITIVE_INFINITY } = this.#options;
    while (this.violation === undefined && this.#transactions < maxTransactions) {
      const block = this.#draw();
      if (block === undefined) break;
      this.#apply(block);
    }
    if (this.#isCompared) this.played.root = computeRoot(this.#source.state);
  }

  end(): CaseRun {
    const { feedback, slack = true } = this.#options;
    const nearest = this.#watch?.nearest ?? new Map<string, Nearest>();
    if (slack) feedback?.observeNearest(nearest);
    const reached = feedback?.map.read() ?? new Uint32Array(0);
    return {
      ...(this.violation === undefined ? {} : { violation: this.violation }),
      transactions: this.#transactions,
      blocks: this.#blocks,
      digest: getHead(this.#source.state),
      reached,
      reachedAt: Uint16Array.from({ length: reached.length / 2 }, (_, at) => this.#findBoundary(reached[at * 2]!)),
      ...(this.#options.records === true ? { chronicle: this.#record() } : {}),
      met: this.#watch?.met ?? new Map(),
      nearest,
    };
  }

  #findBoundary(place: number): number {
    const first = this.#options.feedback!.map.firstOf(place);
    return this.#boundaries[first - this.#from - 1] ?? 0;
  }

  #record(): Chronicle {
    const { genesis, crashes = [] } = this.#source;
    return { genesis, blocks: this.played.blocks, crashes };
  }

  /** The source reads the venue to choose transactions. Now and then it is checked that it does no more than that. */
  #draw(): Block | undefined {
    const tested = this.#draws++ % this.#testedEvery === 0 ? writeCanonical(this.#source.state).slice() : undefined;
    try {
      const block = this.#source.next();
      if (tested === undefined || Buffer.compare(tested, writeCanonical(this.#source.state)) === 0) return block;
      const observed = "the source of the next block changed the venue: sources only read";
      this.violation = violate("throw", "casesRun", this.#source.state.height + 1, observed);
      return undefined;
    } catch (error) {
      this.violation = violate("throw", "casesRun", this.#source.state.height + 1, describe(error));
      return undefined;
    }
  }

  #apply(block: Block): void {
    const { feedback, plant, onBlock } = this.#options;
    const { state } = this.#source;
    const { height } = block;
    if (this.#isKept) this.played.blocks.push(block);
    onBlock?.(height);
    let result: BlockResult;
    try {
      result = applyBlock(state, block, this.#probe);
      plant?.(state, result);
    } catch (error) {
      this.violation = violate("throw", "nothingThrows", height, describe(error));
      return;
    }
    this.#transactions += block.transactions.length;
    this.#blocks++;
    if (feedback !== undefined) this.#boundaries.push(this.#source.boundary ?? 0);
    if (this.#isCompared) this.played.heads.push(getHead(state));
    const all = this.#watch?.check(state, block, result) ?? [];
    // A check that writes breaks others.
    const found = all.find(({ broken }) => broken === "changedVenue") ?? all[0];
    if (this.#writer !== undefined) this.violation = this.#writer;
    else if (found !== undefined) this.violation = { kind: "invariant", ...found };
    else if (this.#model !== undefined) this.violation = compareWithModel(this.#model, state, block);
    if (this.violation === undefined) feedback?.observe(state, block, result);
  }
}

function violate(kind: FuzzKind, invariant: Oracle, height: number, observed: string): FuzzViolation {
  return { kind, invariant, height, observed };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
