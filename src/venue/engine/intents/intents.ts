import { NONE } from "../../../ground/collections/table.ts";
import type { Lots } from "../../../ground/math/fixed.ts";
import { REJECTION_PLACES, type RejectionCode } from "../../../protocol/rejections.ts";
import { INTENT_KIND, INTENT_STATE } from "../../../protocol/words.ts";
import { type AccountRow, INTENT_COLUMNS, type IntentColumn, type IntentRow, type MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { getProtected } from "./protection.ts";
import { getPrice, getTrailTrigger } from "./trigger.ts";

/** All values of an intent, by column. */
export type IntentValues = Readonly<Record<IntentColumn, number>>;

/** Adds an intent to table, list of its account, and index. */
export function addIntent(state: State, values: IntentValues, client: string): IntentRow {
  const row = state.intents.rows.allocate();
  const { intents, accounts } = state;
  for (const column of INTENT_COLUMNS) (intents[column] as Record<number, number>)[row] = values[column];
  state.intentTexts[row] = client;
  const account = intents.account[row];
  const newest = accounts.intents[account];
  intents.older[row] = newest;
  intents.newer[row] = NONE as IntentRow;
  if (newest !== NONE) intents.newer[newest] = row;
  accounts.intents[account] = row;
  accounts.intentCount[account]++;
  state.intentIndex.add(intents, row);
  return row;
}

/**
 * Takes an intent out of everything; writes no event. Its order and its entry are then watched only for other intents.
 */
export function removeIntent(state: State, row: IntentRow): void {
  const { intents, accounts } = state;
  const account = intents.account[row];
  const entry = intents.entry[row];
  const newer = intents.newer[row];
  const older = intents.older[row];
  if (newer === NONE) accounts.intents[account] = older;
  else intents.older[newer] = older;
  if (older !== NONE) intents.newer[older] = newer;
  accounts.intentCount[account]--;
  state.intentIndex.remove(intents.id[row]);
  state.intentIndex.watched.delete(intents.id[row]);
  if (entry !== 0 && !isEntryOfAny(state, account, entry)) state.intentIndex.watched.delete(entry);
  state.intentTexts[row] = "";
  intents.rows.release(row);
}

/** Whether an intent of an account waits for an order, or was armed by it. Cost: once per intent of the account. */
function isEntryOfAny({ intents, accounts }: State, account: AccountRow, entry: number): boolean {
  for (let at = accounts.intents[account]; at !== NONE; at = intents.older[at]) {
    if (intents.entry[at] === entry) return true;
  }
  return false;
}

/** Adds an intent and emits it. */
export function placeIntent(state: State, values: IntentValues, client: string): IntentRow {
  const row = addIntent(state, values, client);
  const { id, kind, filled: _filled, sliced: _sliced, armedHeight: _armed, ...fields } = values;
  const text = client === "" ? NONE : state.events.text(client);
  state.events.intentPlaced({ intent: id, way: kind, ...fields, client: text });
  return row;
}

/** Ends an intent before it fired, or with the rest of its order (INTENT_CAUSE). */
export function cancelIntent(state: State, row: IntentRow, cause: number): void {
  const { intents } = state;
  const { id, account, market } = intents;
  state.events.intentCancelled({ intent: id[row], account: account[row], market: market[row], cause });
  removeIntent(state, row);
}

/** Ends an intent whose order was placed, with its filled and unfilled lots. */
export function completeIntent(state: State, row: IntentRow): void {
  const { id, account, market, filled, size } = state.intents;
  state.events.intentExecuted({
    intent: id[row],
    account: account[row],
    market: market[row],
    filled: filled[row],
    unfilled: size[row],
  });
  removeIntent(state, row);
}

/**
 * Ends an intent whose order was refused, or that may place none any more. The event names the position that it would
 * have reduced.
 *
 * @param code why; none where a schedule found no offers
 */
export function failIntent(state: State, row: IntentRow, code: RejectionCode | undefined): void {
  const { id, account, market } = state.intents;
  state.events.intentFailed({
    intent: id[row],
    account: account[row],
    market: market[row],
    code: code === undefined ? NONE : REJECTION_PLACES[code],
    position: getProtected(state, row),
  });
  removeIntent(state, row);
}

/** Fills of its entry arm an intent, or make it larger (INT-2). A trailing stop starts from the present price. */
export function armIntent(state: State, row: IntentRow, lots: number): void {
  const { intents } = state;
  intents.size[row] = (intents.size[row] + lots) as Lots;
  if (intents.state[row] === INTENT_STATE.waiting) {
    intents.state[row] = INTENT_STATE.armed;
    intents.armedHeight[row] = state.height;
    if (intents.kind[row] === INTENT_KIND.trailingStop) {
      intents.extreme[row] = getPrice(state, intents.market[row], intents.source[row]);
      intents.trigger[row] = getTrailTrigger(intents, row);
    }
    state.intentIndex.arm(intents, row);
  }
  state.events.intentArmed({
    intent: intents.id[row],
    size: intents.size[row],
    trigger: intents.trigger[row],
    extreme: intents.extreme[row],
  });
}

/** Changes the remaining lots of an intent, and emits the event. */
export function resizeIntent(state: State, row: IntentRow, lots: number): void {
  const { intents } = state;
  intents.size[row] = lots as Lots;
  state.events.intentResized({
    intent: intents.id[row],
    state: intents.state[row],
    size: lots,
    filled: intents.filled[row],
  });
}

/** Whether an account has an intent in a market. Cost: once per intent of the account. */
export function hasIntents(state: State, account: number, market: MarketRow): boolean {
  const { intents, accounts } = state;
  for (let at = accounts.intents[account as never] as IntentRow; at !== NONE; at = intents.older[at]) {
    if (intents.market[at] === market) return true;
  }
  return false;
}
