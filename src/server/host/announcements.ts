import type { Bytes32 } from "../../protocol/fields.ts";
import type { BlockEntry } from "./host.ts";
import { Listeners } from "./listeners.ts";
import { Waiters } from "./waiters.ts";

/** Listeners of a host: for blocks, changes of the chain, failures, and single transactions. */
export class Announcements {
  readonly blocks = new Listeners<BlockEntry>();
  readonly evictions = new Listeners<number>();
  readonly epochs = new Listeners<string>();
  readonly failures = new Listeners<string>();
  readonly waiters = new Waiters();

  /**
   * A block was applied; `ended` are transactions that it ended without a commit. The promise waits for listeners that
   * take a large block in slices; undefined if there are none.
   */
  block(entry: BlockEntry, ended: readonly Bytes32[]): Promise<void> | undefined {
    const release = () => {
      this.waiters.release(entry.ids);
      this.waiters.release(ended);
    };
    const taken = this.blocks.emit(entry);
    if (taken !== undefined) return taken.then(release);
    release();
    return undefined;
  }

  /** The chain was replaced. */
  epoch(reason: string): void {
    this.waiters.releaseAll();
    this.epochs.emit(reason);
  }

  failure(reason: string): void {
    this.waiters.releaseAll();
    this.failures.emit(reason);
  }
}
