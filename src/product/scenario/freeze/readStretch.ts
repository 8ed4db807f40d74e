import type { Genesis } from "../../../protocol/genesis.ts";
import type { Block } from "../../../protocol/transaction.ts";
import { applyBlock, type BlockResult } from "../../../venue/engine/applyBlock.ts";
import { computeRoot } from "../../../venue/engine/commitment/root.ts";
import { writeSnapshot } from "../../../venue/engine/commitment/snapshot.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { LogError } from "../../../venue/simulation/log/errors.ts";
import { checksumOfEvents } from "../../../venue/simulation/log/format.ts";
import { BlockLogReader, type BlockRecord } from "../../../venue/simulation/log/readBlockLog.ts";
import { FreezeError } from "./errors.ts";

/** First and last height, both included. */
export interface Heights {
  readonly from: number;
  readonly to: number;
}

/** Blocks of a log, and the venue before them. */
export interface Stretch {
  readonly genesis: Genesis;
  readonly snapshot: Uint8Array;
  readonly blocks: readonly Block[];
  /** State root after the last block. */
  readonly root: string;
}

/** Most blocks and transactions of a scenario that is to be read by people. */
export const BLOCKS_MOST = 1_000;
export const TRANSACTIONS_MOST = 5_000;

const PROGRESS_BLOCKS = 2_000;

/**
 * Replays a log up to the last of some blocks.
 *
 * @param onProgress bytes of the log that were read, and the height
 * @throws {FreezeError} FREEZE_RANGE, FREEZE_TOO_LARGE; {LogError} where the log cannot be read or does not replay
 */
export function readStretch(
  path: string,
  { from, to }: Heights,
  onProgress?: (bytesDone: number, height: number) => void,
): Stretch {
  if (from < 1 || to < from) {
    const hint = "write --blocks <first>..<last>, for example 120..130; blocks count from 1";
    throw new FreezeError("FREEZE_RANGE", `${from}..${to} has no block`, { place: path, hint });
  }
  if (to - from >= BLOCKS_MOST) throw tooLarge(path, `${to - from + 1} blocks`, `${BLOCKS_MOST} blocks`);
  const reader = new BlockLogReader(path);
  try {
    const state = createVenue(reader.genesis);
    const blocks: Block[] = [];
    let transactions = 0;
    let snapshot = from === 1 ? writeSnapshot(state) : undefined;
    for (const record of reader) {
      if (record.kind !== "block") continue;
      const { height, timeMs, transactions: own } = record.block;
      replay(state, record, path);
      if (height === from - 1) snapshot = writeSnapshot(state);
      if (height >= from) {
        blocks.push({ height, timeMs, transactions: own });
        transactions += own.length;
        if (transactions > TRANSACTIONS_MOST)
          throw tooLarge(path, `more than ${TRANSACTIONS_MOST} transactions`, `${TRANSACTIONS_MOST}`);
      }
      if (height === to) return { genesis: reader.genesis, snapshot: snapshot!, blocks, root: computeRoot(state) };
      if (height % PROGRESS_BLOCKS === 0) onProgress?.(reader.offset, height);
    }
    const hint = "use heights that the log has";
    throw new FreezeError("FREEZE_RANGE", `has blocks 1 to ${state.height}, not ${from} to ${to}`, {
      place: path,
      hint,
    });
  } finally {
    reader.close();
  }
}

export function tooLarge(place: string, found: string, most: string): FreezeError {
  return new FreezeError("FREEZE_TOO_LARGE", `${found} are too many for a scenario, at most ${most}`, {
    place,
    hint: "freeze fewer blocks: only those around the fill or the liquidation that you want to keep",
  });
}

function replay(state: State, { block, effects, offset }: BlockRecord, file: string): void {
  const { height } = block;
  const hint = "the log was changed, or it was written by a build with other results; `verify` says more";
  let result: BlockResult;
  try {
    result = applyBlock(state, block);
  } catch (cause) {
    throw new LogError("LOG_DIFFERS", "the block is refused", { file, height, offset, hint, cause });
  }
  if (checksumOfEvents(result.events, result.from, result.to) === effects) return;
  throw new LogError("LOG_DIFFERS", "the replay emits different events", { file, height, offset, hint });
}
