import { CLOSE_KIND, INSURANCE_CAUSE, LIQUIDATION_STAGE } from "../../../protocol/events.ts";
import { isLiquidationStep, LIQUIDATION_STEP_KINDS } from "../../../protocol/liquidationStep.ts";
import type { MarketParameters } from "../../../protocol/parameters.ts";
import { LIQUIDATION_POLICY } from "../../../protocol/words.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { afterRiskPass, type ReportedSteps } from "./afterRiskPass.ts";

const ENDED: ReadonlySet<number> = new Set([LIQUIDATION_STAGE.recovered, LIQUIDATION_STAGE.completed]);

export const solventPays = defineInvariant({
  id: "solventPays",
  sentence:
    "The liquidation of a margin account with positive equity costs no other account anything: no insurance, no deleveraging, no shared loss.",
  rules: ["LIQ-2", "LIQ-4", "LIQ-5", "LIQ-6"],
  catalogue: ["L05"],
  when: "transaction",
  kinds: LIQUIDATION_STEP_KINDS,
  sweepKinds: LIQUIDATION_STEP_KINDS,
  ...afterRiskPass(check),
});

function check(state: State, reported: ReportedSteps): string | undefined {
  const { events } = reported;
  for (const event of events) if (isLiquidationStep(event)) reported.met++;
  const lenient = state.parameters.map(paysForSolvent);
  const solvent = new Map<number, number>();
  let current = { account: -1, equity: 0 };
  for (const event of events) {
    if (isLiquidationStep(event)) {
      current = event;
      if (event.equity > 0) solvent.set(event.liquidation, event.equity);
    } else if (event.kind === "liquidationStage" && ENDED.has(event.stage)) {
      // Another margin account of the account may follow without an event if it is flat and in debt.
      current = { account: -1, equity: 0 };
    } else if (event.kind === "insuranceChanged" && event.account === current.account && current.equity > 0) {
      if (event.cause !== INSURANCE_CAUSE.cover && event.cause !== INSURANCE_CAUSE.deficit) continue;
      if (lenient[event.market] === true) continue;
      return `account ${event.account} had equity ${current.equity}, and insurance paid ${-event.delta}`;
    } else if (event.kind === "deleveraged" || event.kind === "lossSocialized") {
      const equity = solvent.get(event.liquidation);
      if (equity === undefined) continue;
      if (event.kind === "lossSocialized" ? lenient.includes(true) : lenient[event.market] === true) continue;
      if (event.kind === "deleveraged" && event.way === CLOSE_KIND.takeover) continue;
      const what =
        event.kind === "lossSocialized" || event.way === CLOSE_KIND.closeOut
          ? "a loss was shared"
          : "other accounts were closed";
      return `liquidation ${event.liquidation} began with equity ${equity}, and ${what}`;
    }
  }
  return undefined;
}

/** If the fund of a market acts before equity is gone, it may pay for solvent margin accounts. */
function paysForSolvent({ closeOut, liquidationPolicy }: MarketParameters): boolean {
  return closeOut > 0 || liquidationPolicy === LIQUIDATION_POLICY.dydx;
}
