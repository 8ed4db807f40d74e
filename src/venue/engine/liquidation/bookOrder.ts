import {
  bigDivCeil,
  bigDivFloor,
  type Lots,
  mulDivCeil,
  mulDivFloor,
  PPM,
  type Ticks,
} from "../../../ground/math/fixed.ts";
import type { OrderId } from "../../../protocol/fields.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { SELF_TRADE, SELF_TRADE_SCOPE, SIDE } from "../../../protocol/words.ts";
import { DEPTH, measureMarginAccount } from "../margin/health.ts";
import { match } from "../matching/match.ts";
import { createTaker, type LiquidationTerms } from "../matching/taker.ts";
import type { AccountRow, MarketRow, PositionRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import type { MarginAccount, MarginAccountPosition } from "./liquidatedAccount.ts";

/** Liquidation orders never rest, so they need no id of the book. */
const NO_ORDER = 0 as OrderId;
const TICKS_MOST = 2 ** 31 - 1;

/** Prices in ticks, rounded for the account that closes: up for its sale, down for its purchase. */
function toTicks(price: number): Ticks {
  return (price > TICKS_MOST ? TICKS_MOST : price < 0 ? 0 : price) as Ticks;
}

/** The better of two limits for the closing account. */
export function betterOf(long: boolean, a: Ticks, b: Ticks): Ticks {
  return long === a > b ? a : b;
}

/** The bankruptcy price as a limit: nothing worse is taken. */
export function getBankruptcyLimit(state: State, part: MarginAccountPosition): Ticks {
  const perTick = BigInt(part.bankruptcy.lots) * BigInt(state.parameters[part.market]!.tickLotValue);
  return state.positions.signedLots[part.position] > 0
    ? toTicks(Number(bigDivCeil(part.bankruptcy.total, perTick)))
    : toTicks(Number(bigDivFloor(-part.bankruptcy.total, perTick)));
}

/**
 * The fillable price as a limit (LIQ-2; dYdX v4 GetFillablePrice with a spread ratio of 1.5 and an adjustment of 1):
 * from the mark toward and beyond the bankruptcy price as health falls.
 *
 *     mark * (1 - sign * 1.5 * m * clamp(1 - equity / maintenance, 0, 1)),  m = maintenance / notional
 */
export function getFillableLimit(state: State, marginAccount: MarginAccount, part: MarginAccountPosition): Ticks {
  const health = measureMarginAccount(state, marginAccount.account, marginAccount.isolated, DEPTH.risk);
  const equity = (health.overflow ? health.bigEquity : BigInt(health.equity)) - BigInt(marginAccount.reserve);
  const maintenance = health.overflow ? health.bigMaintenance : BigInt(health.maintenance);
  const long = state.positions.signedLots[part.position] > 0;
  const lots = part.bankruptcy.lots;
  return computeFillableLimit(state.parameters[part.market]!, { ...part, long, lots }, equity, maintenance);
}

/** A position for the computation of its fillable price: whole, at the mark. */
export interface FillablePart {
  readonly long: boolean;
  readonly lots: number;
  readonly notional: bigint;
  readonly maintenance: bigint;
}

/**
 * `getFillableLimit` from its numbers, ticks.
 *
 * @param equity      of the margin account, quote units
 * @param maintenance of the margin account, quote units
 */
export function computeFillableLimit(
  { tickLotValue }: Pick<MarketParameters, "tickLotValue">,
  part: FillablePart,
  equity: bigint,
  maintenance: bigint,
): Ticks {
  const perTick = BigInt(part.lots) * BigInt(tickLotValue);
  const lack = maintenance <= 0n || equity >= maintenance ? 0n : equity <= 0n ? maintenance : maintenance - equity;
  // Concession of the whole position in quote units: 1.5 * maintenance of the part * lack / maintenance.
  const concession = maintenance <= 0n ? 0n : (part.maintenance * 3n * lack) / (maintenance * 2n);
  return part.long
    ? toTicks(Number(bigDivCeil(part.notional - concession, perTick)))
    : toTicks(Number(bigDivFloor(part.notional + concession, perTick)));
}

/** A limit so much worse than the mark, in ppm. */
export function computeSlippageLimit(state: State, market: MarketRow, long: boolean, slippage: number): Ticks {
  const mark = state.markets.mark[market];
  const { tickSize } = state.parameters[market]!;
  return long
    ? toTicks(Math.ceil(mulDivCeil(mark, PPM - slippage, PPM) / tickSize))
    : toTicks(Math.floor(mulDivFloor(mark, PPM + slippage, PPM) / tickSize));
}

/** An order that closes a position in the book, at any price up to the limit. It never rests. */
export interface BookOrder {
  readonly account: AccountRow;
  readonly position: PositionRow;
  readonly lots: number;
  readonly limit: Ticks;
  readonly terms: LiquidationTerms;
}

/** Sends an order into the book that only reduces a position (LIQ-2). */
export function sendBookOrder(state: State, { account, position, lots, limit, terms }: BookOrder): void {
  const { positions } = state;
  const taker = createTaker({
    market: positions.market[position],
    account,
    position,
    side: positions.signedLots[position] > 0 ? SIDE.sell : SIDE.buy,
    orderId: NO_ORDER,
    limit,
    reduceOnly: true,
    selfTrade: SELF_TRADE.cancelMaker,
    selfTradeScope: SELF_TRADE_SCOPE.account,
    house: false,
    liquidation: terms,
    lots: lots as Lots,
  });
  match(state, taker);
}

/**
 * The order of a margin account's liquidation step: its limit, whether the fund pays beyond the bankruptcy price, and
 * the fee.
 */
export interface StepOrder {
  readonly lots: number;
  readonly limit: Ticks;
  readonly insured: boolean;
  /** Greatest liquidation fee, ppm of a fill's value; never beyond the bankruptcy price. */
  readonly fee: number;
}

/** Sends the order of a margin account's liquidation step for one of its positions. */
export function sendStepOrder(
  state: State,
  marginAccount: MarginAccount,
  part: MarginAccountPosition,
  order: StepOrder,
): void {
  const { account, id } = marginAccount;
  const { lots, limit, insured, fee } = order;
  sendBookOrder(state, {
    account,
    position: part.position,
    lots,
    limit,
    terms: { id, bankruptcy: part.bankruptcy, insured, fee },
  });
}
