import { countGenes, type FuzzCase } from "../case/fuzzCase.ts";
import { GENE_WIDTH } from "../genes/choices.ts";
import { deleteChunks } from "./deleteChunks.ts";
import type { Budget } from "./search.ts";
import { type Failure, signatureOf } from "./signature.ts";

/** A case that fails in the same way, with fewer genes and more zeros. */
export interface ShrunkCase<F extends Failure = Failure> {
  readonly case: FuzzCase;
  readonly failure: F;
  readonly candidates: number;
  /** True if no candidate was left to try; otherwise the budget ended, and the case may shrink further. */
  readonly isDone: boolean;
}

const CANDIDATES = 5_000;

/**
 * Shrinks a case as a case, so that it can still be mutated. It drops genes, and lowers choices of profile and genes,
 * to 0 if possible. The same case, failure and number of candidates give the same result.
 *
 * `shrinkChronicle` gives a more readable result.
 *
 * @param run returns the failure of a candidate, if it fails
 */
export function shrinkCase<F extends Failure>(
  given: FuzzCase,
  failure: F,
  run: (candidate: FuzzCase) => F | undefined,
  budget: Budget = {},
): ShrunkCase<F> {
  return new CaseSearch(given, failure, run, budget).search();
}

class CaseSearch<F extends Failure> {
  readonly #run: (candidate: FuzzCase) => F | undefined;
  readonly #budget: Budget;
  readonly #wanted: string;
  #best: FuzzCase;
  #failure: F;
  #candidates = 0;

  constructor(given: FuzzCase, failure: F, run: (candidate: FuzzCase) => F | undefined, budget: Budget) {
    this.#best = given;
    this.#failure = failure;
    this.#run = run;
    this.#budget = budget;
    this.#wanted = signatureOf(failure);
  }

  search(): ShrunkCase<F> {
    let before: FuzzCase;
    do {
      before = this.#best;
      this.#deleteGenes();
      this.#zero("profile");
      this.#zero("genes");
      this.#lower();
    } while (this.#best !== before && !this.#isOver());
    const isDone = !this.#isOver();
    return { case: this.#best, failure: this.#failure, candidates: this.#candidates, isDone };
  }

  #isOver(): boolean {
    return this.#candidates >= (this.#budget.candidates ?? CANDIDATES) || this.#budget.isOver?.() === true;
  }

  #try(pass: string, changed: Partial<FuzzCase>): boolean {
    if (this.#isOver()) return false;
    this.#candidates++;
    const candidate = { ...this.#best, ...changed };
    const failure = this.#run(candidate);
    if (failure === undefined || signatureOf(failure) !== this.#wanted) return false;
    this.#best = candidate;
    this.#failure = failure;
    const genes = countGenes(candidate);
    this.#budget.onProgress?.({ pass, transactions: genes, lines: genes, candidates: this.#candidates });
    return true;
  }

  /** Chunks of genes, then single ones. */
  #deleteGenes(): void {
    let places = Array.from({ length: countGenes(this.#best) }, (_, gene) => gene);
    const all = this.#best.genes;
    deleteChunks(
      () => places,
      (fewer) => {
        const genes = new Uint16Array(fewer.length * GENE_WIDTH);
        fewer.forEach((gene, at) => {
          genes.set(all.subarray(gene * GENE_WIDTH, (gene + 1) * GENE_WIDTH), at * GENE_WIDTH);
        });
        if (!this.#try("drop genes", { genes })) return false;
        places = [...fewer];
        return true;
      },
      () => this.#isOver(),
    );
  }

  /** Sets choices to 0: all, halves, and so on. */
  #zero(part: "profile" | "genes"): void {
    let places = [...this.#best[part].keys()].filter((at) => this.#best[part][at] !== 0);
    deleteChunks(
      () => places,
      (fewer) => {
        const kept = new Set(fewer);
        const choices = this.#best[part].slice();
        for (const at of places) if (!kept.has(at)) choices[at] = 0;
        if (!this.#try(`plain ${part}`, { [part]: choices })) return false;
        places = [...fewer];
        return true;
      },
      () => this.#isOver(),
    );
  }

  /** Lowers the remaining choices, by bisection. */
  #lower(): void {
    for (const part of ["profile", "genes"] as const) {
      for (let at = 0; at < this.#best[part].length && !this.#isOver(); at++) {
        let least = 0;
        let most = this.#best[part][at]!;
        while (most - least > 1 && !this.#isOver()) {
          const middle = (least + most) >> 1;
          if (this.#try("lower choices", { [part]: this.#best[part].with(at, middle) })) most = middle;
          else least = middle;
        }
      }
    }
  }
}
