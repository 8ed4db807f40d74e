import { NONE } from "../../../ground/collections/table.ts";
import { LIMIT } from "../../../ground/math/fixed.ts";
import { OPERATION } from "../../../protocol/validity.ts";
import { MARGIN_MODE } from "../../../protocol/words.ts";
import { defineHandler, type Plan, type Rejection, reject } from "../handler/defineHandler.ts";
import { DEPTH, getSideInitial, getWorseInitial, measure, measureIsolated } from "../margin/health.ts";
import { checkPrice, checkRestarting } from "../prices/validity.ts";
import { ensurePosition, releaseIfEmpty } from "../state/positions.ts";
import type { AccountRow, MarketRow, PositionRow } from "../state/schema.ts";
import { getPosition, type State } from "../state/state.ts";
import { checkReserve } from "./checkIsolated.ts";

interface SetLeveragePlan extends Plan {
  readonly market: MarketRow;
  readonly leverage: number;
}

/**
 * Chooses a market's leverage (MRG-1). Less leverage needs more margin and is refused if the account does not have it.
 */
export const handleSetLeverage = defineHandler<"setLeverage">("setLeverage")<SetLeveragePlan>({
  check(state, { account }, { market: name, leverage }) {
    const market = state.marketRows.get(name);
    if (market === undefined) return reject("MARKET_NOT_FOUND", { market: name });
    const rules = state.parameters[market]!;
    const position = getPosition(state, account, market);
    const { positions } = state;
    const held = position !== NONE && (positions.signedLots[position] !== 0 || positions.orderCount[position] !== 0);
    const restarting = held ? checkRestarting(state, market) : undefined;
    if (restarting !== undefined) return restarting;
    const chosen = position === NONE ? 0 : positions.leverage[position];
    if (leverage !== 0 && chosen === leverage) return reject("NOTHING_TO_DO", { leverage });
    if (leverage < 1 || leverage > rules.leverageMax) {
      return reject("LEVERAGE_OUT_OF_RANGE", { leverage, most: rules.leverageMax });
    }
    if (held) {
      const unpriced = checkPrice(state, market, OPERATION.margin);
      if (unpriced !== undefined) return unpriced;
      const cross = positions.mode[position] === MARGIN_MODE.cross;
      const margin = cross ? checkCross(state, account, position, leverage) : checkIsolated(state, position, leverage);
      if (margin !== undefined) return margin;
    }
    return { rejected: false, market, leverage };
  },

  apply(state, { account }, { market, leverage }) {
    const position = ensurePosition(state, account, market);
    state.positions.leverage[position] = leverage;
    state.events.marginChanged({ account, market, leverage, mode: state.positions.mode[position] });
    releaseIfEmpty(state, position);
  },
});

function checkCross(state: State, account: AccountRow, position: PositionRow, leverage: number): Rejection | undefined {
  const health = measure(state, account, DEPTH.orders, state.positions.market[position]);
  if (health.overflow) return reject("NUMERIC_LIMIT", { limit: LIMIT });
  const worse = getWorseInitial(state, position, state.positions.signedLots[position], leverage);
  const required = health.initial - health.marketInitial + worse;
  // Below initial margin already, a leverage that needs no more margin is still accepted (MRG-4).
  if (health.equity >= required || required <= health.initial) return undefined;
  return reject("INSUFFICIENT_MARGIN", { equity: health.equity, required });
}

/**
 * The margin account must carry the position at it, and cross what the resting orders then reserve; nothing moves
 * (MRG-2).
 */
function checkIsolated(state: State, position: PositionRow, leverage: number): Rejection | undefined {
  const { positions, markets } = state;
  const market = positions.market[position];
  const signedLots = positions.signedLots[position];
  const marginAccount = measureIsolated(state, position);
  if (marginAccount.overflow) return reject("NUMERIC_LIMIT", { limit: LIMIT });
  const required = getSideInitial(markets, state.parameters[market]!, market, leverage, signedLots, 0);
  if (marginAccount.equity < required && required > marginAccount.initial) {
    return reject("INSUFFICIENT_MARGIN", { equity: marginAccount.equity, required });
  }
  return checkReserve(state, position, getWorseInitial(state, position, signedLots, leverage) - required, 0, 0);
}
