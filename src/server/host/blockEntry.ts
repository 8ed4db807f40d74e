import type { Bytes32 } from "../../protocol/fields.ts";
import type { Receipt } from "../../protocol/receipt.ts";
import type { BlockResult } from "../../venue/engine/applyBlock.ts";
import { computeRoot, getHead } from "../../venue/engine/commitment/root.ts";
import type { State } from "../../venue/engine/state/state.ts";
import type { SealedBlock } from "../../venue/simulation/observer.ts";
import type { BlockEntry } from "./host.ts";

/** The host's copy of a block that was just applied; the engine overwrites its own arrays with the next block. */
export function createBlockEntry(
  state: State,
  block: SealedBlock,
  result: BlockResult,
  { ids, parentHash, rootEvery }: { ids: readonly Bytes32[]; parentHash: Bytes32; rootEvery: number },
): BlockEntry {
  const { from, to } = result;
  const receipts: Receipt[] = [];
  for (let index = 0; index < block.transactions.length; index++) {
    const receipt = result.receipts.at(index);
    receipts.push({ ...receipt, eventsFrom: receipt.eventsFrom - from, eventsTo: receipt.eventsTo - from });
  }
  return {
    height: block.height,
    timeMs: block.timeMs,
    hash: getHead(state),
    parentHash,
    stateRoot: block.height % rootEvery === 0 ? computeRoot(state) : undefined,
    ids,
    transactions: block.transactions,
    signatures: block.signatures ?? [],
    receipts,
    events: result.events.slice(from, to),
    texts: result.texts.slice(),
  };
}
