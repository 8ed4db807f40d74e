import type { MarketParameters } from "../../../protocol/parameters.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";

export const tiersAreSound = defineInvariant({
  id: "tiersAreSound",
  sentence:
    "Every tier has 0 < maintenance rate < initial rate <= 1. Notional and rates increase from tier to tier, and the first tier begins at 0.",
  rules: ["MRG-1"],
  catalogue: ["M04"],
  when: "transaction",
  kinds: ["marketCreated", "marketChanged"],
  touched(moment) {
    const { state, ledger } = moment;
    for (let at = 0; at < ledger.markets.count; at++) {
      const market = ledger.markets.list[at]! as MarketRow;
      moment.met++;
      const fault = checkTiers(state.parameters[market]!);
      if (fault !== undefined) return `market ${market}: ${fault}`;
    }
    return undefined;
  },
});

function checkTiers({ tiers }: MarketParameters): string | undefined {
  if (tiers.length === 0 || tiers[0]!.from !== 0) return "the first tier does not begin at 0";
  for (const [place, { from, initialRate, maintenanceRate }] of tiers.entries()) {
    const name = `tier ${place + 1}`;
    if (!(maintenanceRate > 0 && maintenanceRate < initialRate && initialRate <= 1_000_000))
      return `${name} has the rates ${initialRate} and ${maintenanceRate}`;
    const before = tiers[place - 1];
    if (before === undefined) continue;
    if (!(from > before.from)) return `${name} begins at ${from}, the one before at ${before.from}`;
    if (!(initialRate > before.initialRate && maintenanceRate > before.maintenanceRate))
      return `${name} has no greater rates than the one before`;
  }
  return undefined;
}
