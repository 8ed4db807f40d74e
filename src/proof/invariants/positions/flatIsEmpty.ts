import type { PositionRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";

export const flatIsEmpty = defineInvariant({
  id: "flatIsEmpty",
  sentence: "A flat position has no cost and no isolated collateral.",
  rules: ["POS-1", "MRG-2"],
  catalogue: ["P05"],
  when: "transaction",
  kinds: ["positionChanged", "isolatedMarginChanged", "marginChanged"],
  touched(moment) {
    const { ledger, step } = moment;
    const { signedLots, cost, isolated, account, market } = ledger.now.positions;
    for (let at = 0; at < ledger.positions.count; at++) {
      const row = ledger.positions.list[at]! as PositionRow;
      if (signedLots[row] !== 0) continue;
      moment.met++;
      if (cost[row] !== 0) return `account ${account[row]} is flat in market ${market[row]} at cost ${cost[row]}`;
      if (isolated[row] === 0 || step === "riskPassed") continue;
      return `account ${account[row]} is flat in market ${market[row]} and keeps ${isolated[row]} there`;
    }
    return undefined;
  },
});
