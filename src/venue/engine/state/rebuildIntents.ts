import { NONE } from "../../../ground/collections/table.ts";
import { INTENT_STATE } from "../../../protocol/words.ts";
import { IntentIndex } from "./intentIndex.ts";
import type { IntentRow } from "./schema.ts";
import type { State } from "./state.ts";

/** Makes what is derived from the table of intents: index, and the orders that concern one. Cost: once per intent. */
export function rebuildIntents(state: State): void {
  const { intents, orders, orderIndex } = state;
  const index = new IntentIndex();
  for (let row = 0 as IntentRow; row < intents.rows.high; row++) {
    if (!intents.rows.isLive(row)) continue;
    index.add(intents, row);
    const entry = intents.entry[row];
    if (entry !== 0 && orderIndex.find(orders, entry) !== NONE) index.watched.add(entry);
    if (intents.state[row] === INTENT_STATE.triggered) index.watched.add(intents.id[row]);
  }
  state.intentIndex = index;
}
