import { allowsFunding } from "../../../protocol/lifecycle.ts";
import { lapseRestart } from "../funding/interval.ts";
import type { MarketRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/**
 * Before the first transaction of a block: notes which markets pay funding, and drops the time since the last block
 * where that is a gap (FND-4). Both use the parameters in force before the block's transactions change them.
 */
export function openFunding(state: State, elapsedMs: number): void {
  const { markets, parameters, fundedBefore, timeMs } = state;
  const count = markets.rows.high;
  if (fundedBefore.length !== count) fundedBefore.length = count;
  for (let market = 0 as MarketRow; market < count; market++) {
    const rules = parameters[market]!;
    const funds = allowsFunding(rules);
    fundedBefore[market] = funds;
    const { blockGap } = rules;
    if (!funds || blockGap === 0 || elapsedMs <= blockGap || markets.settledTime[market] === 0) continue;
    lapseRestart(state, market, timeMs - elapsedMs);
  }
}
