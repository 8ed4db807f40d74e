import { NONE } from "../../../ground/collections/table.ts";
import { divFloor, mulDivFloor } from "../../../ground/math/fixed.ts";
import { INTENT_CAUSE } from "../../../protocol/events.ts";
import { REJECTION_PLACES } from "../../../protocol/rejections.ts";
import { INTENT_STATE, ROLE } from "../../../protocol/words.ts";
import { checkAgentIntent } from "../authorization/checkReach.ts";
import { getOrderLimit, getOrderNotional } from "../authorization/limits.ts";
import { type Rejection, reject } from "../handler/defineHandler.ts";
import { cancelIntent, completeIntent, failIntent } from "../intents/intents.ts";
import { getProtected } from "../intents/protection.ts";
import type { AuthorizationRow, IntentRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { checkTriggering } from "./findDue.ts";
import { getChildPrice, placeChild } from "./placeChild.ts";

/**
 * The slice of a schedule that is due now: its number, and the lots that the schedule lacks, three even slices at most.
 */
interface DueSlice {
  readonly number: number;
  readonly wanted: number;
}

/** The outcome of a slice: the lots that it asked for, and why it was skipped. */
interface TradedSlice {
  readonly lots: number;
  readonly skipped?: Rejection | undefined;
  /** The grant of the schedule has ended: no later slice can trade. */
  readonly isLast?: boolean;
}

/**
 * The next slice of a schedule (INT-4). A refusal skips the slice, and later slices ask for what is missing. After the
 * last slice the schedule is executed if it filled anything, and has failed otherwise.
 */
export function fireSlice(state: State, row: IntentRow): void {
  const { intents, intentIndex, events } = state;
  const id = intents.id[row];
  const { number, wanted } = computeSlice(state, row);
  intents.state[row] = INTENT_STATE.triggered; // so that its own fills do not end it with its position
  const { lots, skipped, isLast = number === intents.slices[row] } = tradeSlice(state, row, wanted);
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
    code: skipped === undefined ? NONE : REJECTION_PLACES[skipped.code],
  });
  if (left === 0 || (isLast && intents.filled[row] > 0)) completeIntent(state, row);
  else if (isLast) failIntent(state, row, skipped?.code);
  else if (intents.reduceOnly[row] === 1 && getProtected(state, row) === 0)
    cancelIntent(state, row, INTENT_CAUSE.position);
  else intentIndex.arm(intents, row);
}

/**
 *     wanted = min(max(0, target - filled), 3 * ceil(total / slices))
 *     target = floor(total * k / slices), of the last slice total;  k = slices due by now, at most all
 *
 * Slices that were missed are caught up with. Lots; filled and total are of the whole schedule.
 */
function computeSlice({ intents, timeMs }: State, row: IntentRow): DueSlice {
  const slices = intents.slices[row];
  const elapsed = Math.floor((timeMs - intents.startMs[row]) / intents.intervalMs[row]) + 1;
  const number = elapsed < slices ? elapsed : slices;
  const total = intents.size[row] + intents.filled[row];
  const target = number === slices ? total : mulDivFloor(total, number, slices);
  const most = 3 * Math.ceil(total / slices);
  const lacking = Math.max(0, target - intents.filled[row]);
  return { number, wanted: Math.min(lacking, most) };
}

/** Cuts a slice to what may be traded and places its order, or returns why the slice is skipped. */
function tradeSlice(state: State, row: IntentRow, wanted: number): TradedSlice {
  if (wanted === 0) return { lots: 0 };
  const { intents } = state;
  const market = intents.market[row];
  const grant = intents.authorization[row] as AuthorizationRow;
  const ended = grant === NONE ? undefined : checkAgentIntent(state, grant, false);
  if (ended !== undefined) return { lots: wanted, skipped: ended, isLast: true };
  const closed = checkTriggering(state, market);
  if (closed !== undefined) return { lots: wanted, skipped: closed };
  const house = state.accounts.role[intents.account[row]] === ROLE.house;
  const most = house ? wanted : Math.min(wanted, state.parameters[market]!.maxLots);
  const lots = cutToGrant(state, row, most);
  if (lots === 0) {
    const limit = getOrderLimit(state, grant);
    return { lots, skipped: reject("AUTHORIZATION_ORDER_LIMIT", { notional: priceOfLot(state, row), most: limit }) };
  }
  return { lots, skipped: placeChild(state, row, lots) };
}

/**
 * The lots of a slice that the grant's order limit allows at the price that the order would have. A part of a lot
 * counts as none.
 */
function cutToGrant(state: State, row: IntentRow, lots: number): number {
  const grant = state.intents.authorization[row] as AuthorizationRow;
  if (grant === NONE || state.intents.reduceOnly[row] === 1) return lots;
  const limit = getOrderLimit(state, grant);
  return Number.isFinite(limit) ? Math.min(lots, divFloor(limit, priceOfLot(state, row))) : lots;
}

/** Value of one lot at the price that the order of an intent would have, quote units. */
function priceOfLot(state: State, row: IntentRow): number {
  return getOrderNotional(state, state.intents.market[row], { lots: 1, price: getChildPrice(state, row) });
}
