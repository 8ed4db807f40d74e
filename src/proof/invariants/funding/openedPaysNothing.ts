import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

export const openedPaysNothing = defineInvariant({
  id: "openedPaysNothing",
  sentence:
    "A position that opens or reverses starts at the market's funding index and owes nothing for the time before.",
  rules: ["FND-3"],
  catalogue: ["F06"],
  when: "events",
  kinds: ["positionChanged"],
  event(moment, at) {
    const { data, ledger } = moment;
    const { account, market, size, fundingHigh, fundingLow, fundingRemainder } = AT.positionChanged;
    const row = ledger.positionRows.find(data[at + account]!, data[at + market]!);
    const before: number = row < 0 ? 0 : ledger.now.positions.signedLots[row];
    const after = data[at + size]!;
    if (after === 0 || (before !== 0 && before > 0 === after > 0)) return undefined;
    moment.met++;
    const { markets } = ledger.now;
    const at0 = data[at + market]! as never;
    const same =
      data[at + fundingHigh] === markets.fundingHigh[at0] && data[at + fundingLow] === markets.fundingLow[at0];
    if (same && data[at + fundingRemainder] === 0) return undefined;
    return `account ${data[at + account]} opens a position that already owes funding`;
  },
});
