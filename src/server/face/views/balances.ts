import type { Balance } from "../../../client/api/schemas/accounts.ts";
import { ROLES } from "../../../protocol/words.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { formatAmount } from "../../../venue/formulas/text.ts";
import { readMarginAccount } from "../../../venue/reads/figures.ts";
import { listMarginAccountsOf, subaccountOf } from "../../../venue/reads/rows.ts";
import { ASSET } from "./status.ts";

/** @param simulated whether balances are test assets */
export function viewBalance(state: State, account: AccountRow, simulated: boolean): Balance {
  const [cross, ...isolated] = listMarginAccountsOf(state, account).map((marginAccount) =>
    readMarginAccount(state, account, marginAccount),
  );
  const all = [cross!, ...isolated];
  const sum = (pick: (figures: (typeof all)[number]) => bigint) => all.reduce((total, one) => total + pick(one), 0n);
  const apart = isolated.reduce((total, { collateral }) => total + collateral, 0n);
  const { collateral, equity, initial, free } = cross!;
  return {
    subaccount: subaccountOf(state, account),
    role: ROLES[state.accounts.role[account]!]!,
    asset: ASSET,
    collateral: formatAmount(collateral),
    isolated: formatAmount(apart),
    total: formatAmount(collateral + apart),
    unrealizedPnl: formatAmount(sum((one) => one.unrealizedPnl)),
    unsettledFunding: formatAmount(sum((one) => one.unsettledFunding)),
    equity: formatAmount(sum((one) => one.equity)),
    reserved: formatAmount(initial),
    available: formatAmount(equity > initial ? equity - initial : 0n),
    withdrawable: formatAmount(free > 0n ? free : 0n),
    simulated,
  };
}
