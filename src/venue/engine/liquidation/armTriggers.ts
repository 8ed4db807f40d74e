import { NONE } from "../../../ground/collections/table.ts";
import { PPM } from "../../../ground/math/fixed.ts";
import { SIDE } from "../../../protocol/words.ts";
import type { Health } from "../state/health.ts";
import { marginAccountOf } from "../state/marginAccount.ts";
import type { AccountRow, PositionRow, Positions } from "../state/schema.ts";
import type { State } from "../state/state.ts";
import { getNotionalAtMark } from "../valuation/notional.ts";

/**
 * Quote units that rounding of value and maintenance margin may cost per position between two checks, and one more for
 * each tier.
 */
export const ROUNDING = 4;
/**
 * Part of the slack that triggers share. The rest lets them stay where they are after a small change (`keepsTriggers`).
 */
const SHARED = 0.75;
/** Slack by notional up to which they share all of it: near liquidation no trigger is earlier than need be. */
const NEAR = 0.01;

/**
 * Arms the triggers of a margin account that is healthy at present marks.
 *
 * Its slack, equity less maintenance margin, is shared out by notional; of much slack, three quarters. A position's
 * trigger is the mark at which its own loss alone uses up its share, bounded from above. A long loses at most its size
 * per unit of price, since its margin falls with the price. A short loses its size times one plus the highest
 * maintenance rate. While no trigger is reached the losses together stay below the slack, and no armed account can be
 * liquidatable. With less slack than rounding may cost, the trigger is on the other side of the mark. The margin
 * account is checked until it has gained more than that. Triggers may be early, never late; only cost depends on them.
 *
 * @param health of this margin account, from `measureMarginAccount`
 */
export function armMarginAccount(state: State, account: AccountRow, isolated: PositionRow, health: Health): void {
  const { positions, markets, parameters, risk } = state;
  const spare = health.equity - health.maintenance;
  const slack = spare > health.notional * NEAR ? spare * SHARED : spare;
  for (let at = state.accounts.position[account]; at !== NONE; at = positions.next[at]) {
    if (marginAccountOf(state, at) !== isolated) continue;
    const signedLots = positions.signedLots[at];
    if (signedLots === 0) {
      risk.disarm(positions, at);
      continue;
    }
    const market = positions.market[at];
    const rules = parameters[market]!;
    const mark = markets.mark[market];
    if (health.overflow) {
      // Sums beyond a number are checked in every block: the trigger is on the other side of the mark.
      risk.arm(positions, at, signedLots > 0 ? mark + 1 : mark - 1);
      continue;
    }
    const notional = getNotionalAtMark(markets, rules, market, Math.abs(signedLots));
    const share = slack * (notional / health.notional) - ROUNDING - rules.tiers.length;
    const rate = rules.maintenanceMost / PPM;
    // Below zero, rounding alone could make it due: the trigger lies where a gain has outgrown that.
    const factor =
      share >= 0 ? (signedLots > 0 ? 1 : 1 + rate) / 0.999_999 : (signedLots > 0 ? 1 - rate : 1) * 0.999_999;
    const distance = ((share / (Math.abs(signedLots) * factor)) * rules.lotDenominator) / rules.lotNumerator;
    const reach = Math.floor(distance);
    const trigger = signedLots > 0 ? mark - reach : mark + reach;
    if (!isTightEnough(positions, at, signedLots, mark, reach)) risk.arm(positions, at, trigger);
  }
}

/**
 * Whether a position may keep its trigger. It may if the trigger is on the right side, no further than the new one, and
 * not so near that it is reached much earlier. Keeping it avoids a move in the heap for every small change.
 */
function isTightEnough(
  positions: Positions,
  at: PositionRow,
  signedLots: number,
  mark: number,
  reach: number,
): boolean {
  const place = positions.heapPlace[at];
  if (place === NONE || (place & 1) !== (signedLots > 0 ? SIDE.buy : SIDE.sell)) return false;
  const present = signedLots > 0 ? mark - positions.trigger[at] : positions.trigger[at] - mark;
  return present <= reach && present * 2 >= reach && present > 0;
}
