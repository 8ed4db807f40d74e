import { NONE } from "../../../ground/collections/table.ts";
import { SIDE } from "../../../protocol/words.ts";
import type { AccountRow, MarketRow } from "../state/schema.ts";
import { getPosition, type State } from "../state/state.ts";

/**
 * Most lots that an account may trade on a side before its owner's position cap (ORD-5). A trade that reduces the
 * owner's sum has room to zero and from there to the cap. Cost: once per subaccount of the owner.
 *
 * @param signedLots  the account's own position
 * @param ahead signed lots that the owner's other subaccounts will have traded by then, when looking ahead
 */
export function getPositionRoom(
  state: State,
  account: AccountRow,
  market: MarketRow,
  signedLots: number,
  side: number,
  ahead = 0,
): number {
  const { positions, accounts, owners } = state;
  const limit: number = state.parameters[market]!.positionLimitLots;
  let total = signedLots + ahead;
  for (let at = owners.account[accounts.owner[account]]; at !== NONE; at = accounts.ownerNext[at]) {
    if (at === account) continue;
    const other = getPosition(state, at, market);
    if (other !== NONE) total += positions.signedLots[other];
  }
  const room = side === SIDE.buy ? limit - total : limit + total;
  return room > 0 ? room : 0;
}

/**
 * Most lots that a buyer and a seller may trade before the cap on open interest (ORD-5). Up to what closes short and
 * long positions a fill does not raise it.
 *
 * @param open open interest, lots; another than the present one when looking ahead
 */
export function getOpenInterestRoom(
  state: State,
  market: MarketRow,
  buyerSignedLots: number,
  sellerSignedLots: number,
  open: number = state.markets.openInterest[market],
): number {
  const limit: number = state.parameters[market]!.openInterestLimitLots;
  const room = limit - open;
  return (
    (room > 0 ? room : 0) + (buyerSignedLots < 0 ? -buyerSignedLots : 0) + (sellerSignedLots > 0 ? sellerSignedLots : 0)
  );
}
