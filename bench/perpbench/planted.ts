/**
 * Which planted bug is in, and what became of it. The only thing that edits of `bugs/` call: it stands in the copy that
 * `buildCopy.ts` makes and in no release.
 */

/** Canary counters of the selected bug. */
export interface Canary {
  /** Times that its line ran inside a block. */
  reached: number;
  /** Times that the result differed from the right one. */
  triggered: number;
}

/** Show outside of blocks, too: where transactions are hashed, in what is owed to whoever asks, and in what-if passes over the queue. */
const OUTSIDE_BLOCKS: ReadonlySet<number> = new Set([19, 31, 38]);

const canary: Canary = { reached: 0, triggered: 0 };
let selected = 0;
let counting = false;

/** What a bug has to remember between two of its lines. */
export const memo: Map<string | number, unknown> = new Map();

/** Puts a bug in, 0 for none, and starts its counters anew. */
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

/** Lines count between these two alone: what oracles and generators ask of the engine is no block. */
export function enterBlock(): void {
  counting = true;
}

export function leaveBlock(): void {
  counting = OUTSIDE_BLOCKS.has(selected);
}

/** Whether the bug is in; its line has run. */
export function isPlanted(number: number): boolean {
  if (number !== selected) return false;
  if (counting) canary.reached++;
  return true;
}

/** Counts that the fault showed. Answers true, so that it may end a condition. */
export function trigger(): true {
  if (counting) canary.triggered++;
  return true;
}

/**
 * The right value or, with the bug in, the wrong one.
 *
 * @param isSame whether the two come to the same
 */
export function plant<T>(
  number: number,
  right: T,
  wrong: () => T,
  isSame: (right: T, wrong: T) => boolean = Object.is,
): T {
  if (number !== selected) return right;
  if (counting) canary.reached++;
  const value = wrong();
  if (!isSame(right, value)) trigger();
  return value;
}
