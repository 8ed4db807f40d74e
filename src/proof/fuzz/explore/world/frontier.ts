import { applyBlock } from "../../../../venue/engine/applyBlock.ts";
import { invariants } from "../../../invariants/list.ts";
import type { Invariant } from "../../../invariants/machinery/defineInvariant.ts";
import type { FuzzViolation } from "../../run/violation.ts";
import type { Apply } from "../../shrink/readScript.ts";
import { signatureOf } from "../../shrink/signature.ts";
import { LetterBlocks } from "./letterBlocks.ts";
import { type Letters, Path } from "./path.ts";
import { StartKeys } from "./startKeys.ts";
import type { LetterCount, StartReport, Unequal, WorldFinding } from "./startReport.ts";
import {
  type Checked,
  type CheckTask,
  type Compared,
  type CompareTask,
  type Expanded,
  type ExpandTask,
  SLICES,
  type Task,
  type TaskCounts,
  type TaskResult,
} from "./task.ts";
import type { Start } from "./worlds.ts";

/** Of so many new states before the last depth, the first has the heavy invariants. */
export const HEAVY_EVERY = 16;

export interface FrontierOptions {
  readonly depth: number;
  /** Default: all. */
  readonly invariants?: readonly Invariant[] | undefined;
  /** Applies a block, for example on a venue with a planted fault. */
  readonly apply?: Apply | undefined;
  /** One of this many merged pairs is tried for the same future. Default: 64. */
  readonly mergesEvery?: number | undefined;
  /**
   * Heavy invariants run on every new state of the last depth, and on one of this many new states of the depths before.
   * Default: `HEAVY_EVERY`.
   */
  readonly heavyEvery?: number | undefined;
  /** Called with each violation as it is known. What it throws ends the exploration. */
  readonly onFinding?: ((finding: WorldFinding) => void) | undefined;
  /**
   * A round of tasks is one block, and what follows from it, instead of a level: for a caller that ends at the first
   * finding. The report is the same.
   */
  readonly isStepwise?: boolean;
}

/** A state by the sequence that first led to it. */
interface Node {
  readonly parent: Node | undefined;
  readonly letter: number;
  readonly key: string;
}

/** States to expand, and the tasks that do. */
interface Round {
  readonly nodes: readonly Node[];
  readonly tasks: readonly ExpandTask[];
}

/** A block that led to a new state, or to a violation. */
interface MergedStep {
  readonly node: Node;
  readonly violation: FuzzViolation | undefined;
  readonly isHeavy: boolean;
}

/** What a round added, in the order of the states that were expanded. */
interface Merged {
  readonly steps: readonly MergedStep[];
  /** Known states, and sequences that led to them again: those that are tried for the same future. */
  readonly pairs: readonly (readonly [Node, Node])[];
}

/**
 * The states that an exploration knows, and those that it expands next. It plans the tasks and merges their results in
 * the order of the tasks, so the first sequence to a state does not depend on where and when tasks are done.
 */
export class Frontier {
  readonly #start: Start;
  readonly #options: FrontierOptions;
  readonly #seen = new Map<string, Node>();
  readonly #findings = new Map<string, WorldFinding>();
  readonly #unequal: Unequal[] = [];
  readonly #statesAt: number[] = [1];
  /** Leads to the blocks of a finding. */
  readonly #path: Path;
  readonly #rootKey: string;
  /** States that were expanded in the levels so far. */
  #expanded = 0;
  /** New states so far of the last depth, and of the depths before, and heavy checks of those. */
  #newAtLast = 0;
  #newBefore = 0;
  #heavyBefore = 0;
  #merged = 0;
  #pairsTried = 0;

  constructor(start: Start, options: FrontierOptions) {
    this.#start = start;
    this.#options = options;
    const blocks = new LetterBlocks(start);
    this.#path = new Path(start, blocks, { apply: options.apply ?? applyBlock, withModel: false });
    this.#rootKey = new StartKeys(start, blocks).keyOf(start.point.state, start.labels).key;
  }

  /** Number of states, and of different violations, so far. */
  get states(): number {
    return this.#seen.size;
  }

  get findings(): number {
    return this.#findings.size;
  }

  /** New states of the levels that are done, the start first. */
  get statesAt(): readonly number[] {
    return this.#statesAt;
  }

  /** Yields rounds of tasks, and takes their results, until all sequences were tried. */
  *explore(): Generator<readonly Task[], void, readonly TaskResult[]> {
    const { depth } = this.#options;
    let level: Node[] = [{ parent: undefined, letter: -1, key: this.#rootKey }];
    this.#seen.set(this.#rootKey, level[0]!);
    for (let at = 1; at <= depth; at++) {
      const next: Node[] = [];
      // Heavy checks of this level so far.
      let place = 0;
      for (const { nodes, tasks } of this.#listRounds(level)) {
        const turn = this.#heavyBefore + this.#newAtLast;
        const expanded = ((yield tasks) as Expanded[]).flat();
        if (expanded.length !== nodes.length) throw new RangeError("a task has another number of results than states");
        const merged = this.#merge(nodes, expanded, at === depth);
        const checks = planChecks(merged.steps, place, turn);
        const pairs = planPairs(merged.pairs);
        const results = checks.length + pairs.length === 0 ? [] : yield [...checks, ...pairs];
        const checked = (results.slice(0, checks.length) as Checked[]).flat();
        for (const node of this.#settle(merged.steps, checked)) next.push(node);
        this.#compare(merged.pairs, (results.slice(checks.length) as Compared[]).flat());
        place += this.#heavyBefore + this.#newAtLast - turn;
      }
      this.#expanded += level.length;
      this.#statesAt.push(next.length);
      level = next;
    }
  }

  /** @param counts those of all tasks */
  report(counts: readonly TaskCounts[]): StartReport {
    const { depth, invariants: chosen = invariants } = this.#options;
    const sum = (of: (one: TaskCounts) => number) => counts.reduce((total, one) => total + of(one), 0);
    return {
      start: this.#start.name,
      depth,
      statesAt: this.#statesAt,
      states: this.#seen.size,
      heavyAtLast: this.#newAtLast,
      heavyBefore: this.#heavyBefore,
      transitions: sum(({ transitions }) => transitions),
      unchanged: sum(({ unchanged }) => unchanged),
      traces: sum(({ traces }) => traces),
      merged: this.#merged,
      pairsTried: this.#pairsTried,
      blocks: sumBlocks(counts),
      met: new Map(chosen.map(({ id }, at) => [id, sum(({ met }) => met[at] ?? 0)])),
      findings: [...this.#findings.values()],
      unequal: this.#unequal,
    };
  }

  /** The tasks that expand a level, in rounds, with the states of each round. */
  *#listRounds(level: readonly Node[]): Generator<Round> {
    const taskOf = (nodes: readonly Node[], place: number): ExpandTask => {
      const states = nodes.map((node) => ({ letters: lettersOf(node), key: node.key }));
      return { kind: "expand", place, turn: this.#expanded + place, states };
    };
    if (this.#options.isStepwise !== true) {
      const slices = splitAt(level, SLICES.expand, 0);
      yield { nodes: level, tasks: slices.map(({ part, place }) => taskOf(part, place)) };
      return;
    }
    for (const [place, node] of level.entries()) {
      const task = taskOf([node], place);
      for (const letter of this.#start.alphabet.letters.keys()) yield { nodes: [node], tasks: [{ ...task, letter }] };
    }
  }

  /** Adds new states to the known ones, in the order of the states that were expanded. */
  #merge(nodes: readonly Node[], expanded: Expanded, isLast: boolean): Merged {
    const steps: MergedStep[] = [];
    const pairs: [Node, Node][] = [];
    for (const [at, outcomes] of expanded.entries()) {
      for (const outcome of outcomes) {
        const { letter } = outcome;
        if ("violation" in outcome) {
          steps.push({ node: { parent: nodes[at], letter, key: "" }, violation: outcome.violation, isHeavy: false });
          continue;
        }
        const node: Node = { parent: nodes[at], letter, key: outcome.key };
        const known = this.#seen.get(node.key);
        if (known === undefined) {
          this.#seen.set(node.key, node);
          steps.push({ node, violation: undefined, isHeavy: this.#isHeavy(isLast) });
        } else if (this.#merged++ % (this.#options.mergesEvery ?? 64) === 0) {
          this.#pairsTried++;
          pairs.push([known, node]);
        }
      }
    }
    return { steps, pairs };
  }

  /** Whether a new state has the heavy invariants. */
  #isHeavy(isLast: boolean): boolean {
    if (isLast) this.#newAtLast++;
    else if (this.#newBefore++ % (this.#options.heavyEvery ?? HEAVY_EVERY) === 0) this.#heavyBefore++;
    else return false;
    return true;
  }

  /** Notes the violations of a round, and returns the new states that have none. */
  #settle(steps: readonly MergedStep[], checked: Checked): Node[] {
    const kept: Node[] = [];
    let at = 0;
    for (const { node, violation, isHeavy } of steps) {
      const found = isHeavy ? checked[at++] : violation;
      if (found === undefined || found === null) kept.push(node);
      else this.#add(lettersOf(node), found);
    }
    return kept;
  }

  #compare(pairs: Merged["pairs"], compared: Compared): void {
    for (const [at, difference] of compared.entries()) {
      if (difference === null) continue;
      const [first, second] = pairs[at]!.map((node) => this.#namesOf(lettersOf(node))) as [string[], string[]];
      this.#unequal.push({ first, second, ...difference });
    }
  }

  #add(letters: Letters, violation: FuzzViolation): void {
    const signature = signatureOf(violation);
    const known = this.#findings.get(signature);
    if (known !== undefined) {
      known.more++;
      return;
    }
    const { plan, blocks, crashes } = this.#start;
    const chronicle = { genesis: plan.genesis, blocks: [...blocks, ...this.#path.listBlocks(letters)], crashes };
    const finding: WorldFinding = { path: this.#namesOf(letters), violation, chronicle, more: 0 };
    this.#findings.set(signature, finding);
    this.#options.onFinding?.(finding);
  }

  #namesOf(letters: Letters): string[] {
    return letters.map((letter) => this.#start.alphabet.letters[letter]!.name);
  }
}

function lettersOf(node: Node): number[] {
  const letters: number[] = [];
  for (let at = node; at.parent !== undefined; at = at.parent) letters.push(at.letter);
  return letters.reverse();
}

/** Tasks of heavy checks. Their slices count from the first heavy check of the level. */
function planChecks(steps: readonly MergedStep[], place: number, turn: number): CheckTask[] {
  const states = steps.filter(({ isHeavy }) => isHeavy).map(({ node }) => lettersOf(node));
  return splitAt(states, SLICES.check, place).map((slice) => ({
    kind: "check",
    place: slice.place,
    turn: turn + slice.place - place,
    states: slice.part,
  }));
}

function planPairs(pairs: Merged["pairs"]): CompareTask[] {
  const all = pairs.map(([first, second]) => [lettersOf(first), lettersOf(second)] as const);
  return splitAt(all, SLICES.compare, 0).map(({ part }) => ({ kind: "compare", pairs: part }));
}

/** Slices that end at multiples of their size, counted from a place. */
function splitAt<Value>(values: readonly Value[], size: number, from: number): { part: Value[]; place: number }[] {
  const slices: { part: Value[]; place: number }[] = [];
  for (let place = from; place < from + values.length; ) {
    const end = Math.min(from + values.length, (Math.floor(place / size) + 1) * size);
    slices.push({ part: values.slice(place - from, end - from), place });
    place = end;
  }
  return slices;
}

function sumBlocks(counts: readonly TaskCounts[]): LetterCount[] {
  return (counts[0]?.blocks ?? []).map((_, at) => {
    const sum: LetterCount = { tried: 0, applied: 0, asExpected: [] };
    for (const { blocks } of counts) {
      const { tried, applied, asExpected } = blocks[at]!;
      sum.tried += tried;
      sum.applied += applied;
      for (const [index, count] of asExpected.entries()) sum.asExpected[index] = (sum.asExpected[index] ?? 0) + count;
    }
    return sum;
  });
}
