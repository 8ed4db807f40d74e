/**
 * Second contributors of rejections. A rejected transaction changes nothing but nonces, so that the venue directly
 * after it is the venue that refused it.
 */
import { NONE } from "../../../ground/collections/table.ts";
import type { Lots } from "../../../ground/math/fixed.ts";
import { REJECTION_PLACES, type RejectionNumbers } from "../../../protocol/rejections.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import { MARGIN_MODE, SIDE } from "../../../protocol/words.ts";
import { findGrant } from "../../../venue/engine/authorization/admission.ts";
import { getUnsettledFunding } from "../../../venue/engine/funding/owed.ts";
import { DEPTH, getIsolatedReserve, getSideInitial, measure } from "../../../venue/engine/margin/health.ts";
import { findAccount } from "../../../venue/engine/state/accounts.ts";
import type { AccountRow, AuthorizationRow, MarketRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../../venue/engine/state/state.ts";
import { computeMarkedValue, getNotionalAtMark } from "../../../venue/engine/valuation/notional.ts";
import type { ContributorName } from "./contributors.ts";

/** A transaction that was rejected, with the numbers of its code. */
export interface Refused {
  readonly state: State;
  readonly transaction: Transaction;
  readonly account: AccountRow;
  /** Market that the payload names; NONE if it names none. */
  readonly market: number;
  readonly numbers: RejectionNumbers;
}

type Check = (refused: Refused) => readonly ContributorName[];

const CHECKS: readonly (readonly [keyof typeof REJECTION_PLACES, Check])[] = [
  ["INSUFFICIENT_MARGIN", checkInitial],
  ["INSUFFICIENT_FREE_COLLATERAL", checkFree],
  ["INTENTS_LIMIT", checkIntents],
  ["AUTHORIZATION_OPEN_ORDERS", checkGrantOrders],
  ["AUTHORIZATION_POSITION_LIMIT", checkGrantPosition],
];

/** By code of a receipt. */
const BY_CODE = new Map(CHECKS.map(([name, check]) => [1 + REJECTION_PLACES[name], check]));

const NOTHING: readonly ContributorName[] = [];

/** Sums that refused a transaction and would not have without a second contributor. */
export function findRefusing(
  state: State,
  transaction: Transaction,
  code: number,
  numbers: RejectionNumbers | undefined,
): readonly ContributorName[] {
  const check = BY_CODE.get(code);
  if (check === undefined || numbers === undefined) return NOTHING;
  const account = findAccount(state, transaction.header.account);
  if (account === NONE) return NOTHING;
  const { market } = transaction.payload as { readonly market?: string };
  const row = market === undefined ? undefined : state.marketRows.get(market);
  return check({ state, transaction, account, market: row ?? NONE, numbers });
}

function numberOf(numbers: RejectionNumbers, name: string): number {
  return Number(numbers[name]);
}

function checkInitial({ state, account, market, numbers, transaction }: Refused): ContributorName[] {
  if (market === NONE || transaction.action !== "placeOrder") return [];
  const { positions } = state;
  const own = getPosition(state, account, market as MarketRow);
  if (own !== NONE && positions.mode[own] !== MARGIN_MODE.cross) return [];
  const { overflow, initial, marketInitial } = measure(state, account, DEPTH.orders, market);
  const lacking = numberOf(numbers, "required") - numberOf(numbers, "equity");
  if (overflow || !(lacking > 0)) return [];
  let [sizes, reserves] = [0, 0];
  for (const at of listPositions(state, account)) {
    if (positions.market[at] === market) continue;
    if (positions.mode[at] === MARGIN_MODE.cross) sizes += getInitialOfSize(state, at);
    else reserves += getIsolatedReserve(state, at);
  }
  const others = initial - marketInitial;
  const found: ContributorName[] = [];
  if (others >= lacking) found.push("initialOfMarkets");
  if (others - sizes >= lacking) found.push("initialOfOrders");
  if (reserves >= lacking) found.push("initialOfIsolated");
  return found;
}

/** Initial margin of a position without its orders. */
function getInitialOfSize({ positions, markets, parameters }: State, at: PositionRow): number {
  const market = positions.market[at]!;
  if (positions.signedLots[at] === 0) return 0;
  return getSideInitial(markets, parameters[market]!, market, positions.leverage[at]!, positions.signedLots[at]!, 0);
}

function listPositions({ accounts, positions }: State, account: AccountRow): PositionRow[] {
  const rows: PositionRow[] = [];
  for (let at = accounts.position[account]!; at !== NONE; at = positions.next[at]!) rows.push(at);
  return rows;
}

/** Collateral that may not leave cross: parts of free collateral by market. */
function checkFree({ state, account, numbers, transaction }: Refused): ContributorName[] {
  if (transaction.action !== "withdraw" && transaction.action !== "transfer") return [];
  const { positions } = state;
  const lacking = numberOf(numbers, "amount") - numberOf(numbers, "free");
  const { overflow, initial, notional } = measure(state, account, DEPTH.orders);
  if (overflow || !(lacking > 0)) return [];
  let [losses, worst, gains, mostInitial, mostNotional] = [0, 0, 0, 0, 0];
  for (const at of listPositions(state, account)) {
    const market = positions.market[at]!;
    mostInitial = Math.max(mostInitial, measure(state, account, DEPTH.orders, market).marketInitial);
    const signedLots = positions.signedLots[at]!;
    if (signedLots === 0 || positions.mode[at] !== MARGIN_MODE.cross) continue;
    const rules = state.parameters[market]!;
    const worth = computeMarkedValue(rules, signedLots, state.markets.mark[market]!);
    const gain = worth - positions.cost[at]! - getUnsettledFunding(state, at);
    if (gain > 0) gains += gain;
    else losses -= gain;
    worst = Math.max(worst, -gain);
    mostNotional = Math.max(mostNotional, getNotionalAtMark(state.markets, rules, market, Math.abs(signedLots)));
  }
  const held = Math.max(initial, Math.ceil(notional / 10));
  const found: ContributorName[] = [];
  if (held - Math.max(mostInitial, Math.ceil(mostNotional / 10)) >= lacking) found.push("heldOfMarkets");
  if (losses - worst >= lacking) found.push("lossesOfMarkets");
  if (Math.min(gains, losses) >= lacking) found.push("lossNextToGain");
  return found;
}

function checkIntents({ state, account, market, numbers }: Refused): ContributorName[] {
  let here = 0;
  for (let at = state.accounts.intents[account]!; at !== NONE; at = state.intents.older[at]!) {
    if (state.intents.market[at] === market) here++;
  }
  const fits = here + numberOf(numbers, "legs") <= numberOf(numbers, "most");
  return market !== NONE && fits ? ["intentsOfMarkets"] : [];
}

function checkGrantOrders({ state, account, market, numbers, transaction }: Refused): ContributorName[] {
  const grant = findGrant(state, transaction);
  if (grant === NONE || market === NONE) return [];
  const most = numberOf(numbers, "most");
  let [inMarket, inAccount] = [0, 0];
  for (const at of listPositions(state, account)) {
    const count = countOrders(state, at, grant);
    inAccount += count;
    if (state.positions.market[at] === market) inMarket += count;
  }
  const found: ContributorName[] = [];
  if (inMarket < most) found.push("grantOrdersOfMarkets");
  if (inAccount < most) found.push("grantOrdersOfSubaccounts");
  return most > 0 ? found : [];
}

/** Orders of a position that rest under a grant. */
function countOrders({ positions, orders, extras }: State, at: PositionRow, grant: AuthorizationRow): number {
  let count = 0;
  for (let order = positions.orders[at]!; order !== NONE; order = orders.older[order]!) {
    const extra = orders.extra[order]!;
    if (extra !== NONE && extras.grant[extra] === grant) count++;
  }
  return count;
}

function checkGrantPosition({ state, account, market, numbers, transaction }: Refused): ContributorName[] {
  const position = market === NONE ? NONE : getPosition(state, account, market as MarketRow);
  if (position === NONE) return [];
  const { side } = transaction.payload as { readonly side?: number };
  const { buys, sells } = state.positions;
  const resting = side === SIDE.buy ? buys[position as PositionRow]! : sells[position as PositionRow]!;
  const row = market as MarketRow;
  const value = getNotionalAtMark(state.markets, state.parameters[row]!, row, resting as Lots);
  const fits = numberOf(numbers, "notional") - value <= numberOf(numbers, "most");
  return side !== undefined && resting > 0 && fits ? ["grantPositionOfOrders"] : [];
}
