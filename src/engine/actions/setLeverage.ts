import { NONE } from "../../collections/table.ts";
import { DEPTH, getWorseInitial, measure } from "../margin/health.ts";
import { ensurePosition, releaseIfEmpty } from "../state/positions.ts";
import type { MarketRow } from "../state/schema.ts";
import { getPosition } from "../state/state.ts";
import { defineHandler, type Plan, reject } from "./defineHandler.ts";

interface SetLeveragePlan extends Plan {
  readonly market: MarketRow;
  readonly leverage: number;
}

/** Chooses a market's leverage (MRG-1). Less leverage asks for more margin and is refused where that is not there. */
export const handleSetLeverage = defineHandler<"setLeverage">("setLeverage")<SetLeveragePlan>({
  check(state, { account }, { market: name, leverage }) {
    const market = state.marketRows.get(name);
    if (market === undefined) return reject("MARKET_NOT_FOUND");
    const rules = state.parameters[market]!;
    const position = getPosition(state, account, market);
    if (position !== NONE && state.positions.leverage[position] === leverage) return reject("NOTHING_TO_DO");
    if (leverage < 1 || leverage > rules.leverageMax) {
      return reject("LEVERAGE_OUT_OF_RANGE", { leverage, most: rules.leverageMax });
    }
    if (position !== NONE) {
      const health = measure(state, account, DEPTH.orders, market);
      if (health.wide) return reject("NUMERIC_LIMIT");
      const worse = getWorseInitial(state, position, state.positions.size[position], leverage);
      const required = health.initial - health.marketInitial + worse;
      // Below the requirement already, a leverage that asks for no more is still fine (MRG-4).
      if (health.equity < required && required > health.initial) {
        return reject("INSUFFICIENT_MARGIN", { equity: health.equity, required });
      }
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
