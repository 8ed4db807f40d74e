/** References of genes: by position among what currently exists, so that they stay valid after any deletion. */

import { NONE } from "../../../ground/collections/table.ts";
import { actions } from "../../../protocol/actions/index.ts";
import { AUTHORIZATION_STATUS, MARKET_STATUS, ROLE } from "../../../protocol/words.ts";
import { getClientOrderId } from "../../../venue/engine/book/extras.ts";
import type {
  AccountRow,
  AuthorizationRow,
  IntentRow,
  MarketRow,
  OrderRow,
  PositionRow,
} from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { BlockBuilder } from "./blockBuilder.ts";
import { type Choices, weigh } from "./choices.ts";
import type { Operation } from "./operations.ts";
import { MARKETS_MOST } from "./systemPayloads.ts";

export const UNKNOWN_MARKET = "NONE-PERP";
/** Choices of a market from here on name one that does not exist. */
const UNKNOWN_FROM = 0xff00;
/**
 * Choices of actor and market from here on select an account that can perform the operation, and a market where it can.
 */
const FITTING_FROM = 0x8000;

/** The choices of an actor just below select the newest accounts. */
const NEWEST = 256;

/** Choice of the actor that was created this many accounts before the last one. */
export function newest(place: number): number {
  return NEEDY_FROM - 1 - place;
}

/** Choice of the actor that is the house, if there is one. */
export const HOUSE = 0x1eff;
/** Choice of the actor that is the first backstop, if there is one. */
export const BACKSTOP = 0x1efe;

/**
 * Operations that need an existing order, position, intent or grant. Their actors are selected accordingly more often.
 */
const NEEDY: ReadonlySet<Operation> = new Set([
  "amendOrder",
  "cancelOrder",
  "cancelOrders",
  "adjustIsolatedMargin",
  "cancelIntent",
  "revokeAuthorization",
  "closePosition",
]);
export const NEEDY_FROM = 0x2000;

/** Actions that need free collateral. An account with none is usually replaced by one that has some. */
const COSTLY: ReadonlySet<string> = new Set(
  Object.values(actions).flatMap(({ name, needsCollateral }) => (needsCollateral ? [name] : [])),
);

/** The acting account: by its row, or one that has what the operation needs. */
export function getActor(builder: BlockBuilder, operation: Operation): AccountRow {
  const { state, actor } = builder;
  const { high } = state.accounts.rows;
  if (actor < NEEDY_FROM && actor >= NEEDY_FROM - NEWEST) return Math.max(0, high - NEEDY_FROM + actor) as AccountRow;
  const plain = (actor % high) as AccountRow;
  if (actor === HOUSE || actor === BACKSTOP) {
    const role = actor === HOUSE ? ROLE.house : ROLE.backstop;
    for (let row = 0 as AccountRow; row < high; row++) if (state.accounts.role[row] === role) return row;
  }
  if (actor < NEEDY_FROM) return plain;
  if (COSTLY.has(operation)) {
    // Also select an account with a position, so that positions grow, flip and close.
    const holder = actor % 4 === 3 ? findFitting(state, operation, actor) : NONE;
    return holder === NONE ? findFunded(builder, plain) : holder;
  }
  if (!NEEDY.has(operation) && actor < FITTING_FROM) return plain;
  const fitting = findFitting(state, operation, actor);
  return fitting === NONE ? plain : fitting;
}

/** The first account from a row on with free collateral; that row if none has any. */
function findFunded({ state, scene }: BlockBuilder, from: AccountRow): AccountRow {
  const { high } = state.accounts.rows;
  for (let step = 0; step < high; step++) {
    const account = ((from + step) % high) as AccountRow;
    if (state.accounts.collateral[account]! > 0 && scene.freeOf(account) > 0) return account;
  }
  return from;
}

/**
 * Operation that a gene performs. If its target does not exist, it is replaced by an operation that creates one. Genes
 * with low choices of the actor are never replaced.
 */
export function getOperation(builder: BlockBuilder, named: Operation): Operation {
  const { state, actor, detail, profile } = builder;
  if (actor < NEEDY_FROM) return named;
  const { faucet, agents, devnet } = profile.genesis.features;
  switch (named) {
    case "amendOrder":
    case "cancelOrder":
    case "cancelOrders":
      return state.orders.rows.count === 0 ? "placeOrder" : named;
    case "closePosition":
      return findPosition(state, 0, () => true) === NONE ? "placeOrder" : named;
    case "adjustIsolatedMargin":
      return findPosition(state, 0, (row) => state.positions.mode[row] !== 0) === NONE ? "setMarginMode" : named;
    case "cancelIntent":
      return state.intents.rows.count === 0 ? "placeIntent" : named;
    case "grantAuthorization":
      return agents || detail % 8 === 0 ? named : "placeOrder";
    case "revokeAuthorization":
      if (findGrant(state, actor) !== NONE || detail % 8 === 0) return named;
      return agents ? "grantAuthorization" : "placeOrder";
    case "faucetMint":
      return faucet || detail % 8 === 0 ? named : "deposit";
    case "createMarket":
      return state.marketNames.length < getMarketsMost(state) || detail % 8 === 0 ? named : "updateMarket";
    case "houseFlow":
      return profile.genesis.accounts.some(({ role }) => role === "house") || detail % 8 === 0 ? named : "price";
    case "devnetSet":
      return devnet || detail % 8 === 0 ? named : "price";
    default:
      return named;
  }
}

/**
 * Number of markets that may exist: a few besides the ended ones, up to a bound, so that a venue always has a market.
 */
export function getMarketsMost({ parameters }: State): number {
  const over = parameters.filter(({ status }) => status >= MARKET_STATUS.settling).length;
  return Math.min(16, MARKETS_MOST + over);
}

/**
 * A usable grant, counted from a position on; NONE if there is none.
 *
 * @param account an account whose owner made the grant; NONE for any owner
 */
export function findGrant({ authorizations, accounts }: State, from: number, account = NONE): AuthorizationRow {
  const { status } = authorizations;
  const { high } = authorizations.rows;
  const owner = account === NONE ? NONE : accounts.owner[account as AccountRow]!;
  for (let step = 0; step < high; step++) {
    const row = ((from + step) % high) as AuthorizationRow;
    if (status[row]! > AUTHORIZATION_STATUS.active) continue;
    if (owner === NONE || accounts.owner[authorizations.account[row]!] === owner) return row;
  }
  return NONE as AuthorizationRow;
}

/**
 * An account with an order to cancel, a position to close and so on, counted from a position on; NONE if there is none.
 */
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
      const grant = findGrant(state, from);
      return grant === NONE ? none : authorizations.account[grant]!;
    }
    default: {
      const position = findPosition(state, from, () => true);
      return position === NONE ? none : positions.account[position]!;
    }
  }
}

/**
 * The market: by its row, or the first one in which the account has a position. A market that does not trade is mostly
 * replaced by the next one that does.
 */
export function getMarket({ state, market }: BlockBuilder, account: AccountRow, operation?: Operation): MarketRow {
  const held = operation === "closePosition" ? market >= NEEDY_FROM : market >= FITTING_FROM && market % 4 === 0;
  if (held && account !== NONE && market < UNKNOWN_FROM) {
    const { positions } = state;
    for (let at = state.accounts.position[account]!; at !== NONE; at = positions.next[at]!) {
      if (positions.signedLots[at] !== 0) return positions.market[at]!;
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

/** Name of a market, or a name that no market has. */
export function getMarketName({ state, market }: BlockBuilder, row: MarketRow): string {
  return market >= UNKNOWN_FROM ? UNKNOWN_MARKET : state.marketNames[row]!;
}

/** An open position that matches, counted from a position on; NONE if there is none. */
export function findPosition(
  { positions }: State,
  from: number,
  fits: (position: PositionRow) => boolean,
): PositionRow {
  const { high } = positions.rows;
  for (let step = 0; step < high; step++) {
    const row = ((from + step) % high) as PositionRow;
    if (positions.signedLots[row] !== 0 && positions.rows.isLive(row) && fits(row)) return row;
  }
  return NONE as PositionRow;
}

/** The n-th newest resting order of an account, position by position; the last one if there are fewer. */
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

/** Any order of any account, counted from a position on. */
export function findAnyOrder(state: State, from: number): OrderRow {
  const { rows } = state.orders;
  for (let step = 0; step < rows.high; step++) {
    const row = ((from + step) % rows.high) as OrderRow;
    if (rows.isLive(row)) return row;
  }
  return NONE as OrderRow;
}

/** Reference to an order or an intent. */
export interface Named {
  readonly id: number;
  readonly text: string;
}

/** Ways to find an order; the plainest first. */
const ORDER_WAYS = weigh({ own: 26, byName: 4, fresh: 2, foreign: 2, stale: 1, never: 1, unknown: 1 });
/** Choice of an own order by its client id. */
export const BY_NAME = ORDER_WAYS.indexOf("byName");
/** Ids reserved for each transaction. */
export const IDS = 64;

/**
 * References an order. It is an own one by id or client id, one that an earlier transaction of this block places,
 * another account's, one that is gone, or one that never existed.
 */
export function nameOrder(
  builder: BlockBuilder,
  account: AccountRow,
  choices: Choices,
): Named & { readonly row: OrderRow } {
  const { state } = builder;
  const way = choices.pick(ORDER_WAYS);
  const place = choices.next();
  const none = NONE as OrderRow;
  switch (way) {
    case "own":
    case "byName": {
      const row = findOrder(state, account, place % 8);
      if (row === NONE) return { row: none, id: IDS * state.consumed, text: "" };
      const text = way === "own" ? "" : getClientOrderId(state, row);
      // Occasionally by both ids, of which one may belong to another order.
      if (place >> 13 === 7) return { row, id: state.orders.id[row]!, text: choices.pick(NAMES) };
      return text === "" ? { row, id: state.orders.id[row]!, text } : { row, id: 0, text };
    }
    case "foreign": {
      const row = findAnyOrder(state, place);
      return { row, id: row === NONE ? 1 : state.orders.id[row]!, text: "" };
    }
    case "fresh":
      return { row: none, id: IDS * (state.consumed + (place % (1 + builder.size))), text: "" };
    case "stale":
      return { row: none, id: IDS * (place % (1 + state.consumed)) + (place >> 13), text: "" };
    case "never":
      return { row: none, id: 9e15 - place, text: "" };
    case "unknown":
      return { row: none, id: 0, text: choices.pick(NAMES) };
  }
}

/** Client ids. */
export const NAMES = ["", "", "", "", "a", "b", "c"] as const;
