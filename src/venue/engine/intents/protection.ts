import { NONE } from "../../../ground/collections/table.ts";
import { INTENT_KIND, SIDE } from "../../../protocol/words.ts";
import type { IntentRow, Intents } from "../state/schema.ts";
import { getPosition, type State } from "../state/state.ts";

/**
 * Whether an intent protects a position (INT-6): it is a leg of an entry order, or any other kind but a schedule that
 * only reduces. It outlives the expiry of its grant, and fails at the revocation.
 */
export function isProtecting(intents: Intents, row: IntentRow): boolean {
  return intents.kind[row] !== INTENT_KIND.twap && (intents.entry[row] !== 0 || intents.reduceOnly[row] === 1);
}

/** Signed lots of the position that orders of an intent would reduce now; 0 where there is none. */
export function getProtected(state: State, row: IntentRow): number {
  const { intents, positions } = state;
  const position = getPosition(state, intents.account[row], intents.market[row]);
  if (position === NONE) return 0;
  const signedLots: number = positions.signedLots[position];
  return intents.side[row] === SIDE.sell ? Math.max(0, signedLots) : Math.min(0, signedLots);
}
