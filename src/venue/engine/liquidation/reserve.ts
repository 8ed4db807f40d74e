import { ROLE } from "../../../protocol/words.ts";
import type { AccountRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/**
 * Collateral of a backstop beyond its loss limit: no loss of the account may reach it, and it counts as absent in every
 * liquidation (LIQ-3). 0 for all other accounts. Cost: once per backstop, for backstops.
 */
export function getReserve({ accounts, backstops }: State, account: AccountRow): number {
  if (accounts.role[account] !== ROLE.backstop) return 0;
  return backstops.find((backstop) => backstop.account === account)?.reserve ?? 0;
}
