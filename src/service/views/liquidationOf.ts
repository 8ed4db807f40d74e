import { NONE } from "../../collections/table.ts";
import type { AccountRow, PositionRow } from "../../engine/state/schema.ts";
import type { State } from "../../engine/state/state.ts";

/** The open liquidation record of a margin account, 0 for none. */
export function getLiquidation({ accounts, positions }: State, account: AccountRow, isolated: PositionRow): number {
  return isolated === NONE ? accounts.liquidation[account]! : positions.liquidation[isolated]!;
}
