import { NONE } from "../../../ground/collections/table.ts";
import { parseDecimal } from "../../../ground/math/decimal.ts";
import { AMOUNT_DECIMALS } from "../../../ground/math/fixed.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import type { MarginAccountName } from "./marginAccount.ts";
import type { AccountRow, PositionRow } from "./schema.ts";

const CROSS = NONE as PositionRow;

/**
 * The cross margin account of an account that takes positions over (LIQ-3). Its collateral covers its own losses only,
 * and no other account covers them. Collateral beyond its loss limit is no equity.
 */
export type Backstop = MarginAccountName;

/**
 * The backstops of a venue, by account id. Accounts of genesis are created in its order, so an account's place is its
 * row. The reserve is what genesis gives less the loss limit; without a limit all of it may be lost.
 */
export function listBackstops({ accounts }: Genesis): Backstop[] {
  return accounts.flatMap(({ role, balance, lossLimit }, place) => {
    if (role !== "backstop") return [];
    if (lossLimit === undefined) return [{ account: place as AccountRow, isolated: CROSS, reserve: 0 }];
    const reserve = parseDecimal(balance, AMOUNT_DECIMALS) - parseDecimal(lossLimit, AMOUNT_DECIMALS);
    return [{ account: place as AccountRow, isolated: CROSS, reserve: reserve > 0 ? reserve : 0 }];
  });
}
