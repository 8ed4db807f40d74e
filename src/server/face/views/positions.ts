import type { Position } from "../../../client/api/schemas/accounts.ts";
import type { AccountRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { formatAmount } from "../../../venue/formulas/text.ts";
import { readPosition } from "../../../venue/reads/positions.ts";
import { listPositionsOf, subaccountOf } from "../../../venue/reads/rows.ts";
import type { PositionPast } from "../../history/positions.ts";

/** Open positions of an account by market. */
export function listOpenPositions(state: State, account: AccountRow): PositionRow[] {
  return listPositionsOf(state, account).filter((at) => state.positions.signedLots[at]! !== 0);
}

/** @param past its history, if kept */
export function viewPosition(state: State, at: PositionRow, past?: PositionPast): Position {
  return {
    ...readPosition(state, at),
    subaccount: subaccountOf(state, state.positions.account[at]!),
    realizedPnl: past === undefined ? null : formatAmount(past.realizedPnl),
    fundingPaid: past === undefined ? null : formatAmount(past.fundingPaid),
    openedHeight: past === undefined ? null : past.openedHeight,
  };
}
