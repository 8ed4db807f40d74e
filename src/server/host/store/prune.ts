import { KEY_BLOCKS } from "../options.ts";
import type { Log } from "./log.ts";
import type { StoreIndex } from "./storeIndex.ts";
import { PENDING } from "./transactionIndex.ts";

export interface KeepOptions {
  /** Fewest blocks that are kept. */
  readonly keepBlocks: number;
  /** How long keys are kept, in ms of the clock. */
  readonly keyMs: number;
  readonly clock: () => number;
}

/**
 * Removes the oldest segments that are no longer needed. Their blocks are old enough and below a state from which the
 * rest can be reached. None of their transactions is pending, and none of their keys is kept.
 *
 * @param stateHeight height of the oldest state that is kept
 */
export function pruneLog(log: Log, index: StoreIndex, stateHeight: number, options: KeepOptions): void {
  const { keepBlocks, keyMs, clock } = options;
  const { transactions, blocks } = index;
  const segments = log.segments();
  let from = 0;
  for (; from + 1 < segments.length; from++) {
    const { number, start } = segments[from]!;
    const next = segments[from + 1]!.start;
    if (next.height > blocks.head - keepBlocks || next.height >= stateHeight) break;
    const { receivedAtMs, validUntil } = index.newestOf(number);
    if (receivedAtMs + keyMs > clock() || validUntil + KEY_BLOCKS >= blocks.head) break;
    let waits = false;
    for (let arrival = start.arrival; arrival < next.arrival && !waits; arrival++) {
      waits = transactions.has(arrival) && transactions.height(arrival) === PENDING;
    }
    if (waits) break;
  }
  if (from === 0) return;
  const { number, start } = segments[from]!;
  index.dropBefore(number, start);
  log.removeBelow(number);
}
