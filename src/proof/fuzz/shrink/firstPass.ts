import type { Block } from "../../../protocol/transaction.ts";
import type { BlockResult } from "../../../venue/engine/applyBlock.ts";
import type { Probe } from "../../../venue/engine/probe.ts";
import { forkState } from "../../../venue/engine/state/forkState.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { Checker, CheckerFactory } from "./checker.ts";
import type { Finding } from "./runner.ts";
import type { TransactionLine } from "./script.ts";
import { type Failure, signatureOf } from "./signature.ts";

/** A venue between two blocks of a script. */
export interface Cut {
  /** Number of lines before it. */
  readonly at: number;
  readonly state: State;
}

/** Venues of a script between its blocks. */
export interface Cuts {
  readonly cuts: readonly Cut[];
  /** Number of transactions committed before each line was played, by line number. */
  readonly bases: ArrayLike<number>;
}

/** Numbers of blocks after a cut: one, two, four and so on, up to half of all. */
export function listCuts(blocks: number): number[] {
  const after: number[] = [];
  for (let count = 1; count <= blocks / 2; count *= 2) after.push(count);
  return after;
}

/**
 * Notes of the first run of a chronicle, while it is read as a script: the failure, and the venues at the cuts. So a
 * long chronicle is not played again for them.
 */
export class FirstPass implements Cuts {
  readonly cuts: Cut[] = [];
  readonly bases: number[] = [];
  /** The failure, in the last block that was read; undefined if the checkers do not see it from their first run. */
  finding: Finding | undefined;
  readonly #blocks: number;
  readonly #heights: ReadonlySet<number>;
  readonly #wanted: string;
  readonly #checkers: CheckerFactory | undefined;
  #checker: Checker | undefined;

  /**
   * @param blocks number of blocks of the chronicle
   * @param checkers undefined to look for no failure
   */
  constructor(blocks: number, wanted: Failure, checkers: CheckerFactory | undefined) {
    this.#blocks = blocks;
    this.#heights = new Set(listCuts(blocks).map((after) => blocks - after));
    this.#wanted = signatureOf(wanted);
    this.#checkers = checkers;
  }

  /** Receives the venue before the first block. */
  start(state: State): void {
    this.#checker = this.#checkers?.open(state);
  }

  get probe(): Probe | undefined {
    return this.#checker?.probe;
  }

  /**
   * Receives an applied block.
   *
   * @param lines of the block's transactions
   * @param at number of lines up to the end of the block
   * @returns true if it fails in the expected way: later blocks do not matter
   */
  note(state: State, block: Block, result: BlockResult, lines: readonly TransactionLine[], at: number): boolean {
    if (this.#heights.has(block.height)) this.cuts.push({ at, state: forkState(state) });
    for (const failure of this.#check(state, block, result)) {
      if (signatureOf(failure) !== this.#wanted) continue;
      // If it fails before the last block, the cuts are not those of the script.
      if (block.height !== this.#blocks) this.cuts.length = 0;
      this.finding = { failure, lines: at, line: failure.index === undefined ? undefined : lines[failure.index] };
      return true;
    }
    return false;
  }

  #check(state: State, block: Block, result: BlockResult): readonly Failure[] {
    try {
      return this.#checker?.check(state, block, result) ?? [];
    } catch {
      // It needs the venue before each block, which a run of its own keeps; or it throws, which such a run reports.
      this.#checker = undefined;
      return [];
    }
  }
}
