import { NONE } from "../../../ground/collections/table.ts";
import { LIMIT } from "../../../ground/math/fixed.ts";
import { ISOLATED_CAUSE } from "../../../protocol/events.ts";
import { OPERATION } from "../../../protocol/validity.ts";
import { MARGIN_DIRECTION, MARGIN_MODE } from "../../../protocol/words.ts";
import { defineHandler, type Plan, reject } from "../handler/defineHandler.ts";
import { computeFree, measure, measureIsolated } from "../margin/health.ts";
import { moveIsolated } from "../margin/isolated.ts";
import { checkPrice, checkRestarting } from "../prices/validity.ts";
import type { PositionRow } from "../state/schema.ts";
import { getPosition } from "../state/state.ts";

interface AdjustIsolatedMarginPlan extends Plan {
  readonly position: PositionRow;
  /** To the position where positive. */
  readonly delta: number;
}

/** Moves collateral to an isolated position, or back, up to the free collateral of its source (MRG-2, MRG-5). */
export const handleAdjustIsolatedMargin = defineHandler<"adjustIsolatedMargin">(
  "adjustIsolatedMargin",
)<AdjustIsolatedMarginPlan>({
  check(state, { account }, { market: name, direction, amount }) {
    const market = state.marketRows.get(name);
    if (market === undefined) return reject("MARKET_NOT_FOUND", { market: name });
    const adding = direction === MARGIN_DIRECTION.add;
    const restarting = adding ? undefined : checkRestarting(state, market);
    if (restarting !== undefined) return restarting;
    const { positions, accounts } = state;
    const position = getPosition(state, account, market);
    if (position === NONE || positions.mode[position] === MARGIN_MODE.cross || positions.signedLots[position] === 0) {
      return reject("POSITION_NOT_ISOLATED", { market: name });
    }
    if (amount === 0) return reject("NOTHING_TO_DO", { amount });
    const target = (adding ? positions.isolated[position] : accounts.collateral[account]) + amount;
    if (target > LIMIT / 4) return reject("NUMERIC_LIMIT", { amount, limit: LIMIT / 4 });
    const free = adding
      ? computeFree(accounts.collateral[account], measure(state, account))
      : computeFree(positions.isolated[position], measureIsolated(state, position));
    const unpriced = adding ? undefined : checkPrice(state, market, OPERATION.margin);
    if (unpriced !== undefined) return unpriced;
    if (amount > free) return reject("INSUFFICIENT_FREE_COLLATERAL", { amount, free });
    return { rejected: false, position, delta: adding ? amount : -amount };
  },

  apply(state, _context, { position, delta }) {
    moveIsolated(state, position, delta, ISOLATED_CAUSE.owner);
  },
});
