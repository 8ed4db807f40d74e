import { NONE } from "../../../ground/collections/table.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

export const modeChangeIsClean = defineInvariant({
  id: "modeChangeIsClean",
  sentence: "A position changes between cross and isolated margin only while none of its orders rests.",
  rules: ["MRG-2"],
  when: "events",
  kinds: ["marginChanged"],
  event(moment, at) {
    const { data, ledger } = moment;
    const account = data[at + AT.marginChanged.account]!;
    const row = ledger.positionRows.find(account, data[at + AT.marginChanged.market]!);
    if (row === NONE || ledger.now.positions.mode[row] === data[at + AT.marginChanged.mode]) return undefined;
    moment.met++;
    const orders = ledger.now.positions.orderCount[row];
    return orders === 0 ? undefined : `account ${account} changed its margin mode with ${orders} resting orders`;
  },
});
