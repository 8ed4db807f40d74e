import { NONE } from "../../../ground/collections/table.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { asIndex, joined } from "../machinery/exact/health.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

export const fundingSign = defineInvariant({
  id: "fundingSign",
  sentence: "If the funding index rose, longs pay and shorts receive; if it fell, shorts pay.",
  rules: ["FND-3"],
  catalogue: ["F03"],
  when: "events",
  kinds: ["fundingSettled"],
  event(moment, at) {
    const { data, ledger } = moment;
    const { account, market, payment, fundingHigh, fundingLow } = AT.fundingSettled;
    const row = ledger.positionRows.find(data[at + account]!, data[at + market]!);
    const signedLots = row === NONE ? 0 : ledger.now.positions.signedLots[row];
    if (signedLots === 0) return `account ${data[at + account]} settles without a position`;
    moment.met++;
    const { positions } = ledger.now;
    const then = joined(positions.fundingHigh[row], positions.fundingLow[row]);
    const rose = asIndex(joined(data[at + fundingHigh]!, data[at + fundingLow]!) - then) > 0n;
    const paid = data[at + payment]!;
    if (paid === 0 || (rose === signedLots > 0) === paid > 0) return undefined;
    return `account ${data[at + account]} holds ${signedLots} lots, the index ${rose ? "rose" : "fell"}, and it pays ${paid}`;
  },
});
