/**
 * Venue and model side by side: the first difference in words, such as "alice's collateral: venue 100, model 101". Reads
 * both; numbers are in their units (quote units, lots, ticks, 1e-8 USD), since a difference is a matter of single ones.
 */

import { NONE } from "../../collections/table.ts";
import { idOfGrant } from "../../engine/authorization/addGrant.ts";
import { getClientOrderId, getLastHeight, getLastTime } from "../../engine/book/extras.ts";
import { joinIndex, wrapIndex } from "../../engine/funding/cumulativeIndex.ts";
import { getPool } from "../../engine/funding/pool.ts";
import {
  type AccountRow,
  FLAG_REDUCE_ONLY,
  type MarketRow,
  type OrderRow,
  type PositionRow,
} from "../../engine/state/schema.ts";
import { getPosition, type State } from "../../engine/state/state.ts";
import { TOTAL, TOTAL_NAMES } from "../../engine/state/totals.ts";
import type { Account, Intent, Market, ModelState, Order, Position } from "../../model/state.ts";
import { AUTHORIZATION_STATUSES, INTENT_STATES, MARGIN_MODES } from "../../protocol/words.ts";

type Value = bigint | number | string | boolean | undefined;

/** The same value: numbers of the venue are whole, and may be compared with those of the model as they are. */
function isSame(venue: Value, model: Value): boolean {
  if (typeof venue === "number" && typeof model === "bigint") return venue >= model && venue <= model;
  return venue === model;
}

/** A value that venue and model do not share, in words and in its unit. */
export interface Side {
  readonly what: string;
  readonly venue: string;
  readonly model: string;
}

/** A difference as a sentence. */
export function tellSide({ what, venue, model }: Side): string {
  return `${what}: venue ${venue}, model ${model}`;
}

/**
 * Gathers differences, up to a number of them. It is asked at every block of a search, so words are put together only where there is one.
 */
class Comparison {
  readonly found: Side[] = [];
  readonly nameOf: (account: number) => string;
  readonly #most: number;

  constructor(nameOf: (account: number) => string, most: number) {
    this.nameOf = nameOf;
    this.#most = most;
  }

  get isFull(): boolean {
    return this.found.length >= this.#most;
  }

  /** @param what words, or what makes them */
  same(what: string | (() => string), venue: Value, model: Value): void {
    if (this.isFull || isSame(venue, model)) return;
    const words = typeof what === "string" ? what : what();
    this.found.push({ what: words, venue: String(venue), model: String(model) });
  }
}

/**
 * The first difference between a venue and a model that have applied the same blocks; undefined where there is none.
 *
 * @param nameOf what the sentence calls an account, by its ordinal
 */
export function compareModel(
  venue: State,
  model: ModelState,
  nameOf?: (account: number) => string,
): string | undefined {
  const [first] = listDifferences(venue, model, 1, nameOf);
  return first === undefined ? undefined : tellSide(first);
}

/** The differences, as `compareModel` would meet them, up to so many. */
export function listDifferences(
  venue: State,
  model: ModelState,
  most: number,
  nameOf: (account: number) => string = (account) => `account ${account}`,
): readonly Side[] {
  const comparison = new Comparison(nameOf, most);
  comparison.same("height", venue.height, model.height);
  comparison.same("markets", venue.marketNames.length, model.markets.length);
  comparison.same("accounts", venue.accounts.rows.count, model.accounts.length);
  for (const market of model.markets) compareMarket(comparison, venue, market);
  for (const account of model.accounts) compareAccount(comparison, venue, account);
  compareIntents(comparison, venue, model);
  compareGrants(comparison, venue, model);
  for (const name of TOTAL_NAMES)
    comparison.same(() => `total ${name}`, venue.totals.get(TOTAL[name]), model.totals[name]);
  comparison.same("withdrawals paused until", venue.outflow.pausedUntil, model.outflow.pausedUntil);
  return comparison.found;
}

function compareMarket(comparison: Comparison, venue: State, market: Market): void {
  if (comparison.isFull) return;
  const { markets } = venue;
  const row = market.ordinal as MarketRow;
  const { name, funding } = market;
  const same = (what: string, ours: Value, theirs: Value) => {
    if (!isSame(ours, theirs)) comparison.same(`${name}'s ${what}`, ours, theirs);
  };
  same("name", venue.marketNames[row], name);
  same("status", venue.parameters[row]!.status, STATUS_PLACES.indexOf(market.parameters.status));
  same("oracle", markets.oracle[row], market.oracle);
  same("candidate", markets.candidate[row], market.candidate);
  same(
    "confirmations",
    markets.confirmations[row],
    market.candidate === 0n ? markets.confirmations[row] : market.confirmations,
  );
  same("external mark", markets.external[row], market.external);
  same("gap", markets.gap[row] === 1, market.gap);
  same("index", markets.index[row], market.index);
  same("mark", markets.mark[row], market.mark);
  if (market.parameters.markMethod === "median") same("basis", markets.basis[row], market.basis);
  same("last price", markets.last[row], market.last);
  same("rate by open interest", markets.initialRate[row], market.openInterestRate);
  same("funding index", joinIndex(markets.fundingHigh[row]!, markets.fundingLow[row]!), wrapIndex(funding.index));
  same("funding due", markets.fundingDue[row], funding.due);
  same("funding carry", markets.fundingCarry[row], funding.carry);
  same("premium samples", markets.premiumSamples[row], funding.samples);
  same("funding pool", getPool(venue, row), market.fundingPool);
  same("dust", markets.dust[row], market.dust);
  compareSide(comparison, venue, market, "bid", market.bids);
  compareSide(comparison, venue, market, "ask", market.asks);
}

const STATUS_PLACES = [
  "initializing",
  "postOnly",
  "active",
  "cancelOnly",
  "reduceOnly",
  "halted",
  "settling",
  "settled",
];

/** Orders of a side, best first. */
function compareSide(
  comparison: Comparison,
  venue: State,
  { name, ordinal }: Market,
  side: "bid" | "ask",
  orders: readonly Order[],
): void {
  const book = venue.books[ordinal]!;
  const isBid = side === "bid";
  let place = 0;
  for (let at: number = isBid ? book.bestBid : book.bestAsk; at !== 0; ) {
    for (let row = book.head(at as never); row !== NONE; row = venue.orders.levelNext[row]!) {
      compareOrder(comparison, venue, `${name}'s ${side}`, row, orders[place], ++place);
    }
    at = isBid ? book.below(at as never) : book.above(at as never);
  }
  while (place < orders.length) compareOrder(comparison, venue, `${name}'s ${side}`, undefined, orders[place], ++place);
}

function compareOrder(
  comparison: Comparison,
  venue: State,
  side: string,
  row: OrderRow | undefined,
  order: Order | undefined,
  place: number,
): void {
  if (comparison.isFull) return;
  const { orders, positions } = venue;
  const account = row === undefined ? NONE : positions.account[orders.position[row]!];
  const isIt =
    row !== undefined &&
    order !== undefined &&
    orders.id[row] === order.id &&
    account === order.account.id &&
    isSame(orders.price[row], order.price) &&
    isSame(orders.remaining[row], order.remaining);
  if (!isIt) {
    const tell = (id: number, price: Value, remaining: Value, owner: number) =>
      `${id} of ${comparison.nameOf(owner)}, ${String(remaining)} at ${String(price)}`;
    const ours =
      row === undefined ? "none" : tell(orders.id[row]!, orders.price[row]!, orders.remaining[row]!, account!);
    const theirs = order === undefined ? "none" : tell(order.id, order.price, order.remaining, order.account.id);
    comparison.same(`${side} ${place}`, ours, theirs);
    return;
  }
  const same = (what: string, a: Value, b: Value) => {
    if (!isSame(a, b)) comparison.same(`${side} ${place}, order ${order.id}: ${what}`, a, b);
  };
  same("filled", orders.filled[row], order.filled);
  same("charge", orders.charge[row], order.charge);
  same("reduce-only", (orders.flags[row]! & FLAG_REDUCE_ONLY) !== 0, order.reduceOnly);
  same("last height", getLastHeight(venue, row), order.goodTilHeight);
  same("last time", getLastTime(venue, row), order.goodTilTime);
  same("client order id", getClientOrderId(venue, row), order.clientOrderId);
}

function compareAccount(comparison: Comparison, venue: State, account: Account): void {
  if (comparison.isFull) return;
  const { accounts, positions } = venue;
  const row = account.id as AccountRow;
  const { nameOf } = comparison;
  comparison.same(() => `${nameOf(row)}'s collateral`, accounts.collateral[row], account.collateral);
  comparison.same(() => `${nameOf(row)}'s scheduled cancel`, accounts.cancelTime[row], account.cancelTime);
  comparison.same(() => `${nameOf(row)}'s height in the queue`, accounts.queuedSince[row], account.dueSince);
  for (let at = accounts.position[row]!; at !== NONE; at = positions.next[at]!) {
    comparePosition(comparison, venue, row, positions.market[at]!, at, account.positions.get(positions.market[at]!));
  }
  for (const [ordinal, position] of account.positions) {
    const market = ordinal as MarketRow;
    if (getPosition(venue, row, market) === NONE) comparePosition(comparison, venue, row, market, undefined, position);
  }
}

function comparePosition(
  comparison: Comparison,
  venue: State,
  account: AccountRow,
  market: MarketRow,
  row: PositionRow | undefined,
  position: Position | undefined,
): void {
  const { positions } = venue;
  const same = (what: string, ours: Value, theirs: Value) => {
    if (isSame(ours, theirs)) return;
    const name = `${comparison.nameOf(account)}'s position in ${venue.marketNames[market]}`;
    comparison.same(`${name}, ${what}`, ours, theirs);
  };
  const of = (column: { readonly [row: number]: number }) => (row === undefined ? 0 : column[row]);
  same("size", of(positions.size), position?.size ?? 0n);
  same("cost", of(positions.cost), position?.cost ?? 0n);
  same("isolated collateral", of(positions.isolated), position?.isolated ?? 0n);
  same("leverage", of(positions.leverage), position?.leverage ?? 0n);
  same("mode", MARGIN_MODES[row === undefined ? 0 : positions.mode[row]!], position?.mode ?? "cross");
  if (row === undefined || position === undefined || position.size === 0n) return;
  const index = joinIndex(positions.fundingHigh[row]!, positions.fundingLow[row]!);
  same("funding index", index, wrapIndex(position.fundingIndex));
  same("funding remainder", positions.fundingRemainder[row], position.fundingRemainder);
  same("cooldown", positions.cooldown[row], position.cooldownMs);
  if (position.mode !== "cross") same("height in the queue", positions.queuedSince[row], position.dueSince);
}

function compareIntents(comparison: Comparison, venue: State, model: ModelState): void {
  const { intents } = venue;
  if (comparison.isFull || intents.rows.count + model.intents.size === 0) return;
  const { nameOf } = comparison;
  const rows = new Map<number, number>();
  for (let row = 0; row < intents.rows.high; row++) {
    if (intents.rows.isLive(row)) rows.set(intents.id[row as never]!, row);
  }
  const ids = [...new Set([...rows.keys(), ...model.intents.keys()])].sort((a, b) => a - b);
  for (const id of ids) {
    const row = rows.get(id) as never;
    const intent: Intent | undefined = model.intents.get(id);
    const same = (what: string, ours: Value, theirs: Value) =>
      comparison.same(() => `intent ${id}, ${what}`, ours, theirs);
    const ours = row === undefined ? "none" : INTENT_STATES[intents.state[row]!];
    same("state", ours, intent?.state ?? "none");
    if (row === undefined || intent === undefined) continue;
    same("account", nameOf(intents.account[row]!), nameOf(intent.account.id));
    same("size", intents.size[row], intent.size);
    same("filled", intents.filled[row], intent.filled);
    if (intent.state === "armed" && intent.kind !== "twap") same("trigger", intents.trigger[row], intent.trigger);
  }
}

/** As many as hardly ever come in a block. */
const NEW_GRANTS = 8;

function compareGrants(comparison: Comparison, venue: State, model: ModelState): void {
  const { authorizations } = venue;
  comparison.same("grants", authorizations.rows.count, model.grants.size);
  for (const grant of model.grants.values()) {
    const row = grant.ordinal as never;
    const same = (what: string, ours: Value, theirs: Value) =>
      comparison.same(() => `grant ${grant.ordinal}, ${what}`, ours, theirs);
    // An id never changes: it is enough to look at it while the grant is new.
    if (grant.ordinal >= model.grants.size - NEW_GRANTS) same("id", idOfGrant(venue, row), grant.id);
    same("status", AUTHORIZATION_STATUSES[authorizations.status[row]!], grant.status);
    same("used", authorizations.used[row], grant.used);
  }
}
