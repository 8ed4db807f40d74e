import { computeRoot, getHead } from "../../../venue/engine/commitment/root.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { Simulation } from "../../../venue/simulation/simulation.ts";
import type { DiskLedger } from "./diskLedger.ts";
import { StoreError } from "./errors.ts";

/**
 * The state after the last block whose result is written, replayed from the newest stored state or from genesis. The
 * replay compares the head of the effects chain of every block, and the state root at checkpoints.
 *
 * @throws {StoreError} STORE_DIFFERS with the first differing block; STORE_CORRUPT if there is no state to start from
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
        hint: "the log was changed, or a build with other results wrote it",
        cause,
      });
    if (parentHash !== getHead(start)) throw differs("the parent head differs");
    try {
      replay.apply(block);
    } catch (cause) {
      throw differs("the replay refuses it", cause);
    }
    if (getHead(start) !== hash) throw differs("the replay has other effects");
    if (stateRoot !== undefined && computeRoot(start) !== stateRoot) throw differs("the state root differs");
  }
  return start;
}
