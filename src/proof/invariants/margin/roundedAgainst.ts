import type { Lots } from "../../../ground/math/fixed.ts";
import type { PositionRow } from "../../../venue/engine/state/schema.ts";
import { computeMaintenance, computeMarkedValue, computeNotional } from "../../../venue/engine/valuation/notional.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { VALUE_SCALE } from "../machinery/exact/units.ts";

export const roundedAgainst = defineInvariant({
  id: "roundedAgainst",
  sentence: "A position's value is rounded down, its notional and its margin up, each by less than a unit.",
  rules: ["NUM-2", "MRG-1", "POS-3"],
  catalogue: ["M05", "G08"],
  when: "block",
  heavy: true,
  sweep(state, step) {
    const { positions, markets, parameters } = state;
    for (let at = 0 as PositionRow; at < positions.rows.high; at++) {
      if (!positions.rows.isLive(at) || positions.signedLots[at] === 0) continue;
      const market = positions.market[at];
      const rules = parameters[market]!;
      const signedLots = positions.signedLots[at];
      const mark = markets.mark[market];
      const exact = BigInt(signedLots) * BigInt(rules.lotSize) * BigInt(mark);
      // Beyond the storable range the arithmetic is different, see equityFromScratch.
      if (exact > VALUE_SCALE * 10n ** 15n || exact < -VALUE_SCALE * 10n ** 15n) continue;
      step.met++;
      const name = `account ${positions.account[at]} in ${state.marketNames[market]}`;
      const below = exact - BigInt(computeMarkedValue(rules, signedLots, mark)) * VALUE_SCALE;
      if (below < 0n || below >= VALUE_SCALE) return `${name}: valued off by ${below} of ${VALUE_SCALE}`;
      const notional = computeNotional(rules, Math.abs(signedLots) as Lots, mark);
      const above = BigInt(notional) * VALUE_SCALE - (exact < 0n ? -exact : exact);
      if (above < 0n || above >= VALUE_SCALE) return `${name}: notional is off by ${above} of ${VALUE_SCALE}`;
      if (computeMaintenance(rules, notional) < 0) return `${name}: maintenance is negative`;
    }
    return undefined;
  },
});
