import { NONE } from "../../../ground/collections/table.ts";
import { LIMIT } from "../../../ground/math/fixed.ts";
import { ISOLATED_CAUSE } from "../../../protocol/events.ts";
import { OPERATION } from "../../../protocol/validity.ts";
import { MARGIN_MODE, MARGIN_MODES, ROLE, ROLES } from "../../../protocol/words.ts";
import { defineHandler, type Plan, type Rejection, reject } from "../handler/defineHandler.ts";
import { hasIntents } from "../intents/intents.ts";
import { endRecord } from "../liquidation/record.ts";
import { DEPTH, measure, measureIsolated } from "../margin/health.ts";
import { getIsolatedInitial, moveIsolated } from "../margin/isolated.ts";
import { checkPrice, checkRestarting } from "../prices/validity.ts";
import { setQueuedSince } from "../state/marginAccount.ts";
import { ensurePosition, releaseIfEmpty } from "../state/positions.ts";
import type { AccountRow, MarketRow, PositionRow } from "../state/schema.ts";
import { getPosition, type State } from "../state/state.ts";

interface SetMarginModePlan extends Plan {
  readonly market: MarketRow;
  readonly mode: number;
  /** Collateral that goes to the position's own margin account. */
  readonly moved: number;
}

/**
 * Chooses whether a market's position is margined cross or isolated (MRG-2). The account must have no open orders and
 * intents in the market. A change to isolated moves the initial margin and the loss of an open position. A change to
 * cross returns all of its margin.
 */
export const handleSetMarginMode = defineHandler<"setMarginMode">("setMarginMode")<SetMarginModePlan>({
  check(state, { account }, { market: name, mode }) {
    const market = state.marketRows.get(name);
    if (market === undefined) return reject("MARKET_NOT_FOUND", { market: name });
    const position = getPosition(state, account, market);
    const open = position !== NONE && state.positions.signedLots[position] !== 0;
    const restarting = open ? checkRestarting(state, market) : undefined;
    if (restarting !== undefined) return restarting;
    if (state.accounts.role[account] !== ROLE.normal)
      return reject("MARGIN_MODE_FIXED", { role: ROLES[state.accounts.role[account]]! });
    if (position !== NONE && state.positions.orderCount[position] !== 0) {
      return reject("MARKET_IN_USE", { market: name, orders: state.positions.orderCount[position] });
    }
    if (hasIntents(state, account, market)) return reject("MARKET_IN_USE", { market: name, cause: "intents" });
    const present = position === NONE ? MARGIN_MODE.cross : state.positions.mode[position];
    if (present === mode) return reject("NOTHING_TO_DO", { mode: MARGIN_MODES[mode]! });
    if (!open) return { rejected: false, market, mode, moved: 0 };
    const unpriced = checkPrice(state, market, OPERATION.margin);
    if (unpriced !== undefined) return unpriced;
    return mode === MARGIN_MODE.cross
      ? planCross(state, account, market, position)
      : planIsolated(state, account, market, position);
  },

  apply(state, { account }, { market, mode, moved }) {
    const position = ensurePosition(state, account, market);
    const { positions } = state;
    if (mode === MARGIN_MODE.cross) {
      moveIsolated(state, position, -positions.isolated[position], ISOLATED_CAUSE.mode);
      if (positions.queuedSince[position] !== 0) setQueuedSince(state, account, position, 0);
      endRecord(state, account, position);
    }
    positions.mode[position] = mode;
    state.events.marginChanged({ account, market, leverage: positions.leverage[position], mode });
    if (mode === MARGIN_MODE.isolated) moveIsolated(state, position, moved, ISOLATED_CAUSE.mode);
    state.risk.markDirty(state.accounts, account);
    releaseIfEmpty(state, position);
  },
});

/**
 * The amount with which the new margin account meets its initial margin (MRG-4) must be free in cross without the
 * position (MRG-5).
 */
function planIsolated(
  state: State,
  account: AccountRow,
  market: MarketRow,
  position: PositionRow,
): SetMarginModePlan | Rejection {
  // Measured as if it were a margin account without collateral: equity is its gain.
  const { equity: gain, notional, initial, overflow } = measureIsolated(state, position);
  const health = measure(state, account, DEPTH.orders, market);
  if (overflow || health.overflow) return reject("NUMERIC_LIMIT", { limit: LIMIT });
  const loss = gain < 0 ? -gain : 0;
  const moved = initial + loss;
  const tenth = Math.ceil((health.notional - notional) / 10);
  const rest = health.initial - health.marketInitial;
  // What is lost already leaves with the position.
  const free = state.accounts.collateral[account] + health.losses + loss - (rest > tenth ? rest : tenth);
  if (moved > free) return reject("INSUFFICIENT_FREE_COLLATERAL", { amount: moved, free });
  return { rejected: false, market, mode: MARGIN_MODE.isolated, moved };
}

/** Cross must carry the position, with the collateral of its margin account (MRG-4). */
function planCross(
  state: State,
  account: AccountRow,
  market: MarketRow,
  position: PositionRow,
): SetMarginModePlan | Rejection {
  const marginAccount = measureIsolated(state, position);
  const health = measure(state, account, DEPTH.orders);
  const held = state.accounts.collateral[account] + state.positions.isolated[position];
  if (marginAccount.overflow || health.overflow || !(Math.abs(held) <= LIMIT / 4))
    return reject("NUMERIC_LIMIT", { limit: LIMIT });
  const equity = health.equity + marginAccount.equity;
  const required = health.initial + getIsolatedInitial(state, position, state.positions.signedLots[position]);
  if (equity < required) return reject("INSUFFICIENT_MARGIN", { equity, required });
  return { rejected: false, market, mode: MARGIN_MODE.cross, moved: 0 };
}
