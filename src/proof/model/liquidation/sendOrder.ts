import { addToFund } from "../actions/fundInsurance.ts";
import { abs, divFloor, max, min } from "../arithmetic.ts";
import { addCollateral, marginAccountOf } from "../margin/health.ts";
import { match } from "../matching/match.ts";
import type { ModelState, Position } from "../state.ts";
import { PPM } from "../words.ts";
import { computeCoverLeft, payCover } from "./insurance.ts";
import type { Part } from "./liquidationStep.ts";
import { recordOf } from "./record.ts";

/** The order of a liquidation (LIQ-2, LIQ-4). */
export interface LiquidationOrder {
  readonly lots: bigint;
  /** Worst price in ticks. */
  readonly limit: bigint;
  /** ppm of a fill's value, at most its proceeds above the bankruptcy price. */
  readonly fee: bigint;
  /** The fund pays the shortfall of fills below the bankruptcy price. */
  readonly insured: boolean;
}

/** Sends lots of a part into the book. Fees go to the fund, and the fund pays the shortfall of fills. */
export function sendOrder(state: ModelState, { position, bankruptcy }: Part, order: LiquidationOrder): void {
  const { account, market } = position;
  const sells = position.signedLots > 0n;
  /** Proceeds of lots at a price above their slice of the bankruptcy value. */
  const aboveAt = (lots: bigint, ticks: bigint) => {
    const value = lots * ticks * market.parameters.tickLotValue;
    return (sells ? value : -value) - bankruptcy.peek(lots);
  };
  const mostLots = (lots: bigint, ticks: bigint) => {
    if (!order.insured) return lots;
    const left = computeCoverLeft(state, account, market);
    return greatest(lots, (some) => -aboveAt(some, ticks) <= left);
  };
  const afterFill = (lots: bigint, value: bigint) => {
    const above = -value - bankruptcy.take(lots);
    if (above > 0n) {
      const fee = min(divFloor(abs(value) * order.fee, PPM), above);
      addCollateral(marginAccountOf(position), -fee);
      addToFund(state, fee, { cause: "liquidationFee", market: market.ordinal, account: account.id });
    } else if (above < 0n && order.insured) {
      payCover(state, account, market, -above, "cover");
      addCollateral(marginAccountOf(position), -above);
    }
  };
  const record = recordOf(marginAccountOf(position));
  sendIntoBook(state, position, order.lots, order.limit, { record, mostLots, afterFill });
}

/** An order outside user rules: no fee, cap, band or self-trade prevention (LIQ). */
export function sendIntoBook(
  state: ModelState,
  position: Position,
  lots: bigint,
  limit: bigint,
  liquidation: {
    readonly record: number;
    readonly mostLots: (lots: bigint, ticks: bigint) => bigint;
    readonly afterFill: (lots: bigint, value: bigint) => void;
  },
): bigint {
  const { account, market } = position;
  const sells = position.signedLots > 0n;
  if (lots <= 0n || (sells ? false : limit <= 0n)) return 0n;
  const matched = match(state, {
    id: 0,
    account,
    market,
    side: sells ? "sell" : "buy",
    limit: sells ? max(limit, 1n) : limit,
    lots: lots,
    reduceOnly: true,
    selfTrade: "cancelMaker",
    selfTradeScope: "account",
    liquidation,
  });
  return matched.filled;
}

/** The greatest whole number up to `most` for which a monotonic test holds; 0 if it never does. */
export function greatest(most: bigint, fits: (some: bigint) => boolean): bigint {
  if (most <= 0n || fits(most)) return max(0n, most);
  let low = 0n;
  let high = most;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
