/** Work of an exploration around scenarios, and its results: plain data that JSON keeps. */
import type { FuzzViolation } from "../../run/violation.ts";
import type { Tried } from "./aroundReport.ts";

/** Some places of one case. */
export interface AroundTask {
  readonly file: number;
  readonly case: number;
  /** Number of the case among those of all files. */
  readonly ordinal: number;
  /** First place, and the one after the last. Place `n` is before the n-th block, from 0. */
  readonly from: number;
  readonly to: number;
}

/** A step that led to a violation. */
export interface FoundStep {
  readonly before: string;
  /** Blocks of the scenario before the step, with the last one if the scenario itself shows the violation. */
  readonly own: number;
  /** Place of the step in the list of steps, and its words; null if the scenario itself shows the violation. */
  readonly step: { readonly index: number; readonly words: string } | null;
  /** The block after the step shows it. */
  readonly isFollowing: boolean;
  readonly violation: FuzzViolation;
  /** Number of further steps of the task with the same violation. */
  more: number;
}

/** What was tried at some places. */
export interface AroundDone {
  places: number;
  steps: number;
  blocks: number;
  sampled: number;
  readonly actions: Record<string, Tried>;
  /** By invariant of the case: how often it met its subject. */
  met: Readonly<Record<string, number>>;
  readonly found: FoundStep[];
  /** The scenario itself shows a violation. Nothing is tried after it. */
  isBroken: boolean;
  /** Message of the error with which the blocks before the first place ended. */
  lost: string | null;
}

/** Places of one task. Memory that checks keep from block to block begins with each. */
export const PLACES_A_TASK = 4;
