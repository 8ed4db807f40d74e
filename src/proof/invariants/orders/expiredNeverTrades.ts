import { NONE } from "../../../ground/collections/table.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

export const expiredNeverTrades = defineInvariant({
  id: "expiredNeverTrades",
  sentence: "No order trades after its last height or its last block time.",
  rules: ["ORD-2"],
  catalogue: ["B10"],
  when: "events",
  kinds: ["fill"],
  event(moment, at) {
    const { data, ledger, block } = moment;
    const id = data[at + AT.fill.makerOrder]!;
    const row = ledger.findOrder(id);
    if (row === NONE) return undefined;
    const height = ledger.now.orders.goodTilHeight[row];
    const time: number = ledger.now.orders.goodTilTime[row];
    if (height === 0 && time === 0) return undefined;
    moment.met++;
    if (height !== 0 && height < block.height)
      return `order ${id} was good until block ${height} and trades in ${block.height}`;
    return time !== 0 && time < block.timeMs
      ? `order ${id} was good until ${time} and trades at ${block.timeMs}`
      : undefined;
  },
});
