import { NONE } from "../../collections/table.ts";
import type { AccountRow, PositionRow } from "../../engine/state/schema.ts";
import { ROLE } from "../../protocol/words.ts";
import { defineInvariant } from "../defineInvariant.ts";
import type { Look } from "../look.ts";

export const positionWithin = defineInvariant({
  id: "positionWithin",
  sentence:
    "Trading that makes the positions of an owner's subaccounts together larger leaves them within the market's limit; liquidations and the house excepted.",
  rules: ["ORD-5"],
  when: "transaction",
  kinds: ["fill"],
  touched(look) {
    const { ledger, state } = look;
    if (look.step === "riskPassed") return undefined;
    const { account, market, size } = ledger.now.positions;
    for (let at = 0; at < ledger.positions.count; at++) {
      const row = ledger.positions.list[at]! as PositionRow;
      const was: number = ledger.was.positions.size[row];
      const now: number = size[row];
      if (Math.abs(now) <= Math.abs(was) || state.accounts.role[account[row]] === ROLE.house) continue;
      look.met++;
      const most: number = state.parameters[market[row]]!.positionLimitLots;
      const total = Math.abs(sumOf(look, row, now));
      if (total <= most || total <= Math.abs(sumOf(look, row, was))) continue;
      if (Math.abs(sumOf(look, row, now, true)) <= most) continue;
      return `account ${account[row]}: its owner's position rose to ${total} of ${most} lots`;
    }
    return undefined;
  },
});

/**
 * Lots of all subaccounts of an owner in a market, with `own` for the position itself.
 *
 * @param unreduced others that only became smaller count as they were: such fills break no cap, also where they take the
 * sum beyond it
 */
function sumOf({ ledger, state }: Look, row: PositionRow, own: number, unreduced = false): number {
  const { positions } = own === ledger.now.positions.size[row] ? ledger.now : ledger.was;
  const { accounts, owners } = state;
  const self = positions.account[row];
  let total = own;
  for (let at: AccountRow = owners.account[accounts.owner[self]]; at !== NONE; at = accounts.ownerNext[at]) {
    if (at === self) continue;
    const other = ledger.positionRows.find(at, positions.market[row]);
    if (other === NONE) continue;
    const size: number = positions.size[other];
    const was: number = ledger.was.positions.size[other];
    const reduced = Math.abs(size) < Math.abs(was) && (size === 0 || size > 0 === was > 0);
    total += unreduced && reduced ? was : size;
  }
  return total;
}
