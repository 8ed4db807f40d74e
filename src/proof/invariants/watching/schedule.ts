import type { Block } from "../../../protocol/transaction.ts";
import { Novelty } from "../novelty.ts";
import type { Watched } from "./watched.ts";

/** Where only some blocks are swept, one counts as another for every so many transactions that it has. */
const COUNTED_AS_ONE = 4;

/** How often what is swept comes, in blocks; 0 for never. */
export interface Pace {
  readonly sweepEvery: number;
  readonly heavyEvery: number;
  /** Whether moments are looked at, so that news can be told. */
  readonly moments: boolean;
}

/** What is swept when: at a pace, and after blocks that tell of something new. */
export class Schedule {
  /** What is swept after the next block, whatever it tells. */
  due: readonly Watched[] = [];
  /** What was told so far, where some look at news. */
  readonly novelty: Novelty | undefined;
  readonly #sweepEvery: number;
  readonly #heavyEvery: number;
  readonly #sweeps: readonly Watched[];
  readonly #heavy: readonly Watched[];
  readonly #forNews: readonly Watched[];
  /** Blocks with news so far. */
  #news = 0;
  /** Blocks so far, full ones counted several times: by them it is decided what is swept when. */
  #clock: number;
  /** What they will be, at the least, with the next block. */
  #decided: number;

  constructor(all: readonly Watched[], { sweepEvery, heavyEvery, moments }: Pace, height: number) {
    this.#sweepEvery = sweepEvery;
    this.#heavyEvery = heavyEvery;
    this.#sweeps = all.filter(({ invariant }) => invariant.sweep !== undefined && invariant.heavy !== true);
    this.#heavy = all.filter(({ invariant }) => invariant.sweep !== undefined && invariant.heavy === true);
    // Where every block is swept there is nothing to add; where none is, that is what was asked for.
    const seeksNews = moments && sweepEvery > 1 && heavyEvery > 0;
    this.#forNews = seeksNews ? all.filter(({ invariant }) => invariant.news !== undefined) : [];
    this.novelty = this.#forNews.length > 0 ? new Novelty() : undefined;
    this.#clock = height;
    this.#decided = height;
  }

  count({ transactions }: Block): void {
    this.#clock += Math.max(1, Math.ceil(transactions.length / COUNTED_AS_ONE));
  }

  /** Decides what is due after the next block: heavy ones take turns, so that they do not meet. */
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

  /** A block told of something new. */
  countNews(): void {
    this.#news++;
  }

  /** What is due, and those that look at its news. */
  withNews(): readonly Watched[] {
    const comes = ({ invariant: { news = 1 } }: Watched) => this.#news % news === 0;
    return this.due.concat(this.#forNews.filter((watched) => comes(watched) && !this.due.includes(watched)));
  }
}
