import type { Bytes32 } from "../../../protocol/fields.ts";
import type { Block } from "../../../protocol/transaction.ts";
import { applyBlock, type BlockResult } from "../../../venue/engine/applyBlock.ts";
import { computeRoot, getHead } from "../../../venue/engine/commitment/root.ts";
import type { Probe } from "../../../venue/engine/probe.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { type Nearest, Watch, type WatchOptions } from "../../invariants/watch.ts";
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
import type { FuzzKind, FuzzViolation, Oracle } from "./violation.ts";

/** Which ways of looking a run uses. What throws is always seen. */
export interface Oracles {
  /** Invariants; false for none. Default: all of them. */
  readonly watch?: WatchOptions | false;
  /** The reference model applies the same blocks, and is compared after each. */
  readonly model?: boolean;
  /** The case is run a second time, and both have to be the same. */
  readonly again?: boolean;
  /** Its blocks are run with the venue written and read in between, and have to lead to the same venue. */
  readonly restored?: boolean;
  /** Its blocks are run with changes that must not matter, see `METAMORPHIC_PAIRS`. */
  readonly metamorphic?: boolean;
  /** Its genesis, its blocks and what its venue is written to are spoilt, and have to be refused. */
  readonly damaged?: boolean;
}

export interface RunOptions {
  readonly oracles?: Oracles;
  /** Counts what is reached. */
  readonly feedback?: Feedback;
  /** It counts how near invariants came to being broken, too. Default: yes. */
  readonly slack?: boolean;
  /** It begins to look where the case stands: what led there does not count. */
  readonly begun?: Begun;
  /** The run ends with the block in which there were as many. */
  readonly maxTransactions?: number;
  /** The blocks are kept and given back. */
  readonly records?: boolean;
  /** A fault to plant behind each block: the run is to find it. */
  readonly plant?: (state: State, result: BlockResult) => void;
  /** Told the height of each block before it is applied: what does not come back from one can be told by it. */
  readonly onBlock?: (height: number) => void;
}

/** How the run of a case ended. */
export interface CaseRun {
  /** The first one. The run ended with it. */
  readonly violation?: FuzzViolation;
  readonly transactions: number;
  readonly blocks: number;
  /** Head of the effects chain at the end: the same blocks with the same outcomes have the same one, on any machine. */
  readonly digest: Bytes32;
  /** What the feedback counted, see `CoverageMap.read`; empty without. */
  readonly reached: Uint32Array;
  /** For each place of it, the genes behind which the venue stood that reached it first; 0 where none could follow. */
  readonly behind: Uint16Array;
  /** The blocks, where they were to be kept; the last one may be that at which the venue threw. */
  readonly chronicle?: Chronicle;
  /** How often there was something to look at for each invariant. */
  readonly met: ReadonlyMap<string, number>;
  /** How near each invariant with a `slack` came to being broken, see `Watch.nearest`. */
  readonly nearest: ReadonlyMap<string, Nearest>;
}

/** Runs a case, or the blocks of one, to its first violation or its end. Nothing that the venue does makes it throw. */
export function runCase(subject: Subject, options: RunOptions = {}): CaseRun {
  const { oracles = {} } = options;
  options.feedback?.start();
  const run = new Run(options.begun?.source ?? openSource(subject), options);
  run.play();
  run.violation ??= repeat(subject, run.played, oracles);
  return run.end();
}

/** What is found by running what was played once more, in other ways. */
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
    // It did not throw the first time.
    return violate("throw", "nothingThrows", played.blocks.at(-1)?.height ?? 0, describe(error));
  }
}

class Run {
  readonly #source: Source;
  readonly #options: RunOptions;
  /** Blocks are kept; and their heads, too. */
  readonly #isKept: boolean;
  readonly #isCompared: boolean;
  readonly played: Played;
  violation: FuzzViolation | undefined;
  readonly #watch: Watch | undefined;
  readonly #model: LockStep | undefined;
  readonly #probe: Probe | undefined;
  #transactions = 0;
  #blocks = 0;
  /** Height of the venue at the beginning, and the genes behind each block since. */
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
    this.#watch = watch === false ? undefined : new Watch(source.state, watch);
    this.#model = model ? new LockStep(source.genesis, "block", source.state, options.begun?.model) : undefined;
    this.#probe = joinProbes(this.#watch?.probe, this.#model?.probe);
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
      behind: Uint16Array.from({ length: reached.length / 2 }, (_, at) => this.#findBoundary(reached[at * 2]!)),
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

  #draw(): Block | undefined {
    try {
      return this.#source.next();
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
    const [found] = this.#watch?.check(state, block, result) ?? [];
    if (found !== undefined) this.violation = { kind: "invariant", ...found };
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
