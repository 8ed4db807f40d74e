import { FLAG_REDUCE_ONLY, FLAG_SELL } from "../engine/state/schema.ts";
import { defineInvariant } from "./defineInvariant.ts";
import { listPositions, nameOf, ordersOf } from "./exact/walk.ts";

export const reduceOnlyWithin = defineInvariant({
  id: "reduceOnlyWithin",
  sentence: "Resting reduce-only orders are on the closing side, and together no larger than the position.",
  rules: ["ORD-2"],
  catalogue: ["B09"],
  when: "block",
  sweep(state) {
    const { positions, orders } = state;
    for (const at of listPositions(state)) {
      const size = BigInt(positions.size[at]!);
      let sum = 0n;
      for (const order of ordersOf(state, at)) {
        if ((orders.flags[order]! & FLAG_REDUCE_ONLY) === 0) continue;
        sum += BigInt(orders.remaining[order]!);
        const sells = (orders.flags[order]! & FLAG_SELL) !== 0;
        if (sells ? size <= 0n : size >= 0n) {
          return `${nameOf(state, at)}: order ${orders.id[order]} would add to a position of ${size}`;
        }
      }
      const room = size < 0n ? -size : size;
      if (sum > room) return `${nameOf(state, at)}: ${sum} lots may reduce a position of ${size}`;
    }
    return undefined;
  },
});
