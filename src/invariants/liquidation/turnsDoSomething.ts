import { LIQUIDATION_STAGE } from "../../protocol/events.ts";
import { LIQUIDATION_STEP_KINDS } from "../../protocol/liquidationStep.ts";
import { defineInvariant } from "../defineInvariant.ts";

/** The turn that is on, and whether anything came of it: a stage where something was open. */
interface Turn {
  account: number;
  acted: boolean;
  entered: boolean;
}

export const turnsDoSomething = defineInvariant<Turn>({
  id: "turnsDoSomething",
  sentence:
    "The turn of a margin account with something open enters a stage, and that of one without equity ends with something done: lots closed, a deficit covered, or the margin account recovered.",
  rules: ["LIQ", "LIQ-7"],
  catalogue: ["L03"],
  when: "transaction",
  kinds: LIQUIDATION_STEP_KINDS,
  start: () => ({ account: -1, acted: true, entered: true }),
  touched(moment, turn) {
    turn.account = -1;
    turn.acted = true;
    turn.entered = true;
    for (const event of moment.events) {
      switch (event.kind) {
        case "liquidationStarted":
        case "liquidationContinued":
          if (!turn.acted || !turn.entered) return `account ${turn.account} had its turn and nothing came of it`;
          moment.met++;
          turn.account = event.account;
          // With equity left it may find nobody in the book within its limit, and waits.
          turn.acted = event.equity > 0;
          // Whoever has nothing open is asked for no maintenance.
          turn.entered = event.maintenance === 0;
          break;
        case "fill":
        case "deleveraged":
        case "insuranceChanged":
        case "badDebtChanged":
        case "lossSocialized":
          turn.acted = true;
          break;
        case "liquidationStage":
          if (event.stage !== LIQUIDATION_STAGE.open) turn.acted = true;
          if (event.account === turn.account) turn.entered = true;
      }
    }
    return turn.acted && turn.entered ? undefined : `account ${turn.account} had its turn and nothing came of it`;
  },
});
