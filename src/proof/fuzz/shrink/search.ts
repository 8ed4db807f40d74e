import type { Finding, Trial } from "./runner.ts";
import type { Script } from "./script.ts";
import { countTransactions } from "./script.ts";

/** When a search ends before it is done. */
export interface Budget {
  /** Most candidates that are run. Default: 5,000. */
  readonly candidates?: number;
  /** Of those, how many were run before. */
  readonly spent?: number;
  /** Most transactions of candidates that are applied. Default: a million. */
  readonly transactions?: number;
  /** Asked before every candidate; a driver looks at its clock here. */
  readonly isOver?: () => boolean;
  /** Told after every candidate that still failed. */
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  /** What is being tried. */
  readonly pass: string;
  readonly transactions: number;
  readonly lines: number;
  readonly candidates: number;
}

const CANDIDATES = 5_000;
const TRANSACTIONS = 1_000_000;

/** The smallest script so far that still fails in the same way, and what looking for it cost. */
export class Search {
  best: Script;
  finding: Finding;
  candidates = 0;
  pass = "";
  readonly #trial: Trial;
  readonly #budget: Budget;
  readonly #appliedBefore: number;
  #isLast = false;

  constructor(script: Script, finding: Finding, trial: Trial, budget: Budget) {
    this.best = script;
    this.finding = finding;
    this.#trial = trial;
    this.#budget = budget;
    this.candidates = budget.spent ?? 0;
    this.#appliedBefore = trial.applied;
  }

  get isOver(): boolean {
    if (this.#isLast) return false;
    const { candidates = CANDIDATES, transactions = TRANSACTIONS, isOver } = this.#budget;
    if (this.candidates >= candidates || this.#trial.applied - this.#appliedBefore >= transactions) return true;
    return isOver?.() === true;
  }

  /** A last pass of a few candidates, which a budget does not stop. */
  finish(pass: () => void): void {
    this.#isLast = true;
    pass();
    this.#isLast = false;
  }

  /** Takes a candidate if it still fails; what stands behind the failure is cut off it. */
  try(candidate: Script): boolean {
    if (this.isOver) return false;
    this.candidates++;
    const finding = this.#trial.run(candidate);
    if (finding === undefined) return false;
    this.finding = finding;
    this.best =
      finding.lines < candidate.lines.length
        ? { ...candidate, lines: candidate.lines.slice(0, finding.lines) }
        : candidate;
    const { pass, candidates, best } = this;
    this.#budget.onProgress?.({ pass, candidates, transactions: countTransactions(best), lines: best.lines.length });
    return true;
  }

  /** Before many candidates that begin as the best one does. */
  prepare(): void {
    if (!this.isOver) this.#trial.prepare(this.best);
  }

  /** As `try`, with other lines. */
  tryLines(lines: Script["lines"]): boolean {
    return this.try({ genesis: this.best.genesis, lines });
  }
}
