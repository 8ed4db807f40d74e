import type { State } from "../../venue/engine/state/state.ts";
import type { DiskLedger } from "./store/diskLedger.ts";
import type { KeepOptions } from "./store/prune.ts";
import type { Snapshots } from "./store/snapshots.ts";

export interface KeeperOptions extends KeepOptions {
  readonly snapshotBytes: number;
}

/** Writes the venue's state from time to time, and removes log segments that are no longer needed. */
export class Keeper {
  readonly #ledger: DiskLedger;
  readonly #snapshots: Snapshots;
  readonly #options: KeeperOptions;
  readonly #onWarning: ((message: string) => void) | undefined;
  /** Bytes of log and height when a state was last written. */
  #bytes: number;
  #height: number | undefined;
  #writing: Promise<void> | undefined;

  constructor(
    ledger: DiskLedger,
    snapshots: Snapshots,
    options: KeeperOptions,
    onWarning: ((message: string) => void) | undefined,
  ) {
    this.#ledger = ledger;
    this.#snapshots = snapshots;
    this.#options = options;
    this.#onWarning = onWarning;
    this.#bytes = ledger.log.appended;
    this.#height = snapshots.heights()[0];
  }

  afterBlock(state: State): void {
    if (this.#ledger.log.appended - this.#bytes < this.#options.snapshotBytes || this.#writing !== undefined) return;
    this.#writing = this.#write(state).finally(() => {
      this.#writing = undefined;
    });
  }

  /** The chain above a height was left: its states are useless, and must not be taken for the newest. */
  afterLeave(height: number): void {
    this.#height = undefined;
    try {
      this.#snapshots.removeAbove(height);
    } catch (error) {
      this.#onWarning?.(`states of a chain that was left are still there: ${(error as Error).message}`);
    }
  }

  /** Writes the last state, so that the next start is fast. */
  async close(state: State | undefined): Promise<void> {
    await this.#writing;
    if (state !== undefined && state.height !== this.#height && state.height > 0) await this.#write(state);
  }

  async #write(state: State): Promise<void> {
    this.#bytes = this.#ledger.log.appended;
    this.#height = state.height;
    try {
      await this.#snapshots.write(state);
      this.#ledger.prune(this.#snapshots.thin(this.#options.keepBlocks) ?? 0, this.#options);
    } catch (error) {
      this.#onWarning?.(`a state was not written: ${(error as Error).message}`);
    }
  }
}
