import { type Amount, LIMIT } from "../../../ground/math/fixed.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { INITIAL_MARGIN_METHOD } from "../../../protocol/words.ts";
import type { MarketRow } from "../../../venue/engine/state/schema.ts";
import { computeInitial, computeMaintenance } from "../../../venue/engine/valuation/notional.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { type ExactTier, listExactTiers, marginByTiers } from "../machinery/exact/health.ts";

/** Distance from an edge, quote units. */
const STEPS = [-1, 0, 1];

export const tierEdges = defineInvariant({
  id: "tierEdges",
  sentence:
    "At the bound of every tier both margins equal the table to the unit, and maintenance is below initial margin. Both rise with notional without jumps, except initial margin of a stepped market above a bound.",
  rules: ["MRG-1", "NUM-2"],
  catalogue: ["M08", "M04"],
  when: "transaction",
  kinds: ["marketCreated", "marketChanged"],
  touched(moment) {
    const { state, ledger } = moment;
    for (let at = 0; at < ledger.markets.count; at++) {
      const market = ledger.markets.list[at]! as MarketRow;
      const rules = state.parameters[market]!;
      const exact = {
        maintenance: listExactTiers(rules, "maintenanceRate"),
        initial: listExactTiers(rules, "initialRate"),
      };
      for (const tier of rules.tiers) {
        moment.met++;
        const fault = checkEdge(rules, exact, tier.from);
        if (fault !== undefined) return `market ${market}: ${fault}`;
      }
    }
    return undefined;
  },
});

/** Tiers of both margins. */
interface ExactTiers {
  readonly maintenance: readonly ExactTier[];
  readonly initial: readonly ExactTier[];
}

function checkEdge(rules: MarketParameters, exact: ExactTiers, from: number): string | undefined {
  const stepped = rules.initialMarginMethod === INITIAL_MARGIN_METHOD.stepped;
  let before = { maintenance: -1, initial: -1 };
  for (const step of STEPS) {
    const notional = (from + step) as Amount;
    if (notional < 0 || notional > LIMIT) continue;
    const maintenance: number = computeMaintenance(rules, notional);
    const initial: number = computeInitial(rules, notional, 0, 0);
    const exactMaintenance = marginByTiers(exact.maintenance, BigInt(notional));
    if (BigInt(maintenance) !== exactMaintenance)
      return `maintenance of ${notional} is ${maintenance}, by the table ${exactMaintenance}`;
    const exactInitial = marginByTiers(exact.initial, BigInt(notional));
    if (BigInt(initial) !== exactInitial)
      return `the initial margin of ${notional} is ${initial}, by the table ${exactInitial}`;
    if (before.maintenance >= 0) {
      const grown = [maintenance - before.maintenance, initial - before.initial];
      const jumps = stepped && rules.tiers.some((tier) => tier.from > 0 && tier.from === notional - 1);
      if (Math.min(...grown) < 0 || grown[0]! > 2 || (grown[1]! > 2 && !jumps))
        return `margins of ${notional} move by ${grown.join(" and ")}`;
    }
    if (from > 0 && step >= 0 && maintenance >= initial)
      return `maintenance margin of ${notional} is ${maintenance}, initial margin ${initial}`;
    before = { maintenance, initial };
  }
  return undefined;
}
