import { computeRoot, getHead } from "../../../venue/engine/commitment/root.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { Simulation } from "../../../venue/simulation/simulation.ts";
import type { DiskLedger } from "./diskLedger.ts";
import { StoreError } from "./errors.ts";

/**
 * The venue after the last block whose outcome is written: from the newest state that is kept, or from genesis. Of every
 * block that is replayed the head of the effects chain is compared, and at checkpoints the state root.
 *
 * @throws {StoreError} STORE_DIFFERS with the first block that does; STORE_CORRUPT where there is nothing to start from
 */
export function replayStore(ledger: DiskLedger, start = ledger.stateBelow(ledger.index.blocks.head)): State {
  const { blocks, oldestHeight } = ledger.index;
  if (start === undefined || start.height < oldestHeight - 1) {
    throw new StoreError("STORE_CORRUPT", `no state is left from which block ${oldestHeight} could be reached`, {
      hint: "take the folder from a copy",
    });
  }
  const replay = new Simulation(start);
  for (let height = start.height + 1; height <= blocks.head && ledger.isRecorded(height); height++) {
    const { hash, parentHash, stateRoot, ...block } = ledger.block(height)!;
    const differs = (what: string, cause?: unknown) =>
      new StoreError("STORE_DIFFERS", `block ${height}: ${what}`, {
        hint: "the log was changed, or it was written by a build that computes something else",
        cause,
      });
    if (parentHash !== getHead(start)) throw differs("the head before it is another");
    try {
      replay.apply(block);
    } catch (cause) {
      throw differs("it is refused", cause);
    }
    if (getHead(start) !== hash) throw differs("the replay has other effects");
    if (stateRoot !== undefined && computeRoot(start) !== stateRoot) throw differs("the state root is another");
  }
  return start;
}
