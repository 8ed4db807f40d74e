import { NONE } from "../../../ground/collections/table.ts";
import { type Rejection, reject } from "../handler/defineHandler.ts";
import type { AccountRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/**
 * While a market's withdrawals are paused, an account with a position in it cannot move collateral out (MKT).
 * Cost: once per position of the account.
 */
export function checkWithdrawPause(
  { accounts, positions, parameters, marketNames }: State,
  account: AccountRow,
): Rejection | undefined {
  for (let at = accounts.position[account]; at !== NONE; at = positions.next[at]) {
    const market = positions.market[at];
    if (positions.signedLots[at] === 0 || parameters[market]!.pauseWithdraw === 0) continue;
    return reject("OPERATION_PAUSED", { operation: "withdraw", market: marketNames[market]! });
  }
  return undefined;
}
