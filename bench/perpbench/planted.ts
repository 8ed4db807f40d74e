/**
 * Selects the planted bug and counts its effects. The edits of `bugs/` call only this module. It exists in the copy
 * that `buildCopy.ts` makes and in no release.
 */

/** Counters of the selected bug. */
export interface Canary {
  /** Times its line ran inside a block. */
  reached: number;
  /** Times the result differed from the correct one. */
  triggered: number;
}

/**
 * Bugs that also show outside of blocks: in hashes of transactions, in reads of unsettled funding, and in what-if
 * passes over the queue.
 */
export const OUTSIDE_BLOCKS: ReadonlySet<number> = new Set([19, 31, 38]);

const canary: Canary = { reached: 0, triggered: 0 };
let selected = 0;
let counting = false;

/** Bugs whose lines ran since it was last cleared, selected or not: a scenario without one cannot find that bug. */
export const visited: Set<number> = new Set();

/** Values that a bug remembers between its lines, within a block. */
export const memo: Map<string | number, unknown> = new Map();

/** Selects a bug, 0 for none, and resets its counters. */
export function selectBug(number: number): void {
  selected = number;
  canary.reached = 0;
  canary.triggered = 0;
  counting = OUTSIDE_BLOCKS.has(number);
  memo.clear();
}

export function readCanary(): Readonly<Canary> {
  return { ...canary };
}

/** Lines count only inside a block: calls from oracles and generators do not. */
export function enterBlock(): void {
  counting = true;
  // An exploration applies blocks of many sequences in turn: what one of them left is nothing to another.
  memo.clear();
}

export function leaveBlock(): void {
  counting = OUTSIDE_BLOCKS.has(selected);
}

/** True if the bug is selected; also counts that its line ran. */
export function isPlanted(number: number): boolean {
  visited.add(number);
  if (number !== selected) return false;
  if (counting) canary.reached++;
  return true;
}

/** Counts that the fault showed. Returns true, so that it may end a condition. */
export function trigger(): true {
  if (counting) canary.triggered++;
  return true;
}

/**
 * The correct value or, with the bug selected, the wrong one.
 *
 * @param isSame true if both have the same effect
 */
export function plant<T>(
  number: number,
  right: T,
  wrong: () => T,
  isSame: (right: T, wrong: T) => boolean = isEqual,
): T {
  visited.add(number);
  if (number !== selected) return right;
  if (counting) canary.reached++;
  const value = wrong();
  if (!isSame(right, value)) trigger();
  return value;
}

/** Whether values are equal; 0 and -0 are. */
function isEqual(a: unknown, b: unknown): boolean {
  return a === b || Object.is(a, b);
}
