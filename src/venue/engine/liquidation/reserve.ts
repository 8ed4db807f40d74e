import { ROLE } from "../../../protocol/words.ts";
import type { AccountRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/**
 * What no loss of an account may reach: a backstop's collateral beyond its loss limit, which counts as if it were not there
 * (LIQ-3), whoever's liquidation it stands opposite to. 0 for everybody else. Cost: once per backstop, for backstops.
 */
export function getReserve({ accounts, backstops }: State, account: AccountRow): number {
  if (accounts.role[account] !== ROLE.backstop) return 0;
  return backstops.find((backstop) => backstop.account === account)?.reserve ?? 0;
}
