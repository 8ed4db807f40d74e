import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { ExactSum } from "../machinery/ledger/exactSum.ts";

/** Memory: a sum for each market, for sweeps. */
export const netZero = defineInvariant<ExactSum[]>({
  id: "netZero",
  sentence: "In every market the sizes of all positions add up to zero.",
  rules: ["POS-4"],
  catalogue: ["G02"],
  when: "transaction",
  skipsEmptySteps: true,
  start: (_state, spare = []) => spare,
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
  sweep(state, step, sums) {
    const { positions, markets } = state;
    const { high } = markets.rows;
    while (sums.length < high) sums.push(new ExactSum());
    for (let market = 0; market < high; market++) sums[market]!.clear();
    for (let row = 0 as never; row < positions.rows.high; row++) {
      if (positions.rows.isLive(row)) sums[positions.market[row]!]!.add(positions.signedLots[row]!);
    }
    step.met += high;
    for (let market = 0; market < high; market++) {
      if (!sums[market]!.isZero()) return `${state.marketNames[market]}: sizes add up to ${sums[market]!.value()} lots`;
    }
    return undefined;
  },
});
