import type { Finding, Trial } from "./runner.ts";
import type { Script } from "./script.ts";
import { countTransactions } from "./script.ts";

/** Limits of a search. */
export interface Budget {
  /** Maximum number of candidates to run. Default: 5,000. */
  readonly candidates?: number;
  /** Candidates that were already run. */
  readonly spent?: number;
  /** Maximum number of applied transactions of all candidates. Default: a million. */
  readonly transactions?: number;
  /** Called before every candidate; a caller checks its clock here. */
  readonly isOver?: () => boolean;
  /** Called after every candidate that still failed. */
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  /** Name of the current pass. */
  readonly pass: string;
  readonly transactions: number;
  readonly lines: number;
  readonly candidates: number;
}

const CANDIDATES = 5_000;
const TRANSACTIONS = 1_000_000;

/** The smallest script so far that still fails in the same way, and the cost of finding it. */
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

  /** Runs a last pass of a few candidates regardless of the budget. */
  finish(pass: () => void): void {
    this.#isLast = true;
    pass();
    this.#isLast = false;
  }

  /** Keeps a candidate if it still fails, without the lines after the failure. */
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

  /** Prepares for many candidates that start like the best script. */
  prepare(): void {
    if (!this.isOver) this.#trial.prepare(this.best);
  }

  /** As `try`, with other lines. */
  tryLines(lines: Script["lines"]): boolean {
    return this.try({ genesis: this.best.genesis, lines });
  }
}
