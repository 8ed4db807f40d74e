import { NONE } from "../../../../ground/collections/table.ts";
import type { Complete } from "../../../../protocol/complete.ts";
import {
  EVENT_KINDS,
  type EventKind,
  INSURANCE_CAUSE,
  LIQUIDATION_STAGE,
  MOVES,
  type MoveKind,
} from "../../../../protocol/events.ts";
import { POST_ONLY } from "../../../../protocol/words.ts";
import type { AccountRow, OrderRow, PositionRow } from "../../../../venue/engine/state/schema.ts";
import {
  FLAG_EXPIRES,
  FLAG_POST_ONLY,
  FLAG_REDUCE_ONLY,
  FLAG_SELL,
  FLAG_SLIDE,
  packSelfTrade,
} from "../../../../venue/engine/state/schema.ts";
import { TOTAL, type TotalPlace } from "../../../../venue/engine/state/totals.ts";
import type { ExactSum } from "./exactSum.ts";
import { fieldsOf } from "./fieldsOf.ts";
import type { Ledger } from "./ledger.ts";

export const NONCE = fieldsOf("nonceAdvanced");
export const USED = fieldsOf("nonceUsed");
const BALANCE = fieldsOf("balanceChanged");
const OPENED = fieldsOf("orderOpened");
const AMENDED = fieldsOf("orderAmended");
const RESIZED = fieldsOf("orderResized");
const CANCELLED = fieldsOf("orderCancelled");
export const FILL = fieldsOf("fill");
export const CHANGED = fieldsOf("positionChanged");
const MARGIN = fieldsOf("marginChanged");
const ISOLATED = fieldsOf("isolatedMarginChanged");
const SETTLED = fieldsOf("fundingSettled");
const INSURANCE = fieldsOf("insuranceChanged");
const ACCRUED = fieldsOf("fundingAccrued");
const PRICES = fieldsOf("pricesMoved");
const ACCOUNT = fieldsOf("accountCreated");
const STARTED = fieldsOf("liquidationStarted");
const STAGE = fieldsOf("liquidationStage");

type Post = (ledger: Ledger, data: Float64Array, at: number) => void;
type Loose = { [row: number]: number };

const nothing: Post = () => {};

/** Two doubles of a total, or of a pool. */
function addLimbs(limbs: Loose, high: number, low: number, amount: number): void {
  const base = 2 ** 52;
  const whole = Math.trunc(amount / base);
  let rest = limbs[low]! + (amount - whole * base);
  let carry = whole;
  if (rest >= base || rest <= -base) {
    const step = rest > 0 ? 1 : -1;
    carry += step;
    rest -= step * base;
  }
  limbs[high]! += carry;
  limbs[low] = rest + 0;
}

function addTotal(ledger: Ledger, place: TotalPlace, sum: ExactSum, amount: number): void {
  addLimbs(ledger.totals.limbs, place * 2, place * 2 + 1, amount);
  sum.add(amount);
}

function setCross(ledger: Ledger, account: AccountRow, after: number): void {
  const { collateral } = ledger.now.accounts;
  ledger.deltas.collateral.add(after - collateral[account]);
  (collateral as Loose)[account] = after;
}

function setIsolated(ledger: Ledger, position: PositionRow, after: number): void {
  const { isolated } = ledger.now.positions;
  ledger.deltas.collateral.add(after - isolated[position]);
  (isolated as Loose)[position] = after;
}

/** Sets the collateral of a margin account to the reported value, which must equal the old value plus the change. */
function moveCollateral(ledger: Ledger, account: number, marginAccount: number, delta: number, after: number): void {
  const row = ledger.account(account);
  const position = marginAccount < 0 ? (NONE as PositionRow) : ledger.position(account, marginAccount);
  const before = position === NONE ? ledger.now.accounts.collateral[row] : ledger.now.positions.isolated[position];
  if (before + delta !== after)
    ledger.fail(`collateral of account ${account} was ${before}, changed by ${delta} and is reported as ${after}`);
  if (position === NONE) setCross(ledger, row, after);
  else setIsolated(ledger, position, after);
}

/** Adds to a position's sums over its orders, for an order with these flags. */
function addReserve(ledger: Ledger, position: PositionRow, flags: number, lots: number, orderCost: number): void {
  ledger.positions.add(position);
  const positions = ledger.now.positions as unknown as Record<string, Loose>;
  if ((flags & FLAG_REDUCE_ONLY) !== 0) positions.reduceOnly![position]! += lots;
  else if ((flags & FLAG_SELL) !== 0) {
    positions.sells![position]! += lots;
    positions.sellOrderCost![position]! += orderCost;
  } else {
    positions.buys![position]! += lots;
    positions.buyOrderCost![position]! += orderCost;
  }
}

/** Sets the remaining lots of a resting order, and updates its position's sums. */
function resize(ledger: Ledger, order: OrderRow, remaining: number, orderCost: number): void {
  const { orders } = ledger.now;
  addReserve(
    ledger,
    orders.position[order],
    orders.flags[order],
    remaining - orders.remaining[order],
    orderCost - orders.orderCost[order],
  );
  (orders.remaining as Loose)[order] = remaining;
  (orders.orderCost as Loose)[order] = orderCost;
}

function end(ledger: Ledger, order: OrderRow): void {
  resize(ledger, order, 0, 0);
  ledger.now.positions.orderCount[ledger.now.orders.position[order]]!--;
  ledger.endOrder(order);
}

function advance(ledger: Ledger, data: Float64Array, at: number): void {
  const account = data[at + NONCE.account]!;
  const next = data[at + NONCE.next]!;
  ledger.consumed++;
  const { accounts } = ledger.now;
  const lanes = [accounts.nonceTrading, accounts.nonceRisk, accounts.nonceFunds, accounts.nonceAdmin] as const;
  const column: Loose = account < 0 ? ledger.authorityNonces : lanes[data[at + NONCE.domain]!]!;
  const place = account < 0 ? -1 - account : ledger.account(account);
  if (column[place]! + 1 !== next)
    ledger.fail(`nonce ${column[place]} of account ${account} was next, not ${next - 1}`);
  column[place] = next;
}

function use(ledger: Ledger, data: Float64Array, at: number): void {
  ledger.consumed++;
  if (data[at + USED.lane]! >= 0) return;
  const account = ledger.account(data[at + USED.account]!);
  const { nonceTrading } = ledger.now.accounts;
  const next = Math.max(nonceTrading[account], data[at + USED.nonce]! + 1);
  if (next !== data[at + USED.next])
    ledger.fail(`nonce ${next} of account ${account} is next, not ${data[at + USED.next]}`);
  nonceTrading[account] = next;
}

function open(ledger: Ledger, data: Float64Array, at: number): void {
  const id = data[at + OPENED.order]!;
  if (ledger.findOrder(id) !== NONE) {
    ledger.fail(`order ${id} is opened and is already resting`);
    return;
  }
  const position = ledger.position(data[at + OPENED.account]!, data[at + OPENED.market]!);
  const order = ledger.openOrder(id);
  const orders = ledger.now.orders as unknown as Record<string, Loose>;
  const postOnly = data[at + OPENED.postOnly]!;
  const expires = data[at + OPENED.goodTilHeight] !== 0 || data[at + OPENED.goodTilTime] !== 0;
  orders.position![order] = position;
  orders.flags![order] =
    (data[at + OPENED.side] === 0 ? 0 : FLAG_SELL) |
    (data[at + OPENED.reduceOnly] === 0 ? 0 : FLAG_REDUCE_ONLY) |
    (postOnly === POST_ONLY.no ? 0 : FLAG_POST_ONLY) |
    (postOnly === POST_ONLY.slide ? FLAG_SLIDE : 0) |
    (expires ? FLAG_EXPIRES : 0);
  orders.selfTrade![order] = packSelfTrade(data[at + OPENED.selfTrade]!, data[at + OPENED.selfTradeScope]!);
  orders.price![order] = data[at + OPENED.price]!;
  orders.remaining![order] = 0;
  orders.orderCost![order] = 0;
  orders.filled![order] = data[at + OPENED.filled]!;
  orders.goodTilHeight![order] = data[at + OPENED.goodTilHeight]!;
  orders.goodTilTime![order] = data[at + OPENED.goodTilTime]!;
  orders.grant![order] = NONE;
  ledger.now.positions.orderCount[position]!++;
  resize(ledger, order, data[at + OPENED.remaining]!, data[at + OPENED.orderCost]!);
}

function amend(ledger: Ledger, data: Float64Array, at: number): void {
  const order = ledger.order(data[at + AMENDED.order]!);
  if (order === NONE) {
    ledger.fail(`order ${data[at + AMENDED.order]} is amended and does not rest`);
    return;
  }
  if (data[at + AMENDED.rests] === 0) {
    end(ledger, order);
    return;
  }
  const orders = ledger.now.orders as unknown as Record<string, Loose>;
  orders.price![order] = data[at + AMENDED.price]!;
  const height = data[at + AMENDED.goodTilHeight]!;
  const time = data[at + AMENDED.goodTilTime]!;
  orders.goodTilHeight![order] = height;
  orders.goodTilTime![order] = time;
  orders.flags![order] =
    height === 0 && time === 0 ? orders.flags![order]! & ~FLAG_EXPIRES : orders.flags![order]! | FLAG_EXPIRES;
  resize(ledger, order, data[at + AMENDED.remaining]!, data[at + AMENDED.orderCost]!);
}

function shrink(ledger: Ledger, data: Float64Array, at: number): void {
  const order = ledger.order(data[at + RESIZED.order]!);
  if (order === NONE) {
    ledger.fail(`order ${data[at + RESIZED.order]} is resized and does not rest`);
    return;
  }
  resize(ledger, order, data[at + RESIZED.remaining]!, data[at + RESIZED.orderCost]!);
}

function cancel(ledger: Ledger, data: Float64Array, at: number): void {
  const id = data[at + CANCELLED.order]!;
  const order = ledger.order(id);
  if (order === NONE) return; // it never rested
  const left = ledger.now.orders.remaining[order];
  if (left !== data[at + CANCELLED.remaining])
    ledger.fail(`order ${id} had ${left} lots left and ${data[at + CANCELLED.remaining]} are cancelled`);
  end(ledger, order);
}

function fill(ledger: Ledger, data: Float64Array, at: number): void {
  const market = ledger.market(data[at + FILL.market]!);
  const id = data[at + FILL.makerOrder]!;
  const order = ledger.order(id);
  const { orders, markets } = ledger.now;
  (markets.last as Loose)[market] = data[at + FILL.price]!;
  addTotal(ledger, TOTAL.fees, ledger.deltas.fees, data[at + FILL.makerFee]! + data[at + FILL.takerFee]!);
  if (order === NONE) {
    ledger.fail(`order ${id} is a maker and does not rest`);
    return;
  }
  if (orders.price[order] !== data[at + FILL.price])
    ledger.fail(`order ${id} rests at ${orders.price[order]} and trades at ${data[at + FILL.price]}`);
  const remaining = data[at + FILL.makerRemaining]!;
  const lots = data[at + FILL.size]!;
  if (orders.remaining[order] - lots !== remaining)
    ledger.fail(`order ${id} had ${orders.remaining[order]} lots, ${lots} trade and ${remaining} remain`);
  (orders.filled as Loose)[order]! += lots;
  if (remaining === 0) end(ledger, order);
  else resize(ledger, order, remaining, data[at + FILL.makerOrderCost]!);
}

function changePosition(ledger: Ledger, data: Float64Array, at: number): void {
  const account = data[at + CHANGED.account]!;
  const market = ledger.market(data[at + CHANGED.market]!);
  const position = ledger.position(account, market);
  const positions = ledger.now.positions as unknown as Record<string, Loose>;
  const signedLots = data[at + CHANGED.size]!;
  const before = positions.signedLots![position]!;
  const cost = data[at + CHANGED.cost]!;
  ledger.nets[market]!.add(signedLots - before);
  const long = (signedLots > 0 ? signedLots : 0) - (before > 0 ? before : 0);
  if (long !== 0) ledger.longs[market]!.add(long);
  (ledger.now.markets.openInterest as Loose)[market]! += long;
  ledger.deltas.cost.add(cost - positions.cost![position]!);
  positions.signedLots![position] = signedLots;
  positions.cost![position] = cost;
  positions.fundingHigh![position] = data[at + CHANGED.fundingHigh]!;
  positions.fundingLow![position] = data[at + CHANGED.fundingLow]!;
  positions.fundingRemainder![position] = data[at + CHANGED.fundingRemainder]!;
  if (signedLots === 0) positions.cooldown![position] = 0;
  const collateral = data[at + CHANGED.collateral]!;
  if (positions.mode![position] === 0) setCross(ledger, account as AccountRow, collateral);
  else setIsolated(ledger, position, collateral);
}

function chooseMargin(ledger: Ledger, data: Float64Array, at: number): void {
  const position = ledger.position(data[at + MARGIN.account]!, data[at + MARGIN.market]!);
  const { positions } = ledger.now;
  positions.leverage[position] = data[at + MARGIN.leverage]!;
  positions.mode[position] = data[at + MARGIN.mode]!;
}

function moveIsolated(ledger: Ledger, data: Float64Array, at: number): void {
  const account = data[at + ISOLATED.account]!;
  const delta = data[at + ISOLATED.delta]!;
  moveCollateral(ledger, account, NONE, -delta, data[at + ISOLATED.collateral]!);
  moveCollateral(ledger, account, data[at + ISOLATED.market]!, delta, data[at + ISOLATED.isolated]!);
}

function settleFunding(ledger: Ledger, data: Float64Array, at: number): void {
  const account = data[at + SETTLED.account]!;
  const market = ledger.market(data[at + SETTLED.market]!);
  const position = ledger.position(account, market);
  const positions = ledger.now.positions as unknown as Record<string, Loose>;
  const payment = data[at + SETTLED.payment]!;
  const marginAccount = positions.mode![position] === 0 ? NONE : market;
  moveCollateral(ledger, account, marginAccount, -payment, data[at + SETTLED.collateral]!);
  positions.fundingHigh![position] = data[at + SETTLED.fundingHigh]!;
  positions.fundingLow![position] = data[at + SETTLED.fundingLow]!;
  positions.fundingRemainder![position] = data[at + SETTLED.fundingRemainder]!;
  addPool(ledger, market, payment);
}

function addPool(ledger: Ledger, market: number, amount: number): void {
  const { poolHigh, poolLow } = ledger.now.markets;
  const limbs: Loose = [(poolHigh as Loose)[market]!, (poolLow as Loose)[market]!];
  addLimbs(limbs, 0, 1, amount);
  (poolHigh as Loose)[market] = limbs[0]!;
  (poolLow as Loose)[market] = limbs[1]!;
  ledger.deltas.pools.add(amount);
}

function addDust(ledger: Ledger, market: number, amount: number): void {
  (ledger.now.markets.dust as Loose)[market]! += amount;
  ledger.deltas.dust.add(amount);
}

function changeInsurance(ledger: Ledger, data: Float64Array, at: number): void {
  const delta = data[at + INSURANCE.delta]!;
  const cause = data[at + INSURANCE.cause]!;
  addTotal(ledger, TOTAL.insurance, ledger.deltas.insurance, delta);
  if (cause === INSURANCE_CAUSE.seed || cause === INSURANCE_CAUSE.funded)
    addTotal(ledger, TOTAL.inflows, ledger.deltas.inflows, delta);
}

/** Sets the open liquidation record of a margin account; 0 for none. */
function setRecord(ledger: Ledger, account: number, marginAccount: number, record: number): void {
  const row = ledger.account(account);
  if (marginAccount < 0) (ledger.now.accounts.liquidation as Loose)[row] = record;
  else (ledger.now.positions.liquidation as Loose)[ledger.position(account, marginAccount)] = record;
}

/** Collateral that one action moves into or out of the venue; balances change by events of their own. */
function postMove(kind: MoveKind): Post {
  const place = fieldsOf(kind).amount;
  if (MOVES[kind] === "in")
    return (ledger, data, at) => addTotal(ledger, TOTAL.inflows, ledger.deltas.inflows, data[at + place]!);
  if (MOVES[kind] === "out")
    return (ledger, data, at) => addTotal(ledger, TOTAL.withdrawals, ledger.deltas.withdrawals, data[at + place]!);
  return nothing;
}

const POSTS = {
  accountCreated(ledger, data, at) {
    const account = ledger.account(data[at + ACCOUNT.account]!);
    ledger.now.accounts.role[account] = data[at + ACCOUNT.role]!;
  },
  nonceAdvanced: advance,
  nonceUsed: use,
  laneAdvanced: (ledger) => void ledger.consumed++,
  balanceChanged(ledger, data, at) {
    const account = data[at + BALANCE.account]!;
    moveCollateral(
      ledger,
      account,
      data[at + BALANCE.marginAccount]!,
      data[at + BALANCE.delta]!,
      data[at + BALANCE.collateral]!,
    );
  },
  orderOpened: open,
  authorizationOrder(ledger, data, at) {
    const order = ledger.order(data[at + 2]!);
    if (order !== NONE) (ledger.now.orders.grant as Loose)[order] = data[at + 1]!;
  },
  orderAmended: amend,
  orderResized: shrink,
  orderCancelled: cancel,
  fill,
  positionChanged: changePosition,
  marginChanged: chooseMargin,
  isolatedMarginChanged: moveIsolated,
  fundingSettled: settleFunding,
  collateralSet(ledger, data, at) {
    const delta = data[at + 2]!;
    if (delta > 0) addTotal(ledger, TOTAL.inflows, ledger.deltas.inflows, delta);
    else addTotal(ledger, TOTAL.withdrawals, ledger.deltas.withdrawals, 0 - delta);
  },
  insuranceChanged: changeInsurance,
  badDebtChanged(ledger, data, at) {
    addTotal(ledger, TOTAL.badDebt, ledger.deltas.badDebt, data[at + 1]!);
  },
  dustChanged(ledger, data, at) {
    const market = ledger.market(data[at + 1]!);
    addDust(ledger, market, data[at + 2]!);
    addPool(ledger, market, -data[at + 2]!);
  },
  marketSettled(ledger, data, at) {
    addDust(ledger, ledger.market(data[at + 1]!), data[at + 3]!);
  },
  marketCreated: (ledger, data, at) => void ledger.market(data[at + 1]!),
  marketChanged: (ledger, data, at) => void ledger.market(data[at + 1]!),
  pricesMoved(ledger, data, at) {
    const market = ledger.market(data[at + PRICES.market]!);
    const markets = ledger.now.markets as unknown as Record<string, Loose>;
    markets.index![market] = data[at + PRICES.index]!;
    markets.mark![market] = data[at + PRICES.mark]!;
  },
  printed(ledger, data, at) {
    (ledger.now.markets.last as Loose)[ledger.market(data[at + 1]!)] = data[at + 3]!;
  },
  fundingAccrued(ledger, data, at) {
    const market = ledger.market(data[at + ACCRUED.market]!);
    const markets = ledger.now.markets as unknown as Record<string, Loose>;
    markets.fundingRate![market] = data[at + ACCRUED.rate]!;
    markets.fundingHigh![market] = data[at + ACCRUED.indexHigh]!;
    markets.fundingLow![market] = data[at + ACCRUED.indexLow]!;
  },
  initialRateChanged(ledger, data, at) {
    (ledger.now.markets.initialRate as Loose)[ledger.market(data[at + 1]!)] = data[at + 2]!;
  },
  liquidationQueued(ledger, data, at) {
    const account = ledger.account(data[at + 1]!);
    const marginAccount = data[at + 2]!;
    if (marginAccount < 0) (ledger.now.accounts.queuedSince as Loose)[account] = data[at + 3]!;
    else (ledger.now.positions.queuedSince as Loose)[ledger.position(account, marginAccount)] = data[at + 3]!;
  },
  cancelScheduled(ledger, data, at) {
    (ledger.now.accounts.cancelTime as Loose)[ledger.account(data[at + 1]!)] = data[at + 2]!;
  },
  liquidationStarted(ledger, data, at) {
    setRecord(ledger, data[at + STARTED.account]!, data[at + STARTED.marginAccount]!, data[at + STARTED.liquidation]!);
  },
  liquidationStage(ledger, data, at) {
    const stage = data[at + STAGE.stage]!;
    if (stage === LIQUIDATION_STAGE.recovered || stage === LIQUIDATION_STAGE.completed)
      setRecord(ledger, data[at + STAGE.account]!, data[at + STAGE.marginAccount]!, 0);
    const market = data[at + STAGE.market]!;
    if (market < 0) return;
    const position = ledger.position(data[at + STAGE.account]!, market);
    const { signedLots, cooldown } = ledger.now.positions;
    if (signedLots[position] !== 0) (cooldown as Loose)[position] = data[at + STAGE.cooldownMs]!;
  },
  backstopUnwound(ledger, data, at) {
    const position = ledger.position(data[at + 2]!, data[at + 3]!);
    (ledger.now.positions.cooldown as Loose)[position] = data[at + 5]!;
  },
} satisfies Partial<Record<EventKind, Post>>;

/** Kinds that change nothing that the ledger keeps. */
const NOT_KEPT = [
  "oracleUpdated",
  "fundingSampled",
  "deleveraged",
  "lossSocialized",
  "intentPlaced",
  "intentArmed",
  "intentTrailed",
  "intentResized",
  "intentTriggered",
  "intentSliced",
  "intentExecuted",
  "intentFailed",
  "intentCancelled",
  "intentExpired",
  "intentsTraded",
  "volumeCounted",
  "volumesForgotten",
  "authorizationGranted",
  "authorizationChanged",
  "authorizationUsed",
  "laneOpened",
  "sourceReported",
  "restartChanged",
  "settlementHaircut",
  "premiumsCleared",
  "outflowOpened",
  "withdrawalsPaused",
  "liquidationContinued",
] as const satisfies readonly EventKind[];

type Posted = keyof typeof POSTS | (typeof NOT_KEPT)[number] | MoveKind;

const posts: Complete<
  Partial<Record<EventKind, Post>>,
  Exclude<EventKind, Posted>,
  "ledger/post.ts has neither a line for the event nor a word that the ledger does not keep it"
> = POSTS;

/** The posting function of each event kind, by code. */
const BY_CODE: readonly Post[] = EVENT_KINDS.map(
  (kind) => posts[kind] ?? (Object.hasOwn(MOVES, kind) ? postMove(kind as MoveKind) : nothing),
);

/** Posts one event to the ledger. */
export function postEvent(ledger: Ledger, data: Float64Array, at: number): void {
  BY_CODE[data[at]!]!(ledger, data, at);
}
