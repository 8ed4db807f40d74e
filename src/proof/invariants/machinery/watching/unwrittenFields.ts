import type { EventBuffer } from "../../../../venue/engine/events/eventBuffer.ts";

/** Doubles that batches write past the last event and take back: more than all but the largest batches do. */
const UNDONE = 1024;

/** Fills the space after the last event with NaN: an event field that is never written then shows as NaN. */
export class UnwrittenFields {
  /** The event data that was filled last, and the length that blocks have written since. */
  #data: Float64Array | undefined;
  #written = 0;

  /** Call before a block writes its events. */
  fill({ data, length }: EventBuffer): void {
    const known = this.#data === data;
    data.fill(Number.NaN, length, known ? Math.max(length + UNDONE, this.#written) : data.length);
    this.#data = data;
    this.#written = length;
  }

  /** Call after the block. */
  note({ data, length }: EventBuffer): void {
    if (data === this.#data) this.#written = length;
  }
}
