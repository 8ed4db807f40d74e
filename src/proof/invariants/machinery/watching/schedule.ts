import type { Block } from "../../../../protocol/transaction.ts";
import { Novelty } from "../novelty.ts";
import type { Watched } from "./watched.ts";

/** If only some blocks are swept, a block counts once for every so many transactions. */
const COUNTED_AS_ONE = 4;

/** Blocks between two sweeps; 0 for never. */
export interface Pace {
  readonly sweepEvery: number;
  readonly heavyEvery: number;
  /** Moments are checked: without them no news is found. */
  readonly moments: boolean;
}

/** Decides when invariants are swept: every n-th block, and after blocks with news. */
export class Schedule {
  /** Invariants swept after the next block, with or without news. */
  due: readonly Watched[] = [];
  /** Emitted kinds so far, if any invariant asks for news. */
  readonly novelty: Novelty | undefined;
  readonly #sweepEvery: number;
  readonly #heavyEvery: number;
  readonly #sweeps: readonly Watched[];
  readonly #heavy: readonly Watched[];
  readonly #forNews: readonly Watched[];
  /** Number of blocks with news so far. */
  #news = 0;
  /** Number of blocks so far, full ones counted several times: sweeps are due by this count. */
  #clock: number;
  /** The least value of that count after the next block. */
  #decided: number;

  constructor(all: readonly Watched[], { sweepEvery, heavyEvery, moments }: Pace, height: number) {
    this.#sweepEvery = sweepEvery;
    this.#heavyEvery = heavyEvery;
    this.#sweeps = all.filter(({ invariant }) => invariant.sweep !== undefined && invariant.heavy !== true);
    this.#heavy = all.filter(({ invariant }) => invariant.sweep !== undefined && invariant.heavy === true);
    // With a sweep after every block nothing is to be added; without any sweep none is wanted.
    const seeksNews = moments && sweepEvery > 1 && heavyEvery > 0;
    this.#forNews = seeksNews ? all.filter(({ invariant }) => invariant.news !== undefined) : [];
    this.novelty = this.#forNews.length > 0 ? new Novelty() : undefined;
    this.#clock = height;
    this.#decided = height;
  }

  count({ transactions }: Block): void {
    this.#clock += Math.max(1, Math.ceil(transactions.length / COUNTED_AS_ONE));
  }

  /** Decides what is due after the next block. Heavy invariants take turns to avoid meeting in one block. */
  turn(): void {
    const from = this.#decided;
    const to = this.#clock + 1;
    this.#decided = to;
    const comes = (every: number, turn = 0) =>
      every > 0 && Math.floor((to + turn) / every) > Math.floor((from + turn) / every);
    const due = comes(this.#sweepEvery) ? this.#sweeps : [];
    const heavy = this.#heavy.filter((_watched, turn) => comes(this.#heavyEvery, turn));
    this.due = heavy.length === 0 ? due : due.concat(heavy);
    this.novelty?.forget();
  }

  /** Counts a block with news. */
  countNews(): void {
    this.#news++;
  }

  /** Invariants that are due, and those that react to its news. */
  withNews(): readonly Watched[] {
    const comes = ({ invariant: { news = 1 } }: Watched) => this.#news % news === 0;
    return this.due.concat(this.#forNews.filter((watched) => comes(watched) && !this.due.includes(watched)));
  }
}
