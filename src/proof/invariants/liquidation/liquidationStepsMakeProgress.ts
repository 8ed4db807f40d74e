import { LIQUIDATION_STAGE } from "../../../protocol/events.ts";
import { LIQUIDATION_STEP_KINDS } from "../../../protocol/liquidationStep.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";

/** The current liquidation step, whether it entered a stage, and whether it achieved anything. */
interface LiquidationStep {
  account: number;
  acted: boolean;
  entered: boolean;
}

export const liquidationStepsMakeProgress = defineInvariant<LiquidationStep>({
  id: "liquidationStepsMakeProgress",
  sentence:
    "The liquidation step of a margin account with open positions enters a stage. Without equity the step also closes lots, covers a deficit, or ends with the margin account recovered.",
  rules: ["LIQ", "LIQ-7"],
  catalogue: ["L03"],
  when: "transaction",
  kinds: LIQUIDATION_STEP_KINDS,
  start: () => ({ account: -1, acted: true, entered: true }),
  touched(moment, step) {
    step.account = -1;
    step.acted = true;
    step.entered = true;
    for (const event of moment.events) {
      switch (event.kind) {
        case "liquidationStarted":
        case "liquidationContinued":
          if (!step.acted || !step.entered) return `account ${step.account} had a liquidation step without effect`;
          moment.met++;
          step.account = event.account;
          // With equity left the step may find no order in the book within its limit, and waits.
          step.acted = event.equity > 0;
          // A margin account with nothing open has no maintenance margin.
          step.entered = event.maintenance === 0;
          break;
        case "fill":
        case "deleveraged":
        case "insuranceChanged":
        case "badDebtChanged":
        case "lossSocialized":
          step.acted = true;
          break;
        case "liquidationStage":
          if (event.stage !== LIQUIDATION_STAGE.open) step.acted = true;
          if (event.account === step.account) step.entered = true;
      }
    }
    return step.acted && step.entered ? undefined : `account ${step.account} had a liquidation step without effect`;
  },
});
