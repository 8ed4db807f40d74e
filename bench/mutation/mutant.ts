/** The active mutant, and the places that ran. Called by the code of `instrument.ts`, in the copy alone. */

/** Greatest number of a mutant. */
const MUTANTS_MOST = 20_000;

/** Mutants of code that runs when a module is loaded are active from the start of the process. */
let active = Number(process.env["PERPLAB_MUTANT"] ?? 0);
/** How often places ran, and how often their mutants would have made a difference there. */
const ran = new Uint32Array(MUTANTS_MOST + 1);
const differed = new Uint32Array(MUTANTS_MOST + 1);
/** True while places are noted: from the start, for code that runs when a module is loaded. */
export let covering = true;
let turns = 0;
let turnsMost: number = Number.POSITIVE_INFINITY;
let turnsSeen = 0;

/**
 * Most loop turns per block before a loop counts as endless: a block of a case takes some ten thousands, and checks
 * between two blocks up to three million.
 */
const TURNS_MOST = 20_000_000;

/** Thrown in a loop of a mutant that does not end. */
export class EndlessLoop extends Error {
  override readonly name = "EndlessLoop";
}

/** Notes that a mutant's place ran. */
export interface Seen {
  readonly mutant: number;
  readonly ran: number;
  /**
   * How often the mutant would have made a difference at its place, as far as its value is computed without running it.
   */
  readonly differed: number;
}

/** Activates a mutant, 0 for none. */
export function selectMutant(number: number): void {
  active = number;
  startTurns();
}

/** Starts to note which mutants' places run. */
export function startCovering(): void {
  ran.fill(0);
  differed.fill(0);
  turnsSeen = 0;
  covering = true;
}

/** Returns the places that ran, and stops noting. */
export function endCovering(): Seen[] {
  covering = false;
  const seen: Seen[] = [];
  for (let mutant = 1; mutant <= MUTANTS_MOST; mutant++) {
    if (ran[mutant]! > 0) seen.push({ mutant, ran: ran[mutant]!, differed: differed[mutant]! });
  }
  return seen;
}

/** Whether a mutant is active that makes a difference wherever it runs, or whose difference cannot be computed. */
export function isMutant(number: number): boolean {
  if (covering) {
    ran[number]!++;
    differed[number]!++;
  }
  return number === active;
}

/** Whether a mutant is active; `saw` notes executions with a difference. */
export function mayBe(number: number): boolean {
  if (covering) ran[number]!++;
  return number === active;
}

/** Notes that a mutant would have made a difference here. */
export function saw(number: number): void {
  differed[number]!++;
}

/** Resets the loop turns for a new block. */
export function startTurns(most: number = TURNS_MOST): void {
  turnsSeen = Math.max(turnsSeen, turns);
  turns = 0;
  turnsMost = most;
}

/** Most loop turns of a block since noting started. */
export function getMostTurns(): number {
  return Math.max(turnsSeen, turns);
}

/** Counts one turn of a loop. */
export function turn(): void {
  if (++turns > turnsMost) throw new EndlessLoop(`more than ${turnsMost} loop turns in a block`);
}
