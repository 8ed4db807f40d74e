import type { BlockResult } from "../../../venue/engine/applyBlock.ts";
import { checksumOfEvents } from "../../../venue/simulation/log/format.ts";
import type { Observer } from "../../../venue/simulation/observer.ts";

/** Keeps the checksum of every block's events. They show the first block that another run makes differently. */
export class EffectsRecorder implements Observer {
  #sums = new Uint32Array(1 << 12);
  #count = 0;
  /** Times of the blocks. */
  readonly timesMs: number[] = [];

  onBlock(_state: unknown, block: { readonly timeMs: number }, { events, from, to }: BlockResult): void {
    if (this.#count === this.#sums.length) {
      const grown = new Uint32Array(this.#count * 2);
      grown.set(this.#sums);
      this.#sums = grown;
    }
    this.#sums[this.#count++] = checksumOfEvents(events, from, to);
    this.timesMs.push(block.timeMs);
  }

  get effects(): Uint32Array {
    return this.#sums.slice(0, this.#count);
  }
}
