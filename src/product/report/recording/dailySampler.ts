import type { DailySample } from "../input.ts";

/** A state of a run; the benchmark is NaN before the first mark. */
export interface RunState extends Omit<DailySample, "buyAndHold"> {
  readonly buyAndHold: number;
}

export const DAY_MS = 86_400_000;
/** A run that begins at most this long after a midnight has the whole day: the first block is later than its data. */
export const START_WITHIN_MS = 60_000;

/**
 * Samples a running state at every 00:00:00.000 UTC. The state at a midnight is that after the last block at or before
 * it. So a sample is taken when a later block arrives, before that block is recorded. A run that begins in the first
 * minute of a day has the state of its start at that midnight.
 */
export class DailySampler {
  readonly #samples: DailySample[] = [];
  #nextMs: number;
  /** One object for the whole run: a block must not cost an allocation. */
  readonly #last: { -readonly [K in keyof RunState]: RunState[K] };

  constructor(start: RunState) {
    this.#nextMs = Math.floor((start.timeMs - START_WITHIN_MS + DAY_MS - 1) / DAY_MS) * DAY_MS;
    this.#last = { ...start };
  }

  /** Time of the next sample: up to there (included) only the last state matters. */
  get nextMs(): number {
    return this.#nextMs;
  }

  /** @param state what the block at `state.timeMs` left; times do not go back. The caller may reuse the object. */
  record({ timeMs, equity, buyAndHold, funding, fees }: RunState): void {
    while (this.#nextMs < timeMs) this.#take();
    const last = this.#last;
    last.timeMs = timeMs;
    last.equity = equity;
    last.buyAndHold = buyAndHold;
    last.funding = funding;
    last.fees = fees;
  }

  #take(): void {
    const { buyAndHold } = this.#last;
    this.#samples.push({ ...this.#last, timeMs: this.#nextMs, buyAndHold: orNull(buyAndHold) });
    this.#nextMs += DAY_MS;
  }

  /** All samples; one more when the run ended at a midnight or in the millisecond before it. */
  finish(): readonly DailySample[] {
    if (this.#nextMs <= this.#last.timeMs + 1) this.#take();
    return this.#samples;
  }
}

/** A value that is null where there is none. */
export function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
