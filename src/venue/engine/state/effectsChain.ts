import { createHash, type Hash } from "node:crypto";
import type { EventBuffer } from "../events/eventBuffer.ts";

/** Blocks, or doubles, after which the effects so far are folded into the base. */
const BLOCKS_MOST = 64;
const DOUBLES_MOST = 8192;

/**
 * The hash chain over the effects of blocks (DET-2). Effects are gathered as doubles and folded into `base` in groups,
 * so that a small block costs no hash call of its own:
 *
 *     base' = sha256(base, effects of the group)      when a group is full, at the start of the next block
 *     head  = sha256(base, effects since the base)    at any height, on request
 *
 * Where a group ends depends only on the effects: heads do not depend on when they are read, or how often.
 */
export class EffectsChain {
  /** Replaced, never written: copies share it. */
  base: Uint8Array = new Uint8Array(32);
  /** Blocks whose effects are in the buffer and not yet in the base. */
  pending = 0;

  /** Called before a block writes: folds a full group away and empties the buffer. */
  open(events: EventBuffer): void {
    if (this.pending < BLOCKS_MOST && events.length < DOUBLES_MOST) return;
    this.base = this.digest(events);
    this.pending = 0;
    events.length = 0;
  }

  /** Called after a block wrote its effects. */
  close(): void {
    this.pending++;
  }

  /** The head at the present height. */
  head(events: EventBuffer): Uint8Array {
    return this.pending === 0 ? this.base : this.digest(events);
  }

  /** The same as hexadecimal digits, in a third of the time: no bytes are handed over. */
  headText(events: EventBuffer): string {
    return this.pending === 0 ? Buffer.from(this.base).toString("hex") : this.hash(events).digest("hex");
  }

  copy(): EffectsChain {
    const copy = new EffectsChain();
    copy.base = this.base;
    copy.pending = this.pending;
    return copy;
  }

  private digest(events: EventBuffer): Uint8Array {
    return this.hash(events).digest();
  }

  private hash(events: EventBuffer): Hash {
    const bytes = new Uint8Array(events.data.buffer, 0, events.length * 8);
    return createHash("sha256").update(this.base).update(bytes);
  }
}
