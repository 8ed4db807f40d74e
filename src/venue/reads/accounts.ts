import { NONE } from "../../ground/collections/table.ts";
import { AccountKey } from "../../protocol/accountKey.ts";
import type { Address } from "../../protocol/fields.ts";
import { ROLES, type Role } from "../../protocol/words.ts";
import { findAccount } from "../engine/state/accounts.ts";
import type { PositionRow } from "../engine/state/schema.ts";
import type { State } from "../engine/state/state.ts";
import { formatAmount } from "../formulas/text.ts";
import { readMarginAccount } from "./figures.ts";
import type { AccountName } from "./positions.ts";
import { listPositionsOf } from "./rows.ts";

/**
 * An account with its cross margin account. Amounts in USD as decimal text. An isolated position is a margin account of
 * its own.
 */
export interface AccountView {
  readonly address: Address;
  readonly subaccount: number;
  readonly role: Role;
  /** Cross collateral. */
  readonly collateral: string;
  /** Collateral, unrealized PnL at the mark and unsettled funding of the cross positions. */
  readonly equity: string;
  readonly unrealizedPnl: string;
  /** Funding that the cross positions owe; negative is to be received. */
  readonly unsettledFunding: string;
  /** |size| at the mark of the cross positions. */
  readonly notional: string;
  /** Initial margin with resting orders (MRG-3). */
  readonly initialMargin: string;
  readonly maintenanceMargin: string;
  /** Collateral that may be withdrawn (MRG-5), before the venue's caps; not below 0. */
  readonly freeCollateral: string;
  /** Equity is below maintenance margin: the next risk pass liquidates. */
  readonly isLiquidatable: boolean;
  /** Resting orders, in all markets. */
  readonly openOrders: number;
}

/**
 * An account.
 *
 * @returns undefined for one that never held anything
 */
export function getAccount(state: State, { address, subaccount = 0 }: AccountName): AccountView | undefined {
  const account = findAccount(state, new AccountKey(address, subaccount));
  if (account === NONE) return undefined;
  const figures = readMarginAccount(state, account, NONE as PositionRow);
  const { equity, maintenance, free } = figures;
  let openOrders = 0;
  for (const at of listPositionsOf(state, account)) openOrders += state.positions.orderCount[at];
  return {
    address,
    subaccount,
    role: ROLES[state.accounts.role[account]]!,
    collateral: formatAmount(figures.collateral),
    equity: formatAmount(equity),
    unrealizedPnl: formatAmount(figures.unrealizedPnl),
    unsettledFunding: formatAmount(figures.unsettledFunding),
    notional: formatAmount(figures.notional),
    initialMargin: formatAmount(figures.initial),
    maintenanceMargin: formatAmount(maintenance),
    freeCollateral: formatAmount(free > 0n ? free : 0n),
    isLiquidatable: figures.notional > 0n && equity < maintenance,
    openOrders,
  };
}
