/** Conditions under which an order may be cancelled for each cause, from the ledger just before (ORD-2 to ORD-6). */
import { NONE } from "../../../ground/collections/table.ts";
import { CANCEL_CAUSE } from "../../../protocol/events.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { REDUCE_ONLY_RESTING, ROLE, SIDE } from "../../../protocol/words.ts";
import {
  type AccountRow,
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  type MarketRow,
  type OrderRow,
} from "../../../venue/engine/state/schema.ts";
import { findActingAccount } from "../machinery/actingAccount.ts";
import { exactHealth, exactInitial, exactMaintenance, exactNotional, exactValue } from "../machinery/exact/health.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import type { Moment } from "../machinery/moment.ts";
import { isGated } from "../prices/gatedMakersReduce.ts";
import { findEntered } from "./entered.ts";
import { computeBand } from "./fillsWithinBand.ts";

const { order: ORDER, account: ACCOUNT, market: MARKET, cause: CAUSE } = AT.orderCancelled;
const MILLION = 1_000_000n;
/** Quote units of rounding between a margin account measured once and fill by fill; and half of the storable range. */
const ROUNDING = 16n;
const FAR = 4_500_000_000_000_000n;

/** A cancellation, and the order's row in the ledger, or NONE if it never rested. */
interface Cancelled {
  readonly moment: Moment;
  readonly id: number;
  readonly account: AccountRow;
  readonly market: MarketRow;
  readonly row: OrderRow;
}

/** By cause: whether its condition may hold. */
const HOLDS: Readonly<Record<number, (it: Cancelled) => boolean>> = {
  [CANCEL_CAUSE.owner]: ({ moment }) => moment.step === undefined,
  [CANCEL_CAUSE.selfTrade]: isOwn,
  [CANCEL_CAUSE.reduceOnly]: exceedsPosition,
  [CANCEL_CAUSE.priceBand]: isOutOfBand,
  [CANCEL_CAUSE.margin]: mayLackMargin,
  [CANCEL_CAUSE.positionLimit]: isAtPositionLimit,
  [CANCEL_CAUSE.openInterest]: isAtOpenInterest,
  [CANCEL_CAUSE.liquidation]: ({ moment }) => moment.step === "riskPassed",
  [CANCEL_CAUSE.replaced]: ({ moment }) => isIn(moment, "houseFlow"),
  [CANCEL_CAUSE.expired]: isOverdue,
  [CANCEL_CAUSE.scheduled]: isScheduled,
  [CANCEL_CAUSE.revoked]: ({ moment, row }) =>
    isIn(moment, "revokeAuthorization") && row !== NONE && moment.ledger.now.orders.grant[row] !== NONE,
  [CANCEL_CAUSE.settlement]: ({ moment }) => isIn(moment, "settleMarket"),
  [CANCEL_CAUSE.exposureFrozen]: wouldAddWhileGated,
};

/** Whether the condition of a cancellation's cause holds; true if the ledger does not have the order. */
export function isCauseGiven(moment: Moment, at: number): boolean {
  const { data, ledger } = moment;
  const id = data[at + ORDER]!;
  const holds = HOLDS[data[at + CAUSE]!];
  if (holds === undefined) return true;
  const account = data[at + ACCOUNT]! as AccountRow;
  return holds({ moment, id, account, market: data[at + MARKET]! as MarketRow, row: ledger.findOrder(id) });
}

/** Whether the moment is a transaction with one of these actions, directly or by impersonation. */
function isIn({ transaction }: Moment, ...actions: readonly string[]): boolean {
  return (
    transaction !== undefined && (actions.includes(transaction.action) || transaction.action === "devnetImpersonate")
  );
}

/** Self-trade prevention acts between accounts of one owner, and never on liquidation orders (ORD-3). */
function isOwn({ moment, account }: Cancelled): boolean {
  const { owner } = moment.state.accounts;
  if (moment.transaction === undefined) return moment.step !== "riskPassed";
  const actor = findActingAccount(moment.state, moment.transaction, moment);
  return actor === NONE || owner[account] === owner[actor];
}

function exceedsPosition({ moment, id, account, market, row }: Cancelled): boolean {
  const { orders, positions } = moment.ledger.now;
  if (row === NONE) return findEntered(moment, id)?.reduceOnly !== false;
  const flags = orders.flags[row];
  if ((flags & FLAG_REDUCE_ONLY) === 0) return false;
  const signedLots = signedLotsOf(moment, account, market);
  const closes = (flags & FLAG_SELL) !== 0 ? signedLots > 0 : signedLots < 0;
  // If a market cuts orders at match, an order that still closes something is never cancelled for it (ORD-9).
  const trims = moment.state.parameters[market]!.reduceOnlyResting === REDUCE_ONLY_RESTING.trim;
  return !closes || (trims && positions.reduceOnly[orders.position[row]] > Math.abs(signedLots));
}

function isOutOfBand({ moment, account, market, row }: Cancelled): boolean {
  const { state, ledger } = moment;
  if (row === NONE || state.accounts.role[account] === ROLE.house) return false;
  const price = BigInt(ledger.now.orders.price[row]) * BigInt(state.parameters[market]!.tickSize) * MILLION;
  const [low, high] = computeBand(state, market);
  return price < low || price > high;
}

/**
 * A cross maker is not cancelled for margin if its account covers the fill margin after any part of the order;
 * neither is a cross taker (ORD-6, MRG-2). An account below initial margin loses resting orders after its own order
 * (MRG-4). Isolated ones depend on the rest of the cross account.
 */
function mayLackMargin({ moment, account, market, row }: Cancelled): boolean {
  const { ledger, state } = moment;
  const { accounts, positions, markets, orders } = ledger.now;
  const at = ledger.positionRows.find(account, market);
  if (at !== NONE && positions.mode[at] !== 0) return moment.step !== "riskPassed" || row !== NONE;
  if (row === NONE) return false;
  const rules = state.parameters[market]!;
  const view = { accounts, positions, markets, parameters: state.parameters };
  const { equity, maintenance, positionInitial, initial, notional, losses } = exactHealth(view, account);
  // Its own order, already matched, removed the orders that kept its initial margin from rising (MRG-4).
  if (equity < initial && actsHere(moment, account)) return true;
  // Amounts beyond the storable range have no margin (NUM-3).
  if (notional > FAR || -losses > FAR) return true;
  const mark = BigInt(markets.mark[market]);
  const signedLots = BigInt(positions.signedLots[orders.position[row]]);
  const buys = (orders.flags[row] & FLAG_SELL) === 0;
  const lots = BigInt(buys ? orders.remaining[row] : -orders.remaining[row]);
  const leverage = BigInt(positions.leverage[orders.position[row]]!);
  const least = BigInt(markets.initialRate[market]);
  const asks = (held: bigint) => {
    const notional = exactNotional(rules, held, mark);
    return exactInitial(rules, notional, leverage, least) + exactMaintenance(rules, notional);
  };
  const [now, then] = [asks(signedLots), asks(signedLots + lots)];
  const required = positionInitial + maintenance - now + (then > now ? then : now);
  const price = BigInt(orders.price[row]) * BigInt(rules.tickSize);
  const loss = exactValue(rules, lots, price) - exactValue(rules, lots, mark);
  const left = equity - (loss > 0n ? loss : 0n) - mostFee(rules, exactNotional(rules, lots, price)) - ROUNDING;
  if (equity > FAR || left < -FAR || required > FAR) return true;
  return left * 2n < required + ROUNDING;
}

/** Whether the moment is an order of the account, sent by a transaction or by an intent that fires. */
function actsHere(moment: Moment, account: AccountRow): boolean {
  if (moment.transaction === undefined) return moment.step !== "riskPassed" && moment.step !== "expired";
  return findActingAccount(moment.state, moment.transaction, moment) === account;
}

/** No maker pays more. */
function mostFee({ makerFee, feeTiers }: MarketParameters, value: bigint): bigint {
  const rate = Math.max(0, makerFee, ...feeTiers.map((tier) => tier.makerFee));
  return (value * BigInt(rate)) / MILLION + 1n;
}

/** Whether the owner's position is at or beyond the limit on the side of the order. */
function isAtPositionLimit(it: Cancelled): boolean {
  const { moment, account, market } = it;
  const { accounts, owners, parameters } = moment.state;
  if (accounts.role[account] === ROLE.house) return false;
  let total = 0;
  for (let at: AccountRow = owners.account[accounts.owner[account]]; at !== NONE; at = accounts.ownerNext[at])
    total += signedLotsOf(moment, at, market);
  const limit: number = parameters[market]!.positionLimitLots;
  return sidesOf(it).some((side) => (side === SIDE.buy ? total : -total) >= limit);
}

/** Whether open interest is at its limit, and the taker would not reduce. A maker is never cancelled for it. */
function isAtOpenInterest(it: Cancelled): boolean {
  const { moment, account, market, row } = it;
  if (row !== NONE) return false;
  const limit = BigInt(moment.state.parameters[market]!.openInterestLimitLots);
  const own = signedLotsOf(moment, account, market);
  if (moment.ledger.longs[market]!.value() < limit) return false;
  return sidesOf(it).some((side) => (side === SIDE.buy ? own >= 0 : own <= 0));
}

/** Whether a maker's order in a gated market has no lots that would reduce its position (ORD-5). */
function wouldAddWhileGated({ moment, account, market, row }: Cancelled): boolean {
  const { state, ledger } = moment;
  if (row === NONE || state.accounts.role[account] === ROLE.house || !isGated(state, market)) return false;
  const signedLots = signedLotsOf(moment, account, market);
  return (ledger.now.orders.flags[row] & FLAG_SELL) !== 0 ? signedLots <= 0 : signedLots >= 0;
}

/** Step 4 completes expiries; house flow meets overdue orders that it has not yet removed (ORD-2). */
function isOverdue({ moment, row }: Cancelled): boolean {
  if (row === NONE || (moment.step !== undefined && moment.step !== "expired")) return false;
  const { goodTilHeight, goodTilTime } = moment.ledger.now.orders;
  const { height, timeMs } = moment.block;
  return (
    (goodTilHeight[row] !== 0 && goodTilHeight[row] < height) || (goodTilTime[row] !== 0 && goodTilTime[row] < timeMs)
  );
}

function isScheduled({ moment, account }: Cancelled): boolean {
  const time: number = moment.ledger.was.accounts.cancelTime[account];
  return moment.step === "expired" && time !== 0 && time <= moment.block.timeMs;
}

/** Side of an order; both sides if the ledger does not have it. */
function sidesOf({ moment, id, row }: Cancelled): readonly number[] {
  if (row !== NONE) return [(moment.ledger.now.orders.flags[row] & FLAG_SELL) === 0 ? SIDE.buy : SIDE.sell];
  const entered = findEntered(moment, id);
  return entered === undefined ? [SIDE.buy, SIDE.sell] : [entered.side];
}

function signedLotsOf({ ledger }: Moment, account: AccountRow, market: MarketRow): number {
  const row = ledger.positionRows.find(account, market);
  return row === NONE ? 0 : ledger.now.positions.signedLots[row];
}
