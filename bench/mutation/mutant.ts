/** Which mutant is on, and which places ran. Called by what `instrument.ts` writes, in the copy alone. */

/** Greatest number of a mutant. */
const MUTANTS_MOST = 20_000;

/** Mutants of what runs as modules are loaded are on before there is anybody to switch them on. */
let active = Number(process.env["PERPLAB_MUTANT"] ?? 0);
/** How often places ran, and how often their mutants would have made a difference there. */
const ran = new Uint32Array(MUTANTS_MOST + 1);
const differed = new Uint32Array(MUTANTS_MOST + 1);
/** Places are noted: at first, those that run as modules are loaded. */
export let covering = true;
let turns = 0;
let turnsMost: number = Number.POSITIVE_INFINITY;
let turnsSeen = 0;

/**
 * Turns of loops from block to block after which one counts as endless: a block of a case takes some ten thousands,
 * and what looks at a venue between two blocks up to three million.
 */
const TURNS_MOST = 20_000_000;

/** A loop of a mutant that does not end. */
export class EndlessLoop extends Error {
  override readonly name = "EndlessLoop";
}

/** A mutant whose place ran. */
export interface Seen {
  readonly mutant: number;
  readonly ran: number;
  /** How often the mutant would have made a difference at its place, for what can be told without running it. */
  readonly differed: number;
}

/** Switches a mutant on, 0 for none. */
export function selectMutant(number: number): void {
  active = number;
  startTurns();
}

/** Notes from now on which mutants' places run. */
export function startCovering(): void {
  ran.fill(0);
  differed.fill(0);
  turnsSeen = 0;
  covering = true;
}

/** Which places ran, and stops noting. */
export function endCovering(): Seen[] {
  covering = false;
  const seen: Seen[] = [];
  for (let mutant = 1; mutant <= MUTANTS_MOST; mutant++) {
    if (ran[mutant]! > 0) seen.push({ mutant, ran: ran[mutant]!, differed: differed[mutant]! });
  }
  return seen;
}

/** Whether a mutant is on that makes a difference wherever it runs, or of which that cannot be told. */
export function isMutant(number: number): boolean {
  if (covering) {
    ran[number]!++;
    differed[number]!++;
  }
  return number === active;
}

/** Whether a mutant is on; `saw` is told where it would have made a difference. */
export function mayBe(number: number): boolean {
  if (covering) ran[number]!++;
  return number === active;
}

/** A mutant would have made a difference here. */
export function saw(number: number): void {
  differed[number]!++;
}

/** A new block has its turns to itself. */
export function startTurns(most: number = TURNS_MOST): void {
  turnsSeen = Math.max(turnsSeen, turns);
  turns = 0;
  turnsMost = most;
}

/** Most turns that a block took since places are noted. */
export function getMostTurns(): number {
  return Math.max(turnsSeen, turns);
}

/** One turn of a loop. */
export function turn(): void {
  if (++turns > turnsMost) throw new EndlessLoop(`more than ${turnsMost} turns of loops in a block`);
}
