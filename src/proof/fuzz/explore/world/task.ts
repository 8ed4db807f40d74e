/**
 * Work of an exploration, and its results: plain data that JSON keeps. A result is a function of the start, of the
 * settings and of the task, wherever it is made.
 */
import type { FuzzViolation } from "../../run/violation.ts";
import type { OtherFuture } from "./futures.ts";
import type { Letters } from "./path.ts";
import type { LetterCount } from "./startReport.ts";

/** A state by the sequence that first led to it. */
export interface Reached {
  readonly letters: Letters;
  readonly key: string;
}

/** Tries every block of the alphabet on some states of one level. */
export interface ExpandTask {
  readonly kind: "expand";
  /** Place of the first state in its level, and the number of states of all levels before it. */
  readonly place: number;
  readonly turn: number;
  readonly states: readonly Reached[];
  /** Tries this block alone. */
  readonly letter?: number;
}

/** Checks heavy invariants on some new states of one level. */
export interface CheckTask {
  readonly kind: "check";
  /** Number of such states of this level, and of all levels, before the first. */
  readonly place: number;
  readonly turn: number;
  readonly states: readonly Letters[];
}

/** Tries pairs of states with one key for the same future. */
export interface CompareTask {
  readonly kind: "compare";
  readonly pairs: readonly (readonly [Letters, Letters])[];
}

export type Task = ExpandTask | CheckTask | CompareTask;

/** What a block led to. A block of refused transactions that changed nothing has no entry. */
export type Outcome =
  | { readonly letter: number; readonly key: string }
  | { readonly letter: number; readonly violation: FuzzViolation };

/** By state: the outcomes of its blocks, in the order of the alphabet. */
export type Expanded = readonly (readonly Outcome[])[];
/** By state: the violation, or null. */
export type Checked = readonly (FuzzViolation | null)[];
/** By pair: the difference, or null. */
export type Compared = readonly (OtherFuture | null)[];

export type TaskResult = Expanded | Checked | Compared;

/** What some tasks counted. */
export interface TaskCounts {
  readonly transitions: number;
  readonly unchanged: number;
  readonly traces: number;
  /** By block of the alphabet. */
  readonly blocks: readonly LetterCount[];
  /** By invariant, in the order of the chosen ones: how often it met its subject. */
  readonly met: readonly number[];
}

/** Most states of one task. Memory that checks keep from block to block begins with each such slice of a level. */
export const SLICES = { expand: 32, check: 96, compare: 48 } as const;
