import { max } from "../arithmetic.ts";
import { openInterestOf } from "../market/openInterestRate.ts";
import type { Account, Market, ModelState } from "../state.ts";

/** Whether order limits and caps apply to a role (ACC). */
export function isHeldByLimits({ role }: Account): boolean {
  return role !== "house";
}

/** Lots of an owner's subaccounts together, signed (ORD-5). */
function ownerLots(state: ModelState, owner: string, market: Market): bigint {
  return state.accounts
    .filter((account) => account.owner === owner)
    .reduce((lots, { positions }) => lots + (positions.get(market.ordinal)?.signedLots ?? 0n), 0n);
}

/**
 * Most lots of a fill that keep an account's owner within `positionLimit`, whatever the fill does to the account's own
 * position (ORD-5).
 *
 * @param sign 1 for a purchase, -1 for a sale
 */
export function roomOfOwner(state: ModelState, account: Account, market: Market, sign: bigint): bigint {
  return max(0n, market.parameters.positionLimitLots - sign * ownerLots(state, account.owner, market));
}

/**
 * Most lots of a fill that keep open interest within its limit: lots that close on either side do not raise it (ORD-5).
 */
export function roomOfOpenInterest(state: ModelState, buyer: Account, seller: Account, market: Market): bigint {
  const bought = buyer.positions.get(market.ordinal)?.signedLots ?? 0n;
  const sold = seller.positions.get(market.ordinal)?.signedLots ?? 0n;
  const room = market.parameters.openInterestLimitLots - openInterestOf(state, market);
  return max(0n, room) + max(0n, -bought) + max(0n, sold);
}
