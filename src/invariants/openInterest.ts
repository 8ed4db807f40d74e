import type { MarketRow } from "../engine/state/schema.ts";
import { defineInvariant } from "./defineInvariant.ts";
import { listMarkets, listPositions } from "./exact/walk.ts";

export const openInterest = defineInvariant({
  id: "openInterest",
  sentence: "In every market sizes net to zero, and the stored open interest is the sum of longs.",
  rules: ["POS-4", "ORD-5"],
  catalogue: ["G02", "G03"],
  when: "block",
  sweep(state) {
    const { positions, markets } = state;
    const longs = new Map<MarketRow, bigint>();
    const shorts = new Map<MarketRow, bigint>();
    for (const at of listPositions(state)) {
      const size = BigInt(positions.size[at]!);
      const side = size > 0n ? longs : shorts;
      side.set(positions.market[at]!, (side.get(positions.market[at]!) ?? 0n) + size);
    }
    for (const market of listMarkets(state)) {
      const long = longs.get(market) ?? 0n;
      const short = shorts.get(market) ?? 0n;
      const stored = BigInt(markets.openInterest[market]!);
      if (long !== -short || long !== stored) {
        return `${state.marketNames[market]}: long ${long}, short ${short}, stored ${stored}`;
      }
    }
    return undefined;
  },
});
