import { NONE } from "../../../ground/collections/table.ts";
import { ROLE } from "../../../protocol/words.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import type { Moment } from "../machinery/moment.ts";
import { near } from "../machinery/tally.ts";

export const positionWithin = defineInvariant({
  id: "positionWithin",
  sentence:
    "A fill that raises an owner's total position over all subaccounts keeps it within the market's limit, except in liquidations and for house accounts.",
  rules: ["ORD-5"],
  when: "events",
  kinds: ["fill"],
  slack: "lots",
  event(moment, at) {
    const { data, state } = moment;
    const { fill } = AT;
    if (moment.step === "riskPassed" || data[at + fill.liquidation] !== 0) return undefined;
    const market = data[at + fill.market]! as MarketRow;
    const maker = data[at + fill.makerAccount]! as AccountRow;
    const taker = data[at + fill.takerAccount]! as AccountRow;
    const { owner } = state.accounts;
    if (owner[maker] === owner[taker]) return undefined;
    const lots = data[at + fill.size]!;
    const bought = data[at + fill.takerSide] === 0 ? lots : -lots;
    return checkSide(moment, taker, market, bought) ?? checkSide(moment, maker, market, -bought);
  },
});

/** @param lots of the fill, positive for a purchase; the ledger is in the state before it */
function checkSide(moment: Moment, account: AccountRow, market: MarketRow, lots: number): string | undefined {
  const { state } = moment;
  if (state.accounts.role[account] === ROLE.house) return undefined;
  moment.met++;
  const most: number = state.parameters[market]!.positionLimitLots;
  const { accounts, owners } = state;
  let total = lots;
  for (let at: AccountRow = owners.account[accounts.owner[account]]; at !== NONE; at = accounts.ownerNext[at])
    total += signedLotsOf(moment, at, market);
  // If the total was on the other side of zero, the fill reduces it.
  const side = lots > 0 ? total : -total;
  near(moment, most - side);
  if (side <= most) return undefined;
  return `account ${account}: its owner's position rose to ${Math.abs(total)} of ${most} lots`;
}

function signedLotsOf({ ledger }: Moment, account: AccountRow, market: MarketRow): number {
  const row = ledger.positionRows.find(account, market);
  return row === NONE ? 0 : ledger.now.positions.signedLots[row];
}
