import { NONE } from "../../../ground/collections/table.ts";
import { ROLE } from "../../../protocol/words.ts";
import type { AccountRow, MarketRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { collateralOf, isolatedOf, marginAccountName, openOf } from "../../../venue/engine/state/walk.ts";
import { defineInvariant, type Step } from "../machinery/defineInvariant.ts";

export const noFlatDebt = defineInvariant({
  id: "noFlatDebt",
  sentence: "A margin account that is flat and in debt when a risk pass begins is out of debt after it, or queued.",
  rules: ["LIQ-6", "LIQ-7"],
  catalogue: ["L13"],
  when: "block",
  sweep(state, step) {
    const { before } = step;
    const { accounts, positions } = before;
    for (let account = 0 as AccountRow; account < accounts.rows.high; account++) {
      if (!accounts.rows.isLive(account)) continue;
      let fault = accounts.collateral[account] < 0 ? checkDebt(state, step, account, undefined) : undefined;
      for (let at = accounts.position[account]; at !== NONE && fault === undefined; at = positions.next[at]) {
        if (positions.mode[at] !== 0 && positions.isolated[at] < 0) fault = checkDebt(state, step, account, at);
      }
      if (fault !== undefined) return fault;
    }
    return undefined;
  },
});

/** @param then isolated position of a margin account in debt before the block; undefined for cross */
function checkDebt(state: State, step: Step, account: AccountRow, then: PositionRow | undefined): string | undefined {
  const { before } = step;
  if (!isFlatInDebt(before, account, then)) return undefined;
  step.met++;
  const now = then === undefined ? undefined : findIsolated(state, account, before.positions.market[then]);
  if (!isFlatInDebt(state, account, now) || isQueued(state, account, now)) return undefined;
  return `${marginAccountName(state, account, now)} is still flat with ${collateralOf(state, account, now)}`;
}

/** An isolated position, found by its market: rows may have changed. */
function findIsolated(state: State, account: AccountRow, market: MarketRow): PositionRow | undefined {
  return isolatedOf(state, account).find((at) => state.positions.market[at] === market);
}

function isQueued({ accounts, positions }: State, account: AccountRow, isolated: PositionRow | undefined): boolean {
  return (isolated === undefined ? accounts.queuedSince[account] : positions.queuedSince[isolated]) !== 0;
}

function isFlatInDebt(state: State, account: AccountRow, isolated: PositionRow | undefined): boolean {
  if (state.accounts.role[account] !== ROLE.normal || collateralOf(state, account, isolated) >= 0) return false;
  return openOf(state, account, isolated).length === 0;
}
