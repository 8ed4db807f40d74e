import { NONE } from "../../../ground/collections/table.ts";
import { getLastHeight, getLastTime } from "../../../venue/engine/book/extras.ts";
import type { OrderRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";

export const expiredAreGone = defineInvariant({
  id: "expiredAreGone",
  sentence:
    "After a block's expiries no order rests beyond its last height or block time, and no scheduled cancel is overdue.",
  rules: ["ORD-2", "BLK"],
  catalogue: ["B10"],
  when: "transaction",
  moments: ["expired"],
  touched(moment) {
    const { state, block } = moment;
    const { orders, accounts } = state;
    for (let row = 0 as OrderRow; row < orders.rows.high; row++) {
      if (!orders.rows.isLive(row) || orders.extra[row] === NONE) continue;
      const height = getLastHeight(state, row);
      const time: number = getLastTime(state, row);
      if (height === 0 && time === 0) continue;
      moment.met++;
      if (height !== 0 && height < block.height)
        return `order ${orders.id[row]} was good until block ${height} and rests`;
      if (time !== 0 && time < block.timeMs) return `order ${orders.id[row]} was good until ${time} and rests`;
    }
    for (let row = 0 as never; row < accounts.rows.high; row++) {
      const time: number = accounts.cancelTime[row];
      if (time !== 0 && time <= block.timeMs) return `account ${row} was to be cancelled at ${time}`;
    }
    return undefined;
  },
});
