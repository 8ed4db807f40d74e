/** Which mutant is on, and which lines ran. Called by what `instrument.ts` writes, in the copy alone. */

let active = 0;
let seen: Uint32Array = new Uint32Array(0);
let covering = false;
let turns = 0;
let turnsMost: number = Number.POSITIVE_INFINITY;

/** Turns of loops in one block after which it counts as endless: a block of a case takes some ten thousands. */
const TURNS_MOST = 20_000_000;

/** A loop of a mutant that does not end. */
export class EndlessLoop extends Error {
  override readonly name = "EndlessLoop";
}

/** Switches a mutant on, 0 for none. */
export function selectMutant(number: number): void {
  active = number;
  startTurns();
}

/** Notes from now on which mutants' places run, up to a greatest number. */
export function startCovering(most: number): void {
  seen = new Uint32Array(most + 1);
  covering = true;
}

/** Numbers of the mutants whose places ran, each with how often, and stops noting. */
export function endCovering(): (readonly [number: number, times: number])[] {
  covering = false;
  return [...seen.entries()].filter(([, times]) => times > 0);
}

export function isMutant(number: number): boolean {
  if (covering) seen[number]!++;
  return number === active;
}

/** A new block has its turns to itself. */
export function startTurns(most: number = TURNS_MOST): void {
  turns = 0;
  turnsMost = most;
}

/** One turn of a loop. */
export function turn(): void {
  if (++turns > turnsMost) throw new EndlessLoop(`more than ${turnsMost} turns of loops in a block`);
}
