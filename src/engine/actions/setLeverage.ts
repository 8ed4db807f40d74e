import { NONE } from "../../collections/table.ts";
import { measure, meetsInitial } from "../margin/health.ts";
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
    if (leverage < 1 || leverage > rules.leverageMax) {
      return reject("LEVERAGE_OUT_OF_RANGE", { leverage, most: rules.leverageMax });
    }
    const position = getPosition(state, account, market);
    if (position !== NONE && state.positions.leverage[position] === leverage) return reject("NOTHING_TO_DO");
    if (position !== NONE) {
      const { positions } = state;
      const before = positions.leverage[position];
      const health = measure(state, account);
      const initialBefore = health.initial;
      // The requirement is a function of the row, so the row is asked with the new leverage and put back.
      positions.leverage[position] = leverage;
      const after = measure(state, account);
      const meets = meetsInitial(after);
      const required = after.initial;
      positions.leverage[position] = before;
      if (!meets && required > initialBefore) return reject("INSUFFICIENT_MARGIN", { equity: after.equity, required });
    }
    return { rejected: false, market, leverage };
  },

  apply(state, { account }, { market, leverage }) {
    const position = ensurePosition(state, account, market);
    state.positions.leverage[position] = leverage;
    state.events.marginChanged({ account, market, leverage });
    releaseIfEmpty(state, position);
  },
});
