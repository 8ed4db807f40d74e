import type { Bytes32 } from "../../protocol/fields.ts";
import type { BlockEntry } from "./host.ts";
import { Listeners } from "./listeners.ts";
import { Waiters } from "./waiters.ts";

/** Whoever wants to hear what a host does: of blocks, of another chain, of its end, of single transactions. */
export class Announcements {
  readonly blocks = new Listeners<BlockEntry>();
  readonly evictions = new Listeners<number>();
  readonly epochs = new Listeners<string>();
  readonly failures = new Listeners<string>();
  readonly waiters = new Waiters();

  /** A block was applied; transactions that it ended without committing are told as well. */
  block(entry: BlockEntry, ended: readonly Bytes32[]): void {
    this.blocks.tell(entry);
    this.waiters.release(entry.ids);
    this.waiters.release(ended);
  }

  /** The chain is another one. */
  epoch(reason: string): void {
    this.waiters.releaseAll();
    this.epochs.tell(reason);
  }

  failure(reason: string): void {
    this.waiters.releaseAll();
    this.failures.tell(reason);
  }
}
