import type { AccountRow, PositionRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { RowSet } from "../machinery/ledger/rowSet.ts";

export const onlyTheNamed = defineInvariant({
  id: "onlyTheNamed",
  sentence:
    "A risk pass changes money and positions only of liquidated accounts, of their counterparties, and of accounts that share a loss.",
  rules: ["LIQ"],
  catalogue: ["L12", "L11"],
  when: "transaction",
  moments: ["riskPassed"],
  skipsEmptySteps: true,
  start: () => new RowSet(),
  touched(moment, named) {
    named.clear();
    for (const event of moment.events) {
      switch (event.kind) {
        case "liquidationStarted":
        case "liquidationContinued":
        case "lossSocialized":
        case "backstopUnwound":
          named.add(event.account);
          break;
        case "deleveraged":
          named.add(event.account);
          named.add(event.counterparty);
          break;
        case "fill":
          named.add(event.makerAccount);
          named.add(event.takerAccount);
      }
    }
    const { ledger } = moment;
    for (let at = 0; at < ledger.accounts.count; at++) {
      const account = ledger.accounts.list[at]! as AccountRow;
      moment.met++;
      if (ledger.now.accounts.collateral[account] === ledger.was.accounts.collateral[account]) continue;
      if (!named.has(account))
        return `account ${account} has changed collateral after a risk pass that does not name it`;
    }
    for (let at = 0; at < ledger.positions.count; at++) {
      const row = ledger.positions.list[at]! as PositionRow;
      const { account, signedLots, isolated } = ledger.now.positions;
      const was = ledger.was.positions;
      if (signedLots[row] === was.signedLots[row] && isolated[row] === was.isolated[row]) continue;
      if (!named.has(account[row]))
        return `account ${account[row]} has a changed position after a risk pass that does not name it`;
    }
    return undefined;
  },
});
