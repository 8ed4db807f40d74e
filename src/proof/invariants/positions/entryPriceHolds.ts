import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

export const entryPriceHolds = defineInvariant({
  id: "entryPriceHolds",
  sentence: "A reduction keeps the entry price, to less than one quote unit of cost.",
  rules: ["POS-1", "POS-2"],
  catalogue: ["P03"],
  when: "events",
  kinds: ["positionChanged"],
  event(moment, at) {
    const { data, ledger } = moment;
    const { account, market, size, cost } = AT.positionChanged;
    const row = ledger.positionRows.find(data[at + account]!, data[at + market]!);
    if (row < 0) return undefined;
    const before: number = ledger.now.positions.signedLots[row];
    const after = data[at + size]!;
    if (before === 0 || after === 0 || after > 0 !== before > 0 || Math.abs(after) >= Math.abs(before))
      return undefined;
    moment.met++;
    const paid: number = ledger.now.positions.cost[row];
    // cost after / size after - cost before / size before, cross-multiplied: less than one unit of cost.
    const off = BigInt(data[at + cost]!) * BigInt(before) - BigInt(paid) * BigInt(after);
    const most = BigInt(Math.abs(before));
    if (off < most && off > -most) return undefined;
    return `account ${data[at + account]}: ${before} lots at ${paid} became ${after} at ${data[at + cost]}`;
  },
});
