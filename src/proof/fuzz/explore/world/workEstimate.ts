import type { Task } from "./task.ts";

/** Work of a heavy check, and of a pair, in blocks: by what they cost. */
const HEAVY = 5;
const PAIR = 8;

/** Guesses before a level is done: blocks that a state can take, of all letters, and new states a block. */
const TAKEN = 0.95;
const NEW = 0.5;

/** Work of a task, in blocks. */
export function workOf(task: Task, letters: number): number {
  if (task.kind === "expand") return task.states.length * letters * TAKEN;
  return task.kind === "check" ? task.states.length * HEAVY : task.pairs.length * PAIR;
}

/**
 * Estimates the work that is left of one start, in blocks: new levels grow as the last ones did.
 *
 * @param statesAt new states of each level so far
 */
export function estimateWork(statesAt: readonly number[], letters: number, depth: number): number {
  const [before, last] = [statesAt.at(-2) ?? 0, statesAt.at(-1)!];
  const growth = before === 0 || last === 0 ? NEW * letters * TAKEN : last / before;
  let work = 0;
  let states = last;
  for (let level = statesAt.length; level <= depth; level++) {
    const next = states * growth;
    work += states * letters * TAKEN + next * (level === depth ? HEAVY : HEAVY / 16);
    states = next;
  }
  return work;
}
