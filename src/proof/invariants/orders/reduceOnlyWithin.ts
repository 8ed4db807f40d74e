import { NONE } from "../../../ground/collections/table.ts";
import { REDUCE_ONLY_RESTING } from "../../../protocol/words.ts";
import { FLAG_REDUCE_ONLY, FLAG_SELL, type PositionRow } from "../../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../../venue/engine/state/state.ts";
import { nameOf } from "../../../venue/engine/state/walk.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { near, type Tally } from "../machinery/tally.ts";

export const reduceOnlyWithin = defineInvariant({
  id: "reduceOnlyWithin",
  sentence:
    "Resting reduce-only orders are on the closing side. If the market trims them, together they are at most as large as the position.",
  rules: ["ORD-9"],
  catalogue: ["B09"],
  when: "transaction",
  skipsEmptySteps: true,
  slack: "lots",
  touched(moment) {
    const { state, ledger } = moment;
    const { account, market } = ledger.now.positions;
    for (let at = 0; at < ledger.positions.count; at++) {
      const row = ledger.positions.list[at]! as PositionRow;
      const position = getPosition(state, account[row], market[row]);
      if (position === NONE || state.positions.reduceOnly[position] === 0) continue;
      moment.met++;
      const fault = checkPosition(moment, state, position);
      if (fault !== undefined) return fault;
    }
    return undefined;
  },
  sweep(state, step) {
    const { positions } = state;
    for (let row = 0 as PositionRow; row < positions.rows.high; row++) {
      if (!positions.rows.isLive(row) || positions.orders[row] === NONE) continue;
      step.met++;
      const fault = checkPosition(step, state, row);
      if (fault !== undefined) return fault;
    }
    return undefined;
  },
});

function checkPosition(tally: Tally, state: State, position: PositionRow): string | undefined {
  const { positions, orders } = state;
  const signedLots: number = positions.signedLots[position];
  let sum = 0;
  let steps = 0;
  for (let at = positions.orders[position]; at !== NONE && steps++ <= orders.rows.high; at = orders.older[at]) {
    if ((orders.flags[at] & FLAG_REDUCE_ONLY) === 0) continue;
    sum += orders.remaining[at];
    const sells = (orders.flags[at] & FLAG_SELL) !== 0;
    if (sells ? signedLots <= 0 : signedLots >= 0)
      return `${nameOf(state, position)}: order ${orders.id[at]} would add to a position of ${signedLots}`;
  }
  if (state.parameters[positions.market[position]]!.reduceOnlyResting !== REDUCE_ONLY_RESTING.trim) return undefined;
  if (sum > 0) near(tally, Math.abs(signedLots) - sum);
  if (sum > Math.abs(signedLots))
    return `${nameOf(state, position)}: reduce-only orders of ${sum} lots rest against a position of ${signedLots}`;
  return undefined;
}
