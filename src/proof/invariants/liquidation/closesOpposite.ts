import { CLOSE_KIND } from "../../../protocol/events.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

export const closesOpposite = defineInvariant({
  id: "closesOpposite",
  sentence:
    "A position is closed only against an account on the opposite side, which neither grows nor reverses. Only a takeover moves a position to another account.",
  rules: ["LIQ-5", "LIQ-6"],
  catalogue: ["L10"],
  when: "events",
  kinds: ["deleveraged"],
  event(moment, at) {
    const { data, ledger } = moment;
    const { way, market, account, counterparty, size } = AT.deleveraged;
    const signedLotsOf = (who: number) => {
      const row = ledger.positionRows.find(who, data[at + market]!);
      return row < 0 ? 0 : ledger.now.positions.signedLots[row];
    };
    moment.met++;
    const lots = data[at + size]!;
    const own = signedLotsOf(data[at + account]!);
    if (lots <= 0 || Math.abs(own) < lots)
      return `account ${data[at + account]} holds ${own} lots, and ${lots} are closed`;
    if (data[at + way] === CLOSE_KIND.takeover) return undefined;
    const other = signedLotsOf(data[at + counterparty]!);
    if (other > 0 !== own > 0 && Math.abs(other) >= lots) return undefined;
    return `account ${data[at + counterparty]} holds ${other} lots, and ${lots} are closed against ${own}`;
  },
});
