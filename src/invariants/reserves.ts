import { FLAG_REDUCE_ONLY, FLAG_SELL } from "../engine/state/schema.ts";
import { defineInvariant } from "./defineInvariant.ts";
import { listPositions, nameOf, ordersOf } from "./exact/walk.ts";

export const reserves = defineInvariant({
  id: "reserves",
  sentence: "What a position keeps as sums of its resting orders is what a walk over them adds up to.",
  rules: ["MRG-3"],
  catalogue: ["G12"],
  when: "block",
  sweep(state) {
    const { positions, orders } = state;
    for (const at of listPositions(state)) {
      const sums = { buys: 0n, sells: 0n, buyCharge: 0n, sellCharge: 0n, reduceOnly: 0n, orderCount: 0n };
      for (const order of ordersOf(state, at)) {
        const flags = orders.flags[order]!;
        const remaining = BigInt(orders.remaining[order]!);
        const charge = BigInt(orders.charge[order]!);
        sums.orderCount++;
        if ((flags & FLAG_REDUCE_ONLY) !== 0) {
          sums.reduceOnly += remaining;
          if (charge !== 0n) return `${nameOf(state, at)}: a reduce-only order is charged ${charge}`;
        } else if ((flags & FLAG_SELL) !== 0) {
          sums.sells += remaining;
          sums.sellCharge += charge;
        } else {
          sums.buys += remaining;
          sums.buyCharge += charge;
        }
      }
      for (const name of Object.keys(sums) as (keyof typeof sums)[]) {
        const stored = BigInt(positions[name][at]!);
        if (stored !== sums[name]) return `${nameOf(state, at)}: ${name} is ${stored}, orders add up to ${sums[name]}`;
      }
    }
    return undefined;
  },
});
