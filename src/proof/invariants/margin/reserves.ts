import { NONE } from "../../../ground/collections/table.ts";
import { FLAG_REDUCE_ONLY, FLAG_SELL, type PositionRow, type Positions } from "../../../venue/engine/state/schema.ts";
import { getPosition, type State } from "../../../venue/engine/state/state.ts";
import { nameOf } from "../../../venue/engine/state/walk.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";

type Name = "buys" | "sells" | "buyOrderCost" | "sellOrderCost" | "reduceOnly" | "orderCount";
type Sums = Record<Name, number>;

export const reserves = defineInvariant<Sums>({
  id: "reserves",
  sentence: "A position's sums over its resting orders equal the result of a walk over those orders.",
  rules: ["MRG-3"],
  catalogue: ["G12"],
  when: "transaction",
  skipsEmptySteps: true,
  start: () => ({ buys: 0, sells: 0, buyOrderCost: 0, sellOrderCost: 0, reduceOnly: 0, orderCount: 0 }),
  touched(moment, sums) {
    const { state, ledger } = moment;
    const { account, market } = ledger.now.positions;
    for (let at = 0; at < ledger.positions.count; at++) {
      const row = ledger.positions.list[at]! as PositionRow;
      const position = getPosition(state, account[row], market[row]);
      if (position === NONE) continue;
      if (state.positions.orderCount[position] !== 0) moment.met++;
      const fault = checkPosition(state, position, sums);
      if (fault !== undefined) return fault;
    }
    return undefined;
  },
  sweep(state, step, sums) {
    const { positions } = state;
    for (let row = 0 as PositionRow; row < positions.rows.high; row++) {
      if (!positions.rows.isLive(row)) continue;
      step.met++;
      const fault = checkPosition(state, row, sums);
      if (fault !== undefined) return fault;
    }
    return undefined;
  },
});

/** Sums of one position's lots and order costs are storable themselves (NUM-3). */
function checkPosition(state: State, position: PositionRow, sums: Sums): string | undefined {
  const { positions, orders } = state;
  sums.buys = sums.sells = sums.buyOrderCost = sums.sellOrderCost = sums.reduceOnly = sums.orderCount = 0;
  for (let at = positions.orders[position]; at !== NONE; at = orders.older[at]) {
    if (++sums.orderCount > orders.rows.high) return `${nameOf(state, position)}: its orders are listed in a ring`;
    const remaining: number = orders.remaining[at];
    const orderCost: number = orders.orderCost[at];
    if ((orders.flags[at] & FLAG_REDUCE_ONLY) !== 0) {
      sums.reduceOnly += remaining;
      if (orderCost !== 0) return `${nameOf(state, position)}: a reduce-only order has the order cost ${orderCost}`;
    } else if ((orders.flags[at] & FLAG_SELL) !== 0) {
      sums.sells += remaining;
      sums.sellOrderCost += orderCost;
    } else {
      sums.buys += remaining;
      sums.buyOrderCost += orderCost;
    }
  }
  const name = findUnequal(positions, position, sums);
  if (name === undefined) return undefined;
  return `${nameOf(state, position)}: ${name} is ${positions[name][position]}, orders add up to ${sums[name]}`;
}

/** Reads each column by a fixed name: access by a variable name costs more than the walk. */
function findUnequal(positions: Positions, position: PositionRow, sums: Sums): Name | undefined {
  if (positions.buys[position] !== sums.buys) return "buys";
  if (positions.sells[position] !== sums.sells) return "sells";
  if (positions.buyOrderCost[position] !== sums.buyOrderCost) return "buyOrderCost";
  if (positions.sellOrderCost[position] !== sums.sellOrderCost) return "sellOrderCost";
  if (positions.reduceOnly[position] !== sums.reduceOnly) return "reduceOnly";
  return positions.orderCount[position] === sums.orderCount ? undefined : "orderCount";
}
