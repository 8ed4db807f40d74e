/**
 * Compares the time at which a recorder received each row with the venue's own. A clock that is late or goes back is a
 * finding.
 */
import type { QualityLog } from "../quality.ts";
import type { Layout } from "../readers/layout.ts";
import type { RowBatch } from "../scan/rowBatch.ts";

export class ReceiverClock {
  readonly #layout: Layout;
  readonly #source: number;
  readonly #log: QualityLog;
  #last = Number.NEGATIVE_INFINITY;

  constructor(layout: Layout, source: number, log: QualityLog) {
    this.#layout = layout;
    this.#source = source;
    this.#log = log;
  }

  check({ values, line, count }: RowBatch): void {
    const { received, streams, columns, newestFirst } = this.#layout;
    if (received === undefined) return;
    const receivedMs = values[received]!;
    const sentMs = values[streams[0]!.time]!;
    const { name } = columns[received]!;
    for (let row = 0; row < count; row++) {
      const at = receivedMs[row]!;
      const early = sentMs[row]! - at;
      if (early > 0) {
        const reason = `received ${early} ms before the venue sent it: the recorder's clock is slow, or a time zone is wrong`;
        this.#log.report("clock", this.#source, line[row]!, name, reason);
      } else if (at < this.#last && newestFirst !== true) {
        const reason = `received ${this.#last - at} ms before the row above: the recorder's clock goes back, or rows are in another order`;
        this.#log.report("clock", this.#source, line[row]!, name, reason);
      }
      this.#last = at;
    }
  }
}
