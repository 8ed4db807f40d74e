import { NONE } from "../../../ground/collections/table.ts";
import { LIQUIDATION_STEP_KINDS } from "../../../protocol/liquidationStep.ts";
import { ROLE } from "../../../protocol/words.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

export const ordersGoFirst = defineInvariant({
  id: "ordersGoFirst",
  sentence: "When a liquidation step begins, no resting order can add to the risk of the margin account's positions.",
  rules: ["LIQ-1"],
  catalogue: ["L04"],
  when: "events",
  kinds: LIQUIDATION_STEP_KINDS,
  event(moment, at) {
    const { data, ledger, state } = moment;
    const account = data[at + AT.liquidationStarted.account]! as AccountRow;
    if (state.accounts.role[account] !== ROLE.normal) return undefined;
    const marginAccount = data[at + AT.liquidationStarted.marginAccount]!;
    const { positions, accounts } = ledger.now;
    for (let row = accounts.position[account]; row !== NONE; row = positions.next[row]) {
      if (marginAccount >= 0 && positions.market[row] !== marginAccount) continue;
      moment.met++;
      const signedLots: number = positions.signedLots[row];
      const most = { buys: signedLots < 0 ? -signedLots : 0, sells: signedLots > 0 ? signedLots : 0 };
      for (const side of ["buys", "sells"] as const) {
        if (positions[side][row] > most[side])
          return `account ${account} is liquidated while ${positions[side][row]} lots of ${side} rest with a position of ${signedLots}`;
      }
    }
    return undefined;
  },
});
