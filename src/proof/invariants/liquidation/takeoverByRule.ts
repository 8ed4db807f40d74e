import { PPM } from "../../../ground/math/fixed.ts";
import { CLOSE_KIND, type EventOf } from "../../../protocol/events.ts";
import { isLiquidationStep, type LiquidationStepEvent } from "../../../protocol/liquidationStep.ts";
import { LIQUIDATION_POLICY, ROLE } from "../../../protocol/words.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { exactValue } from "../machinery/exact/health.ts";
import { near } from "../machinery/tally.ts";
import { afterRiskPass, type ReportedSteps } from "./afterRiskPass.ts";

/** Quote units that rounding of earlier fills of the same step may have cost, times the cross-multiplied factors. */
const ROUNDING = 100;

/** Quote units by which rounding may separate a slice at the bankruptcy price from a slice at the oracle price. */
const SLICE = 3n;

export const takeoverByRule = defineInvariant({
  id: "takeoverByRule",
  sentence:
    "Only backstops take positions over. The margin account's equity is positive and below two thirds of maintenance. The price is beyond the oracle price by at most the market's bound.",
  rules: ["LIQ-3"],
  catalogue: ["L09"],
  when: "transaction",
  kinds: ["deleveraged"],
  sweepKinds: ["deleveraged"],
  slack: "quote units",
  ...afterRiskPass(check),
});

function check(state: State, reported: ReportedSteps): string | undefined {
  const { events } = reported;
  for (const { kind } of events) if (kind === "deleveraged") reported.met++;
  const started = new Map<number, LiquidationStepEvent>();
  for (const event of events) {
    if (isLiquidationStep(event)) started.set(event.liquidation, event);
    if (event.kind !== "deleveraged" || event.way !== CLOSE_KIND.takeover) continue;
    if (state.accounts.role[event.counterparty as AccountRow] !== ROLE.backstop) {
      return `account ${event.counterparty} is not a backstop and took over ${event.size} lots`;
    }
    const { equity, maintenance } = started.get(event.liquidation)!;
    // Binance's fund takes over at any equity.
    const takesAll = state.parameters[event.market]!.liquidationPolicy === LIQUIDATION_POLICY.binance;
    if (!takesAll) near(reported, Math.min(equity - 1, Math.floor((maintenance * 2 + ROUNDING - 1 - equity * 3) / 3)));
    if (!takesAll && (equity <= 0 || equity * 3 >= maintenance * 2 + ROUNDING)) {
      return `liquidation ${event.liquidation} had equity ${equity} and maintenance ${maintenance}, and ${event.size} lots were taken over`;
    }
    if (equity > 0 && isBeyondOracle(state, event)) {
      return `liquidation ${event.liquidation}: ${event.size} lots were taken over for ${event.value}, beyond the oracle price`;
    }
  }
  return undefined;
}

/** Whether lots cost more than the oracle price allows. While equity is left, the sign of `value` is the side. */
function isBeyondOracle(state: State, { market, size, value }: EventOf<"deleveraged">): boolean {
  const rules = state.parameters[market]!;
  const oracle = BigInt(state.markets.oracle[market as MarketRow]);
  if (oracle === 0n) return false;
  const worth = exactValue(rules, BigInt(value > 0 ? size : -size), oracle);
  const allowed = ((worth < 0n ? -worth : worth) + SLICE) * BigInt(rules.takeoverDistance);
  return (BigInt(value) - worth - SLICE) * BigInt(PPM) > allowed;
}
