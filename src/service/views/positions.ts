import type { Position } from "../../api/schemas/accounts.ts";
import { formatAmount } from "../../engine/formulas/text.ts";
import { readPosition } from "../../engine/reads/positions.ts";
import { listPositionsOf, subaccountOf } from "../../engine/reads/rows.ts";
import type { AccountRow, PositionRow } from "../../engine/state/schema.ts";
import type { State } from "../../engine/state/state.ts";

/** What a position realised and paid since it was opened; the state does not keep it. */
export interface PositionPast {
  readonly realizedPnl: bigint;
  readonly fundingPaid: bigint;
  readonly openedHeight: number;
}

/** Open positions of an account by market. */
export function listOpenPositions(state: State, account: AccountRow): PositionRow[] {
  return listPositionsOf(state, account).filter((at) => state.positions.size[at]! !== 0);
}

/** @param past where it is kept */
export function viewPosition(state: State, at: PositionRow, past?: PositionPast): Position {
  return {
    ...readPosition(state, at),
    subaccount: subaccountOf(state, state.positions.account[at]!),
    realizedPnl: past === undefined ? null : formatAmount(past.realizedPnl),
    fundingPaid: past === undefined ? null : formatAmount(past.fundingPaid),
    openedHeight: past === undefined ? null : past.openedHeight,
  };
}
