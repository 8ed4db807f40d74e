import { NONE } from "../../../ground/collections/table.ts";
import { type Amount, LIMIT } from "../../../ground/math/fixed.ts";
import { AUTHORIZATION_STATUS, SIDE } from "../../../protocol/words.ts";
import { type Rejection, reject } from "../handler/defineHandler.ts";
import type { AccountRow, AuthorizationRow, MarketRow } from "../state/schema.ts";
import { getPosition, type State } from "../state/state.ts";
import { getNotionalAtMark } from "../valuation/notional.ts";
import { scopeBit, UNLIMITED } from "./readGrant.ts";

const DAY_MS = 86_400_000;

/** An order of an agent: the most that it may trade, and the order that it replaces. */
export interface AgentOrder {
  readonly side: number;
  readonly lots: number;
  readonly price: number;
  readonly reduceOnly: boolean;
  /** What is left may rest, and it does not rest yet. */
  readonly opens: boolean;
  /** Lots and value of the resting order that it replaces. */
  readonly goneLots?: number;
  readonly goneNotional?: number;
}

/**
 * Limits of a grant for an order at entry, whether an action, a batch or a firing intent brings it (AUT).
 *
 * - order: lots x price;
 * - position: |size + all resting lots of the side that may add| at the mark, unless the order does not raise it;
 * - day: the sum of the values of orders entered in the UTC day, filled or not; an amendment counts what it adds.
 *
 * Orders that only reduce pass the first three.
 */
export function checkAgentOrder(
  state: State,
  grant: AuthorizationRow,
  account: AccountRow,
  market: MarketRow,
  order: AgentOrder,
): Rejection | undefined {
  const { authorizations } = state;
  if (!order.reduceOnly) {
    // The entry order of a group may add what the group, which only reduces, does not.
    if ((authorizations.scopes[grant] & scopeBit("trade")) === 0) {
      return reject("AUTHORIZATION_SCOPE", { scope: "trade" });
    }
    const notional = getOrderNotional(state, market, order);
    const most = authorizations.maxOrderNotional[grant];
    if (most !== UNLIMITED && notional > most) return reject("AUTHORIZATION_ORDER_LIMIT", { notional, most });
    const exposed = checkPosition(state, grant, account, market, order);
    if (exposed !== undefined) return exposed;
    const daily = authorizations.maxDailyNotional[grant];
    const used = getUsed(state, grant);
    const added = Math.max(0, notional - (order.goneNotional ?? 0));
    if (daily !== UNLIMITED && used + added > daily) {
      return reject("AUTHORIZATION_DAILY_LIMIT", { used, notional: added, most: daily });
    }
  }
  const open = authorizations.maxOpenOrders[grant];
  if (order.opens && open !== UNLIMITED && authorizations.openOrders[grant] >= open) {
    return reject("AUTHORIZATION_OPEN_ORDERS", { orders: authorizations.openOrders[grant], most: open });
  }
  return undefined;
}

/** Greatest value of an order under a grant, quote units; Infinity where it has no such limit. */
export function getOrderLimit({ authorizations }: State, grant: AuthorizationRow): number {
  const most = authorizations.maxOrderNotional[grant];
  return most === UNLIMITED ? Number.POSITIVE_INFINITY : most;
}

/** Value of an order at its price, in quote units. */
export function getOrderNotional(state: State, market: MarketRow, order: { lots: number; price: number }): number {
  return order.lots * order.price * state.parameters[market]!.tickLotValue;
}

function checkPosition(
  state: State,
  grant: AuthorizationRow,
  account: AccountRow,
  market: MarketRow,
  { side, lots, goneLots = 0 }: AgentOrder,
): Rejection | undefined {
  const most = state.authorizations.maxPositionNotional[grant];
  if (most === UNLIMITED) return undefined;
  const { positions, markets, parameters } = state;
  const position = getPosition(state, account, market);
  const signedLots: number = position === NONE ? 0 : positions.signedLots[position];
  const resting = position === NONE ? 0 : side === SIDE.buy ? positions.buys[position] : positions.sells[position];
  const exposed = (ahead: number) => Math.abs(side === SIDE.buy ? signedLots + ahead : signedLots - ahead);
  const exposure = exposed(resting - goneLots + lots);
  if (exposure <= exposed(resting)) return undefined;
  if (!(exposure <= LIMIT)) return reject("AUTHORIZATION_POSITION_LIMIT", { notional: LIMIT, most });
  const notional = getNotionalAtMark(markets, parameters[market]!, market, exposure);
  if (notional <= most) return undefined;
  // A value beyond a number is reported as the greatest number.
  return reject("AUTHORIZATION_POSITION_LIMIT", { notional: notional <= LIMIT ? notional : LIMIT, most });
}

/** Notional used in the present UTC day. */
function getUsed({ authorizations, timeMs }: State, grant: AuthorizationRow): number {
  return authorizations.day[grant] === Math.floor(timeMs / DAY_MS) ? authorizations.used[grant] : 0;
}

/**
 * Counts an order that entered. A grant without a daily limit counts nothing. One that used its last day up and allows
 * nothing but trading is exhausted: it can never do anything again.
 */
export function spendGrant(state: State, grant: AuthorizationRow, notional: number): void {
  const { authorizations, journal } = state;
  const most = authorizations.maxDailyNotional[grant];
  if (most === UNLIMITED || notional <= 0) return;
  if (journal.on) journal.row(authorizations, grant);
  const day = Math.floor(state.timeMs / DAY_MS);
  const used = (getUsed(state, grant) + notional) as Amount;
  authorizations.day[grant] = day;
  authorizations.used[grant] = used;
  state.events.authorizationUsed({ authorization: grant, day, used });
  const last = authorizations.expiresAt[grant] <= (day + 1) * DAY_MS;
  if (used >= most && last && authorizations.scopes[grant] === scopeBit("trade")) {
    setGrantStatus(state, grant, AUTHORIZATION_STATUS.exhausted);
  }
}

/** Moves a grant to another state and emits the change. */
export function setGrantStatus(state: State, grant: AuthorizationRow, status: number): void {
  state.authorizations.status[grant] = status;
  state.events.authorizationChanged({ authorization: grant, status });
}

/** Counts a resting order of a grant that came (1) or left (-1). Derived: it writes no event. */
export function countAgentOrder({ authorizations, journal }: State, grant: AuthorizationRow, by: number): void {
  if (journal.on) journal.row(authorizations, grant);
  authorizations.openOrders[grant] += by;
}
