import { NONE } from "../../collections/table.ts";
import { PPM } from "../../math/fixed.ts";
import type { Health } from "../margin/health.ts";
import { computeNotional } from "../margin/notional.ts";
import type { AccountRow } from "../state/schema.ts";
import type { State } from "../state/state.ts";

/** Quote units that rounding of value and requirement may cost per position between two looks. */
const ROUNDING = 4;

/**
 * Arms the triggers of an account that is healthy at present marks.
 *
 * Its slack, equity less maintenance, is shared out by notional. A position's trigger is the mark at which its own loss
 * alone uses up its share, bounded from above: a long loses at most its size per unit of price (its requirement falls
 * with the price), a short its size times one plus the highest maintenance rate. While no trigger is reached the losses
 * together stay below the slack, so nobody who is armed can be liquidatable. Triggers may be early, never late; only
 * cost depends on them.
 *
 * @param health of this account, from `measure`
 */
export function armAccount(state: State, account: AccountRow, health: Health): void {
  const { positions, markets, parameters, risk } = state;
  const slack = health.wide ? 0 : health.equity - health.maintenance;
  for (let at = state.accounts.position[account]; at !== NONE; at = positions.next[at]) {
    const size = positions.size[at];
    if (size === 0) {
      risk.disarm(positions, at);
      continue;
    }
    const market = positions.market[at];
    const rules = parameters[market]!;
    const mark = markets.mark[market];
    const share = (slack * (computeNotional(rules, size, mark) / health.notional) - ROUNDING) * 0.999_999;
    const lots = Math.abs(size) * (size > 0 ? 1 : 1 + rules.maintenanceMost / PPM);
    const distance = Math.floor(((share / lots) * rules.lotDenominator) / rules.lotNumerator);
    const reach = distance > 0 ? distance : 0;
    risk.arm(positions, at, size > 0 ? mark - reach : mark + reach);
  }
}
