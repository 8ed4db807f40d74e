import { NONE } from "../../collections/table.ts";
import {
  bigDivCeil,
  bigDivFloor,
  type Lots,
  mulDivCeil,
  mulDivFloor,
  PPM,
  type Ticks,
  type TimeMs,
} from "../../math/fixed.ts";
import { CANCEL_CAUSE, LIQUIDATION_STAGE } from "../../protocol/events.ts";
import type { OrderId } from "../../protocol/fields.ts";
import { SELF_TRADE, SELF_TRADE_SCOPE, SIDE } from "../../protocol/words.ts";
import { dropOrder } from "../book/orders.ts";
import { bucketMarket, bucketOf } from "../margin/bucket.ts";
import { isBelowMaintenance, measureBucket } from "../margin/health.ts";
import { match } from "../matching/match.ts";
import { NOT_STOPPED, type Taker } from "../matching/taker.ts";
import { releaseIfEmpty } from "../state/positions.ts";
import { type AccountRow, FLAG_REDUCE_ONLY, FLAG_SELL, type MarketRow, type PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { type Bucket, type BucketPosition, openBucket, toAmount } from "./bucket.ts";
import { coverDeficit, type Held } from "./deficit.ts";
import { closeAtMark, deleverage } from "./deleverage.ts";

/** Liquidation orders never rest, so they need no id of the book. */
const NO_ORDER = 0 as OrderId;
const TICKS_MOST = 2 ** 31 - 1;

/**
 * The turn of one bucket in the risk pass (LIQ): cancel what adds risk; into the book within the better of zero price and
 * fillable price; when equity is gone, on with the fund's help, then deleveraging, then the close-out; at last the
 * deficit of a flat bucket. Stops as soon as the bucket is healthy.
 *
 * @param isolated position whose bucket it is, NONE for the account's cross bucket
 * @param id       number of the record, for events
 * @returns false if there was nothing to do now (healthy again, or every position is cooling down)
 */
export function liquidate(state: State, account: AccountRow, isolated: PositionRow, id: number): boolean {
  const health = measureBucket(state, account, isolated);
  state.risk.markDirty(state.accounts, account);
  if (!isBelowMaintenance(health)) return false;
  if (!health.wide && health.notional === 0) {
    coverDeficit(state, account, isolated, id, []);
    return true;
  }
  if (!isDistressed(state, account, isolated) && isCooling(state, account, isolated)) return false;
  cancelIncreasing(state, account, isolated);
  const bucket = openBucket(state, account, isolated, id);
  state.events.liquidationStarted({
    liquidation: id,
    account,
    bucket: bucketMarket(state, isolated),
    equity: toAmount(bucket.equity),
    maintenance: toAmount(bucket.maintenance),
  });
  const held = bucket.positions.map(
    ({ position, market }): Held => ({ market, long: state.positions.size[position] > 0 }),
  );
  for (const part of bucket.positions) {
    if (!isBelowMaintenance(measureBucket(state, account, isolated))) break;
    closePart(state, bucket, part);
  }
  finish(state, bucket, held);
  return true;
}

/** Equity below two thirds of maintenance: no chunks, no waiting (LIQ-2). */
function isDistressed(state: State, account: AccountRow, isolated: PositionRow): boolean {
  const health = measureBucket(state, account, isolated);
  return health.wide ? health.bigEquity * 3n < health.bigMaintenance * 2n : health.equity * 3 < health.maintenance * 2;
}

function isCooling(state: State, account: AccountRow, isolated: PositionRow): boolean {
  const { positions } = state;
  for (let at = state.accounts.position[account]; at !== NONE; at = positions.next[at]) {
    if (bucketOf(state, at) !== isolated) continue;
    if (positions.size[at] !== 0 && positions.cooldown[at] <= state.timeMs) return false;
  }
  return true;
}

/**
 * Cancels orders that may add risk (LIQ-1): everything but reduce-only orders and, oldest first, orders on the closing
 * side as far as the position reaches. Orders of isolated positions reserve from cross, so the cross bucket's turn takes
 * them, too.
 */
function cancelIncreasing(state: State, account: AccountRow, isolated: PositionRow): void {
  const { positions, orders } = state;
  let next = state.accounts.position[account];
  while (next !== NONE) {
    const at = next;
    next = positions.next[at];
    if (isolated !== NONE && at !== isolated) continue;
    const size: number = positions.size[at];
    const closingSell = size > 0;
    let excess = (closingSell ? positions.sells[at] : positions.buys[at]) - Math.abs(size);
    let order = positions.orders[at]; // newest first
    while (order !== NONE) {
      const older = orders.older[order];
      const flags = orders.flags[order];
      if ((flags & FLAG_REDUCE_ONLY) === 0) {
        const closes = size !== 0 && ((flags & FLAG_SELL) !== 0) === closingSell;
        if (!closes || excess > 0) {
          if (closes) excess -= orders.remaining[order];
          dropOrder(state, order, CANCEL_CAUSE.liquidation);
        }
      }
      order = older;
    }
  }
}

/** Closes one position of a bucket as far as its equity demands. */
function closePart(state: State, bucket: Bucket, part: BucketPosition): void {
  const { positions, markets } = state;
  const market = part.market as MarketRow;
  const rules = state.parameters[market]!;
  const open = Math.abs(positions.size[part.position]);
  const distressed = isDistressed(state, bucket.account, bucket.isolated);
  if (!distressed && positions.cooldown[part.position] > state.timeMs) return;
  const whole = distressed || part.notional <= BigInt(rules.liquidationWhole);
  const chunk = whole ? open : Math.min(open, mulDivCeil(open, rules.liquidationChunk, PPM));
  if (!whole) positions.cooldown[part.position] = (state.timeMs + rules.liquidationCooldown) as TimeMs;
  stage(state, bucket, part, LIQUIDATION_STAGE.bookClosing);
  sendOrder(state, bucket, part, chunk, computeBookLimit(state, bucket, part), false);
  if (positions.size[part.position] === 0 || !isGone(state, bucket, rules.closeOut)) return;

  stage(state, bucket, part, LIQUIDATION_STAGE.insuranceCover);
  const mark = markets.mark[market];
  const long = positions.size[part.position] > 0;
  const slip = rules.insuranceSlippage;
  const bound = long
    ? Math.ceil(mulDivCeil(mark, PPM - slip, PPM) / rules.tickSize)
    : Math.floor(mulDivFloor(mark, PPM + slip, PPM) / rules.tickSize);
  sendOrder(state, bucket, part, Math.abs(positions.size[part.position]), toTicks(bound), true);
  if (positions.size[part.position] === 0) return;

  stage(state, bucket, part, LIQUIDATION_STAGE.deleveraging);
  deleverage(state, bucket, part);
  if (positions.size[part.position] !== 0) closeAtMark(state, bucket, part);
}

/** Equity at or below the close-out threshold (LIQ-4). */
function isGone(state: State, bucket: Bucket, closeOut: number): boolean {
  const health = measureBucket(state, bucket.account, bucket.isolated);
  const equity = health.wide ? health.bigEquity : BigInt(health.equity);
  const maintenance = health.wide ? health.bigMaintenance : BigInt(health.maintenance);
  return equity * BigInt(PPM) <= maintenance * BigInt(closeOut);
}

/**
 * Limit of the book order (LIQ-2): the better, for the account, of the zero price and the fillable price
 *
 *     fillable = mark * (1 - sign * 1.5 * m * clamp(1 - equity / maintenance, 0, 1)),  m = maintenance / notional
 *
 * in ticks, rounded for the account: up for a sale, down for a purchase.
 */
function computeBookLimit(state: State, bucket: Bucket, part: BucketPosition): Ticks {
  const rules = state.parameters[part.market]!;
  const long = state.positions.size[part.position] > 0;
  const lots = BigInt(part.zero.lots);
  const perTick = lots * BigInt(rules.tickLotValue);
  const health = measureBucket(state, bucket.account, bucket.isolated);
  const equity = health.wide ? health.bigEquity : BigInt(health.equity);
  const maintenance = health.wide ? health.bigMaintenance : BigInt(health.maintenance);
  const lack = maintenance <= 0n || equity >= maintenance ? 0n : equity <= 0n ? maintenance : maintenance - equity;
  // Concession of the whole position in quote units: 1.5 * maintenance of the part * lack / maintenance.
  const concession = maintenance <= 0n ? 0n : (part.maintenance * 3n * lack) / (maintenance * 2n);
  if (long) {
    const zero = bigDivCeil(part.zero.total, perTick);
    const fillable = bigDivCeil(part.notional - concession, perTick);
    return toTicks(Number(zero > fillable ? zero : fillable));
  }
  const zero = bigDivFloor(-part.zero.total, perTick);
  const fillable = bigDivFloor(part.notional + concession, perTick);
  return toTicks(Number(zero < fillable ? zero : fillable));
}

function toTicks(price: number): Ticks {
  return (price > TICKS_MOST ? TICKS_MOST : price < 0 ? 0 : price) as Ticks;
}

function sendOrder(
  state: State,
  bucket: Bucket,
  part: BucketPosition,
  lots: number,
  limit: Ticks,
  insured: boolean,
): void {
  const { positions } = state;
  const taker: Taker = {
    market: part.market as MarketRow,
    account: bucket.account,
    position: part.position,
    side: positions.size[part.position] > 0 ? SIDE.sell : SIDE.buy,
    orderId: NO_ORDER,
    limit,
    reduceOnly: true,
    selfTrade: SELF_TRADE.cancelMaker,
    selfTradeScope: SELF_TRADE_SCOPE.account,
    house: false,
    liquidation: { id: bucket.id, zero: part.zero, insured },
    remaining: lots as Lots,
    filled: 0 as Lots,
    value: 0,
    feePaid: 0,
    stopped: NOT_STOPPED,
  };
  match(state, taker);
}

function stage(state: State, bucket: Bucket, part: BucketPosition, place: number): void {
  const rules = state.parameters[part.market]!;
  // Zero price for readers, 1e-8 USD: cash of the whole over its lots.
  const perLot = BigInt(part.zero.lots) * BigInt(rules.lotNumerator);
  const cash = part.zero.total < 0n ? -part.zero.total : part.zero.total;
  state.events.liquidationStage({
    liquidation: bucket.id,
    account: bucket.account,
    stage: place,
    market: part.market,
    cooldownMs: state.positions.cooldown[part.position],
    zeroPrice: Number((cash * BigInt(rules.lotDenominator)) / perLot),
  });
}

function finish(state: State, bucket: Bucket, held: readonly Held[]): void {
  const { account, isolated } = bucket;
  const health = measureBucket(state, account, isolated);
  const flat = !health.wide && health.notional === 0;
  if (flat) coverDeficit(state, account, isolated, bucket.id, held);
  const below = isBelowMaintenance(measureBucket(state, account, isolated));
  if (flat || !below) {
    state.events.liquidationStage({
      liquidation: bucket.id,
      account,
      stage: flat ? LIQUIDATION_STAGE.completed : LIQUIDATION_STAGE.recovered,
      market: NONE,
      cooldownMs: 0,
      zeroPrice: 0,
    });
  }
  for (const { position } of bucket.positions) releaseIfEmpty(state, position);
}
