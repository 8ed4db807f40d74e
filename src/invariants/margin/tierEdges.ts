import { computeInitial, computeMaintenance } from "../../engine/margin/notional.ts";
import type { MarketRow } from "../../engine/state/schema.ts";
import type { Amount } from "../../math/fixed.ts";
import type { MarketParameters } from "../../protocol/parameters.ts";
import { defineInvariant } from "../defineInvariant.ts";
import { exactInitial, exactMaintenance } from "../exact/health.ts";

/** Around an edge, quote units. */
const STEPS = [-1, 0, 1];

export const tierEdges = defineInvariant({
  id: "tierEdges",
  sentence:
    "Around the edge of every tier requirements are those of the table to the unit, do not fall as notional grows, and do not jump.",
  rules: ["MRG-1", "NUM-2"],
  catalogue: ["M08", "M04"],
  when: "transaction",
  kinds: ["marketCreated", "marketChanged"],
  touched(look) {
    const { state, ledger } = look;
    for (let at = 0; at < ledger.markets.count; at++) {
      const market = ledger.markets.list[at]! as MarketRow;
      for (const tier of state.parameters[market]!.tiers) {
        look.met++;
        const fault = checkEdge(state.parameters[market]!, tier.from);
        if (fault !== undefined) return `market ${market}: ${fault}`;
      }
    }
    return undefined;
  },
});

function checkEdge(rules: MarketParameters, from: number): string | undefined {
  let before = { maintenance: -1, initial: -1 };
  for (const step of STEPS) {
    const notional = (from + step) as Amount;
    if (notional < 0) continue;
    const maintenance: number = computeMaintenance(rules, notional);
    const initial: number = computeInitial(rules, notional, 0, 0);
    if (BigInt(maintenance) !== exactMaintenance(rules, BigInt(notional)))
      return `maintenance of ${notional} is ${maintenance}, by the table ${exactMaintenance(rules, BigInt(notional))}`;
    if (BigInt(initial) !== exactInitial(rules, BigInt(notional), 0n))
      return `the initial requirement of ${notional} is ${initial}, by the table ${exactInitial(rules, BigInt(notional), 0n)}`;
    if (before.maintenance >= 0) {
      const grown = [maintenance - before.maintenance, initial - before.initial];
      if (grown.some((by) => by < 0 || by > 2)) return `requirements of ${notional} move by ${grown.join(" and ")}`;
    }
    before = { maintenance, initial };
  }
  return undefined;
}
