import type { EventBuffer } from "../../../venue/engine/events/eventBuffer.ts";

/** Doubles that batches write behind the events and take back: more than all but the largest do. */
const UNDONE = 1024;

/** What lies behind the events is filled with NaN: a field that nobody writes shows, whatever stood there before. */
export class UnwrittenFields {
  /** The event data that was filled last, and how far blocks wrote it since. */
  #data: Float64Array | undefined;
  #written = 0;

  /** Before a block writes its events. */
  fill({ data, length }: EventBuffer): void {
    const known = this.#data === data;
    data.fill(Number.NaN, length, known ? Math.max(length + UNDONE, this.#written) : data.length);
    this.#data = data;
    this.#written = length;
  }

  /** After it. */
  note({ data, length }: EventBuffer): void {
    if (data === this.#data) this.#written = length;
  }
}
