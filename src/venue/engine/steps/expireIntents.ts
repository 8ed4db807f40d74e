import { INTENT_STATE } from "../../../protocol/words.ts";
import { removeIntent } from "../intents/intents.ts";
import type { IntentRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/**
 * Step 4 of a block, for intents: those whose last height or time has passed are cancelled, except one whose order
 * rests already. Cost: once per intent that expires.
 */
export function expireIntents(state: State): void {
  const { intents, intentIndex, height, timeMs } = state;
  if (intents.rows.count === 0) return;
  const { heights, times } = intentIndex;
  const rows = new Set<IntentRow>();
  const gather = (id: number) => {
    const row = intentIndex.rowOf.get(id);
    if (row !== undefined && intents.state[row] !== INTENT_STATE.triggered) rows.add(row);
  };
  while (heights.least < height) gather(heights.pop());
  while (times.least < timeMs) gather(times.pop());
  for (const row of [...rows].sort((a, b) => intents.id[a] - intents.id[b])) {
    const { id, account, market } = intents;
    state.events.intentExpired({ intent: id[row], account: account[row], market: market[row] });
    removeIntent(state, row);
  }
}
