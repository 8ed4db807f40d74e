import { NONE } from "../../collections/table.ts";
import { CANCEL_CAUSE, INTENT_CAUSE } from "../../protocol/events.ts";
import { REJECTION_PLACES, type RejectionCode } from "../../protocol/rejections.ts";
import { INTENT_STATE, SIDE } from "../../protocol/words.ts";
import { dropOrder } from "../book/orders.ts";
import type { IntentRow } from "../state/schema.ts";
import { getPosition, type State } from "../state/state.ts";
import { listIntents } from "./followOrders.ts";
import { cancelIntent, completeIntent, removeIntent, resizeIntent } from "./intents.ts";
import { computeSlice, getLotsToTrade, placeChild } from "./placeChild.ts";

/**
 * An armed intent whose trigger was reached places its order. Refused, it has failed; placed, it is executed, unless its
 * order rests and belongs to a group: then it stays until the order ends. What still rests of its entry is cancelled, as
 * nothing would close what it fills (INT).
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

/** The next slice of a schedule. A slice that is refused or finds nothing is left to the later ones. */
export function fireSlice(state: State, row: IntentRow): void {
  const { intents, intentIndex, events } = state;
  const id = intents.id[row];
  const { number, lots } = computeSlice(state, row);
  intents.state[row] = INTENT_STATE.triggered; // so that its own fills do not end it with its position
  const refused = lots === 0 ? undefined : placeChild(state, row, lots);
  intentIndex.watched.delete(id);
  intents.state[row] = INTENT_STATE.armed;
  intents.sliced[row] = number;
  const left = intents.size[row];
  events.intentSliced({
    intent: id,
    slice: number,
    size: lots,
    filled: intents.filled[row],
    left,
    code: refused === undefined ? NONE : REJECTION_PLACES[refused.code],
  });
  if (left === 0 || (number === intents.slices[row] && intents.filled[row] > 0)) completeIntent(state, row);
  else if (number === intents.slices[row]) failIntent(state, row, refused?.code);
  else if (intents.reduceOnly[row] === 1 && !hasPosition(state, row)) cancelIntent(state, row, INTENT_CAUSE.position);
  else intentIndex.arm(intents, row);
}

/** @param code why its order was refused; none where a schedule found nobody to trade with */
function failIntent(state: State, row: IntentRow, code: RejectionCode | undefined): void {
  const { id, account, market } = state.intents;
  state.events.intentFailed({
    intent: id[row],
    account: account[row],
    market: market[row],
    code: code === undefined ? NONE : REJECTION_PLACES[code],
  });
  removeIntent(state, row);
}

function hasSibling(state: State, row: IntentRow): boolean {
  const { intents } = state;
  return listIntents(state, intents.account[row]).some(
    (other) => other !== row && intents.group[other] === intents.group[row],
  );
}

/** Whether there is a position that the intent's orders would reduce. */
function hasPosition(state: State, row: IntentRow): boolean {
  const { intents, positions } = state;
  const position = getPosition(state, intents.account[row], intents.market[row]);
  if (position === NONE) return false;
  return intents.side[row] === SIDE.sell ? positions.size[position] > 0 : positions.size[position] < 0;
}
