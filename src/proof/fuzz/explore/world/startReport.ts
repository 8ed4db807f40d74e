import type { Chronicle } from "../../case/resolveCase.ts";
import type { FuzzViolation } from "../../run/violation.ts";

/** A violation, with the blocks of the alphabet that lead to it. */
export interface WorldFinding {
  /** Names of the blocks. */
  readonly path: readonly string[];
  readonly violation: FuzzViolation;
  readonly chronicle: Chronicle;
  /** Number of further sequences with the same violation. */
  more: number;
}

/** Two states with one key that do not have the same future: a fault of the venue, or of the key. */
export interface Unequal {
  readonly first: readonly string[];
  readonly second: readonly string[];
  readonly after: string;
  readonly difference: string;
}

/** Outcomes of a block of the alphabet. */
export interface LetterCount {
  tried: number;
  /** Blocks in which every transaction was applied. */
  applied: number;
  /** By transaction: how often it had its outcome; that is applied, or the one that the world expects of it. */
  readonly asExpected: number[];
}

/** What an exploration from one start showed. */
export interface StartReport {
  readonly start: string;
  readonly depth: number;
  /** New states at each depth, the start itself first. */
  readonly statesAt: readonly number[];
  readonly states: number;
  /** New states with heavy invariants: those of the last depth, and the sampled ones of the depths before. */
  readonly heavyAtLast: number;
  readonly heavyBefore: number;
  readonly transitions: number;
  /** Blocks of refused transactions that changed nothing, hidden state included; and those that left a trace. */
  readonly unchanged: number;
  readonly traces: number;
  /** Blocks that led to a known state, and pairs of those that were tried for the same future. */
  readonly merged: number;
  readonly pairsTried: number;
  /** By block of the alphabet, in its order. */
  readonly blocks: readonly LetterCount[];
  readonly met: ReadonlyMap<string, number>;
  readonly findings: readonly WorldFinding[];
  readonly unequal: readonly Unequal[];
}
