import type { DailyReturns, RunRecord } from "../runs/record.ts";
import type { SweepCell } from "./sweepCell.ts";

/** Values of all runs together that are kept, 8 bytes each. */
const VALUES_MOST = 4_000_000;

/**
 * Daily returns of a sweep's runs, kept while results arrive, so that none is read again from the store afterwards.
 * Beyond a number of values none are kept.
 */
export class KeptReturns {
  readonly #of: string | undefined;
  readonly #most: number;
  readonly #kept = new Map<string, DailyReturns | null>();
  #values = 0;

  /** @param of the strategy whose returns are kept; undefined for those of all accounts together */
  constructor(of: string | undefined, most = VALUES_MOST) {
    this.#of = of;
    this.#most = most;
  }

  add(record: RunRecord): void {
    const daily = dailyOf(record, this.#of);
    this.#values += daily?.returns.length ?? 0;
    if (this.#values <= this.#most) this.#kept.set(record.hash, daily);
  }

  /**
   * The returns of a cell; null without any, or without a result.
   *
   * @param read reads a record that was not kept
   */
  find(
    { hash, state }: Pick<SweepCell, "hash" | "state">,
    read: (hash: string) => RunRecord | undefined,
  ): DailyReturns | null {
    if (state === "failed") return null;
    const kept = this.#kept.get(hash);
    return kept === undefined ? dailyOf(read(hash), this.#of) : kept;
  }
}

function dailyOf(record: RunRecord | undefined, of: string | undefined): DailyReturns | null {
  const figures = of === undefined ? record : record?.strategies.find(({ name }) => name === of);
  return figures?.daily ?? null;
}
