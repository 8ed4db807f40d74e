import { LIQUIDATION_STAGE } from "../../../protocol/events.ts";
import { LIQUIDATION_STEP_KINDS } from "../../../protocol/liquidationStep.ts";
import { defineInvariant } from "../defineInvariant.ts";

/** The turn that is on, and whether anything came of it: a stage where something was open. */
interface LiquidationStep {
  account: number;
  acted: boolean;
  entered: boolean;
}

export const liquidationStepsMakeProgress = defineInvariant<LiquidationStep>({
  id: "liquidationStepsMakeProgress",
  sentence:
    "The turn of a margin account with something open enters a stage, and that of one without equity ends with something done: lots closed, a deficit covered, or the margin account recovered.",
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
          if (!step.acted || !step.entered) return `account ${step.account} had its turn and nothing came of it`;
          moment.met++;
          step.account = event.account;
          // With equity left it may find nobody in the book within its limit, and waits.
          step.acted = event.equity > 0;
          // Whoever has nothing open is asked for no maintenance.
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
    return step.acted && step.entered ? undefined : `account ${step.account} had its turn and nothing came of it`;
  },
});
