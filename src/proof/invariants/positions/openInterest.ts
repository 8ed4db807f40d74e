import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { ExactSum } from "../machinery/ledger/exactSum.ts";

export const openInterest = defineInvariant({
  id: "openInterest",
  sentence: "In every market the stored open interest is the sum of longs.",
  rules: ["ORD-5", "POS-4"],
  catalogue: ["G03"],
  when: "transaction",
  skipsEmptySteps: true,
  touched(moment) {
    const { state, ledger } = moment;
    const { markets, longs } = ledger;
    for (let at = 0; at < markets.count; at++) {
      const market = markets.list[at]! as MarketRow;
      moment.met++;
      const stored = state.markets.openInterest[market];
      const { high, low } = longs[market]!;
      if (high === 0 && low === stored) continue;
      if (longs[market]!.value() !== BigInt(stored))
        return `${state.marketNames[market]}: open interest is ${stored}, longs are ${longs[market]!.value()}`;
    }
    return undefined;
  },
  sweep(state, step) {
    const { positions, markets } = state;
    for (let market = 0 as MarketRow; market < markets.rows.high; market++) {
      step.met++;
      const longs = new ExactSum();
      for (let row = 0 as never; row < positions.rows.high; row++) {
        if (positions.market[row] !== market || !positions.rows.isLive(row)) continue;
        if (positions.signedLots[row]! > 0) longs.add(positions.signedLots[row]!);
      }
      const stored = markets.openInterest[market];
      if (longs.value() !== BigInt(stored))
        return `${state.marketNames[market]}: open interest is ${stored}, longs are ${longs.value()}`;
    }
    return undefined;
  },
});
