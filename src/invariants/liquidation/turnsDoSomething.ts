import { LIQUIDATION_STAGE } from "../../protocol/events.ts";
import { defineInvariant } from "../defineInvariant.ts";

/** The turn that is on, and whether anything came of it. */
interface Turn {
  account: number;
  acted: boolean;
}

export const turnsDoSomething = defineInvariant<Turn>({
  id: "turnsDoSomething",
  sentence:
    "The turn of a bucket without equity ends with something done: lots closed, a deficit covered, or the bucket recovered.",
  rules: ["LIQ", "LIQ-7"],
  catalogue: ["L03"],
  when: "transaction",
  kinds: ["liquidationStarted"],
  start: () => ({ account: -1, acted: true }),
  touched(look, turn) {
    turn.account = -1;
    turn.acted = true;
    for (const event of look.events) {
      switch (event.kind) {
        case "liquidationStarted":
          if (!turn.acted) return `account ${turn.account} had its turn and nothing came of it`;
          look.met++;
          turn.account = event.account;
          // With equity left it may find nobody in the book within its limit, and waits.
          turn.acted = event.equity > 0;
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
      }
    }
    return turn.acted ? undefined : `account ${turn.account} had its turn and nothing came of it`;
  },
});
