import { NONE } from "../../../ground/collections/table.ts";
import type { AccountRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";

/** The open liquidation record of a margin account, 0 for none. */
export function getLiquidation({ accounts, positions }: State, account: AccountRow, isolated: PositionRow): number {
  return isolated === NONE ? accounts.liquidation[account]! : positions.liquidation[isolated]!;
}
