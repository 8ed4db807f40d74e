import type { State } from "../../engine/state/state.ts";
import { getCommittedNext } from "../committedNonce.ts";
import type { Lane, Pending } from "./lanes.ts";

/** How far a pending transaction is from execution. */
export interface Distance {
  readonly pending: Pending;
  /** Its place in its lane, from 0. */
  readonly place: number;
  /**
   * Blocks that must be made before its range of heights begins; in a sequential lane, also those of the nonces before
   * it.
   */
  readonly blocks: number;
  /** Nonces of its lane that must arrive before it can commit. */
  readonly nonces: number;
}

/** Whether the next block cannot carry the transaction yet, whatever the block's size. */
export function isWaiting({ blocks, nonces }: Distance): boolean {
  return blocks + nonces > 0;
}

/** Distances of a lane's transactions, by rising nonce; neither part falls along a sequential lane. */
export function measureLane(state: State, lane: Lane): Distance[] {
  const height = state.height + 1;
  const window = lane.parts.domain === "trading" ? state.nonceWindow : 0;
  let next = getCommittedNext(state, lane.parts);
  let nonces = 0;
  let from = height;
  return lane.inOrder().map((pending, place) => {
    const { nonce, validFrom } = pending.transaction.header;
    nonces += Math.max(0, nonce - next - Math.max(0, window - 1));
    next = Math.max(next, nonce + 1);
    // In a lane with a window no transaction waits for the one before it (NON-2).
    from = window === 0 ? Math.max(from, validFrom) : Math.max(height, validFrom);
    return { pending, place, blocks: from - height, nonces };
  });
}
