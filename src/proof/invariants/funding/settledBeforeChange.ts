import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

export const settledBeforeChange = defineInvariant({
  id: "settledBeforeChange",
  sentence: "Before a position's size changes, the old size has paid all funding up to the market's index.",
  rules: ["FND-3"],
  catalogue: ["F06"],
  when: "events",
  kinds: ["positionChanged"],
  event(moment, at) {
    const { data, ledger } = moment;
    const { account, market } = AT.positionChanged;
    const row = ledger.positionRows.find(data[at + account]!, data[at + market]!);
    if (row < 0 || ledger.now.positions.signedLots[row] === 0) return undefined;
    moment.met++;
    const { markets, positions } = ledger.now;
    const at0 = data[at + market]! as never;
    if (
      positions.fundingHigh[row] === markets.fundingHigh[at0] &&
      positions.fundingLow[row] === markets.fundingLow[at0]
    )
      return undefined;
    return `account ${data[at + account]} changes its position before funding is settled`;
  },
});
