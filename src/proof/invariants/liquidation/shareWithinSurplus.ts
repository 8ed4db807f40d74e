import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import { marginAccountsOf } from "../../../venue/engine/state/walk.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { exactHealth } from "../machinery/exact/health.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import { near } from "../machinery/tally.ts";

export const shareWithinSurplus = defineInvariant({
  id: "shareWithinSurplus",
  sentence: "An account's share of a loss is at most its margin account's surplus above maintenance.",
  rules: ["LIQ-6"],
  catalogue: ["L11"],
  when: "events",
  kinds: ["lossSocialized"],
  slack: "quote units",
  event(moment, at) {
    const { data, ledger, state } = moment;
    moment.met++;
    const account = data[at + AT.lossSocialized.account]! as AccountRow;
    const amount = BigInt(data[at + AT.lossSocialized.amount]!);
    const { accounts, positions, markets } = ledger.now;
    const view = { accounts, positions, markets, parameters: state.parameters };
    let most = 0n;
    for (const marginAccount of marginAccountsOf(view, account)) {
      const { equity, maintenance } = exactHealth(view, account, marginAccount);
      if (equity - maintenance > most) most = equity - maintenance;
    }
    near(moment, most - amount);
    return amount > 0n && amount <= most
      ? undefined
      : `account ${account} pays ${amount} of a loss and has ${most} to spare`;
  },
});
