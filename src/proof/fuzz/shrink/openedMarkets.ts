import { formatDecimal } from "../../../ground/math/decimal.ts";
import { LIMIT } from "../../../ground/math/fixed.ts";
import { isReachable } from "../../../protocol/lifecycle.ts";
import type { ParameterTexts } from "../../../protocol/parameters.ts";
import { readDefinition } from "../../../protocol/readParameters.ts";
import { MARK_METHOD, MARKET_STATUS } from "../../../protocol/words.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { listPositions } from "../../../venue/engine/state/walk.ts";
import { countLossLots, LOWEST_TIER } from "./isolatedLoss.ts";

/** Marks that follow averages or the order book: they leave a mark that is set, in the price step of the same block. */
const MOVING: ReadonlySet<number> = new Set([MARK_METHOD.median, MARK_METHOD.book]);

/**
 * Parameters under which positions, orders and marks of a market can be set: it trades, and its mark stays where it is
 * set. Empty if the market does so by itself.
 *
 * @param relaxed also without the limits that its positions exceed or would meet on the way, without liquidations, and
 *                with the lowest margin tier, so that an isolated position opens with hardly any margin
 */
export function findOpening(venue: State, market: MarketRow, relaxed: boolean): ParameterTexts {
  const { status, markMethod, pauseTrade } = venue.parameters[market]!;
  const closed = status !== MARKET_STATUS.active && isEnd(status);
  return {
    ...(closed ? { status: "active" } : {}),
    ...(MOVING.has(markMethod) ? { markMethod: "oracle" } : {}),
    ...(pauseTrade === 0 ? {} : { pauseTrade: "off" }),
    ...(relaxed ? relax(venue, market) : {}),
  };
}

/**
 * The market's own texts instead of those of its opening. A settled market is settled by an action of its own. A limit
 * that a position exceeds stays raised: a smaller one would admit prices at which the position is not storable (NUM-3).
 */
export function findClosing(venue: State, market: MarketRow, relaxed: boolean): ParameterTexts {
  const { definition, status, positionLimitLots } = venue.parameters[market]!;
  const own = readDefinition(definition);
  const opening = Object.entries(findOpening(venue, market, relaxed));
  const isSettled = status === MARKET_STATUS.settled;
  const isExceeded = findLargest(venue, market) > positionLimitLots;
  return Object.fromEntries(
    opening
      .filter(
        ([name, text]) =>
          own[name] !== text && !(name === "positionLimit" ? isExceeded : name === "status" && isSettled),
      )
      .map(([name]): [string, string] => [name, own[name]!]),
  );
}

/** Whether an active market can get this status. */
function isEnd(status: number): boolean {
  return status === MARKET_STATUS.settled || isReachable(MARKET_STATUS.active, status);
}

function relax(venue: State, market: MarketRow): ParameterTexts {
  const { maxLots, openInterestLimitLots, lotSize, tiers } = venue.parameters[market]!;
  const write = (lots: number) => formatDecimal(Math.min(lots, Math.floor(LIMIT / lotSize)) * lotSize, 8);
  // The greater a position limit, the lower the greatest price: it is as small as the positions allow (NUM-3).
  const surplus = findMostLossLots(venue, market);
  const held = findLargest(venue, market) + surplus;
  return {
    ...{ pauseLiquidate: "on", priceBand: "1000", openOrdersMax: "100000" },
    ...{ openInterestLower: "0", openInterestUpper: "0" },
    ...{ takerFee: "0", makerFee: "0", minNotional: "0", minSize: write(1) },
    // Rules of the first maintenance rate (PRC-2, LIQ-4).
    ...{ unsafe: "1", insuranceSlippage: "0" },
    ...Object.fromEntries(tiers.map((_, at) => [`tier${at + 1}`, at === 0 ? LOWEST_TIER : ""])),
    ...(held > maxLots ? { maxSize: write(held) } : {}),
    positionLimit: write(held),
    openInterestLimit: write(Math.max(openInterestLimitLots, 2 * (venue.markets.openInterest[market]! + surplus))),
  };
}

/** The most lots that a position of the market is opened with beyond its size. */
function findMostLossLots(venue: State, market: MarketRow): number {
  let most = 0;
  for (const at of listPositions(venue)) {
    if (venue.positions.market[at] === market) most = Math.max(most, countLossLots(venue, at));
  }
  return most;
}

/** The largest position of an owner, in lots: the sum over its subaccounts, or one of them. */
function findLargest(venue: State, market: MarketRow): number {
  const { positions, accounts } = venue;
  let largest = 1;
  const sums = new Map<number, number>();
  for (const at of listPositions(venue)) {
    if (positions.market[at] !== market) continue;
    const owner = accounts.owner[positions.account[at]!]!;
    const lots: number = positions.signedLots[at]!;
    const sum = (sums.get(owner) ?? 0) + lots;
    sums.set(owner, sum);
    largest = Math.max(largest, Math.abs(lots), Math.abs(sum));
  }
  return largest;
}
