import { MARKET_STATUS, ROLE, SIDE } from "../../../protocol/words.ts";
import { isCatchingUp } from "../prices/validity.ts";
import type { AccountRow, MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/**
 * Whether makers of a market fill a taker only as far as they reduce their positions (ORD-5). It holds if the market is
 * reduce-only, or its index catches up with the oracle. House takers are exempt; liquidation steps are the caller's to
 * exempt.
 */
export function isMakerGated(state: State, market: MarketRow, taker: AccountRow): boolean {
  const isClosed = state.parameters[market]!.status === MARKET_STATUS.reduceOnly || isCatchingUp(state, market);
  return isClosed && state.accounts.role[taker] !== ROLE.house;
}

/**
 * Most lots of a side that only reduce a position: its size on the closing side, none where they would open or
 * increase.
 */
export function getReducingLots(signedLots: number, side: number): number {
  const closing = side === SIDE.buy ? -signedLots : signedLots;
  return closing > 0 ? closing : 0;
}
