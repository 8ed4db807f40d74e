import { textOf } from "../../../../product/scenario/parse/cell.ts";
import { stepsOf } from "../../../../product/scenario/run/caseRun.ts";
import type { Block } from "../../../../protocol/transaction.ts";
import { invariants } from "../../../invariants/list.ts";
import type { Invariant } from "../../../invariants/machinery/defineInvariant.ts";
import type { FuzzViolation } from "../../run/violation.ts";
import type { Apply } from "../../shrink/readScript.ts";
import { Trial, type Tried } from "../trial.ts";
import { Futures } from "./futures.ts";
import { digestHidden } from "./hiddenState.ts";
import { LetterBlocks } from "./letterBlocks.ts";
import { type Letters, Path, type Place } from "./path.ts";
import { StartKeys } from "./startKeys.ts";
import type { LetterCount } from "./startReport.ts";
import {
  type Checked,
  type CheckTask,
  type Compared,
  type CompareTask,
  type Expanded,
  type ExpandTask,
  type Outcome,
  type Reached,
  SLICES,
  type Task,
  type TaskCounts,
  type TaskResult,
} from "./task.ts";
import type { Start } from "./worlds.ts";

export interface ExplorerOptions {
  /** Default: all. */
  readonly invariants?: readonly Invariant[] | undefined;
  /** Applies a block, for example on a venue with a planted fault. */
  readonly apply?: Apply | undefined;
  /** Called with each check of the heavy invariants, which it runs: it may measure what they cost. */
  readonly runHeavy?: <Found>(check: () => Found) => Found;
  /** Called after each block that was tried. */
  readonly onTried?: () => void;
}

/** Does the work of an exploration from one start: tries blocks, and checks what they lead to. */
export class Explorer {
  readonly #start: Start;
  readonly #blocks: LetterBlocks;
  readonly #keys: StartKeys;
  readonly #futures: Futures;
  readonly #trial: Trial;
  readonly #path: Path;
  /** Leads to the states before heavy checks, without the model. */
  readonly #plainPath: Path;
  readonly #runHeavy: NonNullable<ExplorerOptions["runHeavy"]>;
  readonly #onTried: () => void;
  /** The block that was tried last. */
  #last: { readonly place: Place; readonly letter: number; readonly tried: Tried } | undefined;
  /** Digest of the hidden state of the place that was expanded last. */
  #hidden: { readonly place: Place; readonly digest: string } | undefined;
  #counts: { transitions: number; unchanged: number; traces: number; blocks: LetterCount[] };
  /** How often each invariant had met its subject when the counts were taken last. */
  #metBefore: readonly number[] = [];

  constructor(start: Start, { apply, invariants: chosen = invariants, runHeavy, onTried }: ExplorerOptions) {
    this.#start = start;
    this.#blocks = new LetterBlocks(start);
    this.#keys = new StartKeys(start, this.#blocks);
    this.#futures = new Futures(start, this.#blocks, this.#keys, apply);
    this.#trial = new Trial(start.point.state, { invariants: chosen, apply });
    this.#path = new Path(start, this.#blocks, { apply });
    this.#plainPath = new Path(start, this.#blocks, { apply, withModel: false });
    this.#runHeavy = runHeavy ?? ((check) => check());
    this.#onTried = onTried ?? (() => undefined);
    this.#counts = this.#createCounts();
  }

  run(task: Task): TaskResult {
    switch (task.kind) {
      case "expand":
        return this.#expandAll(task);
      case "check":
        return this.#checkAll(task);
      case "compare":
        return this.#compareAll(task);
    }
  }

  /** What was counted since the last call. */
  takeCounts(): TaskCounts {
    const met = [...this.#trial.met.values()];
    const counts = { ...this.#counts, met: met.map((count, at) => count - (this.#metBefore[at] ?? 0)) };
    this.#metBefore = met;
    this.#counts = this.#createCounts();
    return counts;
  }

  #createCounts() {
    const blocks = (this.#start.plan.explore?.alphabet ?? []).map(() => ({ tried: 0, applied: 0, asExpected: [] }));
    return { transitions: 0, unchanged: 0, traces: 0, blocks };
  }

  #expandAll({ states, letter, place, turn }: ExpandTask): Expanded {
    const { length } = this.#start.alphabet.letters;
    return states.map((reached, at) => {
      if ((place + at) % SLICES.expand === 0 && (letter ?? 0) === 0) this.#trial.forget(this.#start.point, false);
      const here = this.#reach(reached, letter === undefined);
      const outcomes: Outcome[] = [];
      const [from, to] = letter === undefined ? [0, length] : [letter, letter + 1];
      for (let next = from; next < to; next++) {
        const outcome = this.#try(here, reached.key, next, (turn + at) * length + next);
        if (outcome !== undefined) outcomes.push(outcome);
      }
      return outcomes;
    });
  }

  /** @param isChecked compares the key of the state: a thread or machine that differs must end here */
  #reach({ letters, key }: Reached, isChecked: boolean): Place {
    const place = this.#path.reach(letters);
    // A state after a refused block that left a trace has the digest of the trace after the key.
    const [plain] = key.split(" ");
    if (isChecked && this.#keys.keyOf(place.point.state, place.labels).key !== plain)
      throw new Error(
        `blocks ${letters.join(", ")} of the alphabet led to another state here: the venue is not the same`,
      );
    return place;
  }

  /** Undefined if the block cannot be tried here, or changes nothing. */
  #try(place: Place, key: string, letter: number, turn: number): Outcome | undefined {
    const { point, labels } = place;
    const block = this.#blocks.build(point.state, labels, letter);
    if (block === undefined) return undefined;
    const { consumed } = point.state;
    const tried = this.#trial.try(point, block, { light: turn });
    if (tried === undefined) return undefined;
    this.#last = { place, letter, tried };
    this.#counts.transitions++;
    this.#onTried();
    if (tried.violation !== undefined) return { letter, violation: tried.violation };
    const isRefused = this.#count(letter, block, tried);
    const applied = { block, result: tried.result, state: tried.state, consumed };
    const after = this.#keys.keyOf(tried.state, this.#blocks.label(labels, letter, applied)).key;
    if (!isRefused || after !== key) return { letter, key: after };
    const hidden = digestHidden(tried.state);
    if (hidden === this.#hiddenOf(place)) {
      this.#counts.unchanged++;
      return undefined;
    }
    this.#counts.traces++;
    return { letter, key: `${after} ${hidden}` };
  }

  #hiddenOf(place: Place): string {
    if (this.#hidden?.place !== place) this.#hidden = { place, digest: digestHidden(place.point.state) };
    return this.#hidden.digest;
  }

  /** Counts the outcomes of a block. Returns true if the venue refused every transaction. */
  #count(letter: number, { transactions }: Block, { result }: Tried): boolean {
    const { block: place, planned } = this.#start.alphabet.letters[letter]!;
    const count = this.#counts.blocks[place]!;
    count.tried++;
    let applied = 0;
    for (const [index, step] of stepsOf(planned).entries()) {
      const { receipts } = result;
      if (receipts.codes[index] === 0) applied++;
      const isExpected = isOutcome(`${receipts.status(index)} ${receipts.code(index) ?? ""}`, textOf(step.expect));
      count.asExpected[index] = (count.asExpected[index] ?? 0) + (isExpected ? 1 : 0);
    }
    if (applied === transactions.length) count.applied++;
    return transactions.length > 0 && applied === 0;
  }

  #checkAll({ states, place, turn }: CheckTask): Checked {
    return states.map((letters, at) => {
      if ((place + at) % SLICES.check === 0) this.#trial.forget(this.#start.point, true);
      return this.#checkHeavy(letters, turn + at) ?? null;
    });
  }

  #checkHeavy(letters: Letters, turn: number): FuzzViolation | undefined {
    const before = letters.slice(0, -1);
    const letter = letters.at(-1)!;
    // The block that was tried last need not be applied again.
    const last = this.#last;
    if (last?.letter === letter && last.place === this.#path.reach(before))
      return this.#runHeavy(() => last.tried.checkHeavy(turn));
    const { point, labels } = this.#plainPath.reach(before);
    const block = this.#blocks.build(point.state, labels, letter)!;
    this.#last = undefined;
    return this.#runHeavy(() => this.#trial.checkHeavy(point, block, turn));
  }

  #compareAll({ pairs }: CompareTask): Compared {
    return pairs.map(([first, second]) => this.#futures.compare(first, second) ?? null);
  }
}

/** Whether an outcome is the expected one: its status, with its code if the world names one. */
function isOutcome(outcome: string, expected = "applied"): boolean {
  return outcome === expected || outcome.startsWith(`${expected} `);
}
