import { NONE } from "../../../ground/collections/table.ts";
import { CANCEL_CAUSE } from "../../../protocol/events.ts";
import { INTENT_STATE } from "../../../protocol/words.ts";
import { dropOrder } from "../book/orders.ts";
import { listIntents } from "../intents/followOrders.ts";
import { completeIntent, failIntent, resizeIntent } from "../intents/intents.ts";
import type { IntentRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { getLotsToTrade, placeChild } from "./placeChild.ts";

/**
 * An armed intent whose trigger was reached places its order. If the order is refused, the intent has failed; if it is
 * placed, the intent is executed. An intent of a group whose order rests stays until the order ends. The resting rest
 * of its entry is cancelled, since no order would close its fills (INT).
 *
 * @param value price that reached the trigger
 */
export function fireIntent(state: State, row: IntentRow, value: number): void {
  const { intents, orders, orderIndex } = state;
  const id = intents.id[row];
  intents.state[row] = INTENT_STATE.triggered;
  const lots = getLotsToTrade(state, row);
  intents.size[row] = lots as (typeof intents.size)[IntentRow];
  state.events.intentTriggered({
    intent: id,
    account: intents.account[row],
    market: intents.market[row],
    value,
    size: lots,
  });
  const entry = intents.entry[row] === 0 ? NONE : orderIndex.find(orders, intents.entry[row]);
  if (entry !== NONE) dropOrder(state, entry as Exclude<typeof entry, -1>, CANCEL_CAUSE.intent);
  const refused = placeChild(state, row, lots);
  if (refused !== undefined) {
    failIntent(state, row, refused.code);
  } else if (intents.group[row] !== 0 && hasSibling(state, row) && orderIndex.find(orders, id) !== NONE) {
    if (intents.filled[row] !== 0) resizeIntent(state, row, intents.size[row]);
  } else {
    completeIntent(state, row);
  }
}

function hasSibling(state: State, row: IntentRow): boolean {
  const { intents } = state;
  return listIntents(state, intents.account[row]).some(
    (other) => other !== row && intents.group[other] === intents.group[row],
  );
}
