/** What genes refer to: by place among what is there now, so that a reference means something after any deletion. */

import { NONE } from "../../collections/table.ts";
import { getClientOrderId } from "../../engine/book/extras.ts";
import type {
  AccountRow,
  AuthorizationRow,
  IntentRow,
  MarketRow,
  OrderRow,
  PositionRow,
} from "../../engine/state/schema.ts";
import type { State } from "../../engine/state/state.ts";
import { MARKET_STATUS } from "../../protocol/words.ts";
import { type Choices, weigh } from "./choices.ts";
import type { Desk } from "./desk.ts";
import type { Operation } from "./operations.ts";

export const UNKNOWN_MARKET = "NONE-PERP";
/** Choices of a market from here on name one that does not exist. */
const UNKNOWN_FROM = 0xff00;
/** Choices of actor and market from here on follow what is there: whoever can do it, and where he can. */
const FITTING_FROM = 0x8000;

/** What comes to nothing without something to be done to: these look for who fits more often. */
const NEEDY: ReadonlySet<Operation> = new Set([
  "amendOrder",
  "cancelOrder",
  "adjustIsolatedMargin",
  "cancelIntent",
  "revokeAuthorization",
  "closePosition",
]);
const NEEDY_FROM = 0x4000;

/** Who acts: an account by its row, or one that has what the operation is about. */
export function getActor({ state, actor }: Desk, operation: Operation): AccountRow {
  const plain = (actor % state.accounts.rows.high) as AccountRow;
  if (actor < (NEEDY.has(operation) ? NEEDY_FROM : FITTING_FROM)) return plain;
  const fitting = findFitting(state, operation, actor);
  return fitting === NONE ? plain : fitting;
}

/** An account that has an order to cancel, a position to close and so on, counted from a place on; NONE where none has. */
function findFitting(state: State, operation: Operation, from: number): AccountRow {
  const { positions, intents, authorizations } = state;
  const none = NONE as AccountRow;
  switch (operation) {
    case "amendOrder":
    case "cancelOrder":
    case "cancelOrders":
    case "cancelAll": {
      const order = findAnyOrder(state, from);
      return order === NONE ? none : positions.account[state.orders.position[order]!]!;
    }
    case "adjustIsolatedMargin": {
      const position = findPosition(state, from, (row) => positions.mode[row] !== 0);
      return position === NONE ? none : positions.account[position]!;
    }
    case "cancelIntent": {
      const { high } = intents.rows;
      for (let step = 0; step < high; step++) {
        const row = ((from + step) % high) as IntentRow;
        if (intents.rows.isLive(row)) return intents.account[row]!;
      }
      return none;
    }
    case "revokeAuthorization":
    case "noop": {
      const { high } = authorizations.rows;
      return high === 0 ? none : authorizations.account[(from % high) as AuthorizationRow]!;
    }
    default: {
      const position = findPosition(state, from, () => true);
      return position === NONE ? none : positions.account[position]!;
    }
  }
}

/**
 * Where: a market by its row, or the first one in which the account has a position. One that does not trade mostly gives
 * way to the next one that does.
 */
export function getMarket({ state, market }: Desk, account: AccountRow): MarketRow {
  if (market >= FITTING_FROM && account !== NONE && market % 4 === 0) {
    const { positions } = state;
    for (let at = state.accounts.position[account]!; at !== NONE; at = positions.next[at]!) {
      if (positions.size[at] !== 0) return positions.market[at]!;
    }
  }
  const count = state.marketNames.length;
  const plain = (market % count) as MarketRow;
  if (market >= UNKNOWN_FROM) return plain;
  for (let step = 0; step < count; step++) {
    const row = ((plain + step) % count) as MarketRow;
    if (state.parameters[row]!.status === MARKET_STATUS.active && state.markets.mark[row] !== 0) return row;
  }
  return plain;
}

/** Its name, or one that no market has. */
export function getMarketName({ state, market }: Desk, row: MarketRow): string {
  return market >= UNKNOWN_FROM ? UNKNOWN_MARKET : state.marketNames[row]!;
}

/** Some open position of a kind, counted from a place on. NONE where there is none. */
export function findPosition(
  { positions }: State,
  from: number,
  fits: (position: PositionRow) => boolean,
): PositionRow {
  const { high } = positions.rows;
  for (let step = 0; step < high; step++) {
    const row = ((from + step) % high) as PositionRow;
    if (positions.size[row] !== 0 && positions.rows.isLive(row) && fits(row)) return row;
  }
  return NONE as PositionRow;
}

/** The n-th newest resting order of an account, position by position; the last one where there are fewer. */
export function findOrder({ accounts, positions, orders }: State, account: AccountRow, place: number): OrderRow {
  let found = NONE as OrderRow;
  let left = place;
  for (let at = accounts.position[account]!; at !== NONE; at = positions.next[at]!) {
    for (let order = positions.orders[at]!; order !== NONE; order = orders.older[order]!) {
      found = order;
      if (left-- === 0) return found;
    }
  }
  return found;
}

/** Some order of somebody, counted from a place on. */
export function findAnyOrder(state: State, from: number): OrderRow {
  const { rows } = state.orders;
  for (let step = 0; step < rows.high; step++) {
    const row = ((from + step) % rows.high) as OrderRow;
    if (rows.isLive(row)) return row;
  }
  return NONE as OrderRow;
}

/** How an order or an intent is named. */
export interface Named {
  readonly id: number;
  readonly text: string;
}

/** How an order is found; the plainest first. */
const ORDER_WAYS = weigh({ own: 10, byName: 2, fresh: 2, foreign: 1, stale: 1, never: 1, nobody: 1 });
/** Ids set aside for each transaction. */
export const IDS = 64;

/**
 * Names an order: an own one by id or text, one that an earlier transaction of this block is about to place, another's, one
 * that is gone, or one that never was.
 */
export function nameOrder(desk: Desk, account: AccountRow, choices: Choices): Named & { readonly row: OrderRow } {
  const { state } = desk;
  const way = choices.pick(ORDER_WAYS);
  const place = choices.next();
  const none = NONE as OrderRow;
  switch (way) {
    case "own":
    case "byName": {
      const row = findOrder(state, account, place % 8);
      if (row === NONE) return { row: none, id: IDS * state.consumed, text: "" };
      const text = way === "own" ? "" : getClientOrderId(state, row);
      return text === "" ? { row, id: state.orders.id[row]!, text } : { row, id: 0, text };
    }
    case "foreign": {
      const row = findAnyOrder(state, place);
      return { row, id: row === NONE ? 1 : state.orders.id[row]!, text: "" };
    }
    case "fresh":
      return { row: none, id: IDS * (state.consumed + (place % (1 + desk.size))), text: "" };
    case "stale":
      return { row: none, id: IDS * (place % (1 + state.consumed)) + (place >> 13), text: "" };
    case "never":
      return { row: none, id: 9e15 - place, text: "" };
    case "nobody":
      return { row: none, id: 0, text: choices.pick(NAMES) };
  }
}

/** Client ids. */
export const NAMES = ["", "", "", "", "a", "b", "c"] as const;
