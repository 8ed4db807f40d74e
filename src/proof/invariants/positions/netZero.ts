import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { ExactSum } from "../machinery/ledger/exactSum.ts";

export const netZero = defineInvariant({
  id: "netZero",
  sentence: "In every market the sizes of all positions add up to zero.",
  rules: ["POS-4"],
  catalogue: ["G02"],
  when: "transaction",
  touched(moment) {
    const { state, ledger } = moment;
    const { markets, nets } = ledger;
    for (let at = 0; at < markets.count; at++) {
      const market = markets.list[at]! as MarketRow;
      moment.met++;
      if (!nets[market]!.isZero()) return `${state.marketNames[market]}: sizes add up to ${nets[market]!.value()} lots`;
    }
    return undefined;
  },
  sweep(state, step) {
    const { positions, markets } = state;
    const sums = Array.from({ length: markets.rows.high }, () => new ExactSum());
    for (let row = 0 as never; row < positions.rows.high; row++) {
      if (positions.rows.isLive(row)) sums[positions.market[row]!]!.add(positions.signedLots[row]!);
    }
    step.met += sums.length;
    const market = sums.findIndex((sum) => !sum.isZero());
    return market < 0 ? undefined : `${state.marketNames[market]}: sizes add up to ${sums[market]!.value()} lots`;
  },
});
