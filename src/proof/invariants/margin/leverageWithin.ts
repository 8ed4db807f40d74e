import { NONE } from "../../../ground/collections/table.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import { near } from "../machinery/tally.ts";

export const leverageWithin = defineInvariant({
  id: "leverageWithin",
  sentence: "A chosen leverage is a whole number and at most the leverage of the market's first tier.",
  rules: ["MRG-1"],
  when: "events",
  kinds: ["marginChanged"],
  slack: "times",
  event(moment, at) {
    const { data, state, ledger } = moment;
    const { account, market } = AT.marginChanged;
    const row = ledger.positionRows.find(data[at + account]!, data[at + market]!);
    const leverage = data[at + AT.marginChanged.leverage]!;
    // A leverage chosen earlier stays, even if the market changed since.
    if (row !== NONE && ledger.now.positions.leverage[row] === leverage) return undefined;
    moment.met++;
    const { initialRate } = state.parameters[data[at + AT.marginChanged.market]!]!.tiers[0]!;
    near(moment, Math.floor(1_000_000 / initialRate) - leverage);
    if (Number.isSafeInteger(leverage) && leverage >= 0 && leverage * initialRate <= 1_000_000) return undefined;
    return `account ${data[at + AT.marginChanged.account]} chose leverage ${leverage}`;
  },
});
