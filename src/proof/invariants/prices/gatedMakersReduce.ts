import { MARK_METHOD, MARKET_STATUS, ROLE } from "../../../protocol/words.ts";
import type { AccountRow, MarketRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";

export const gatedMakersReduce = defineInvariant({
  id: "gatedMakersReduce",
  sentence:
    "In a reduce-only market, and while the index catches up with the oracle, a user's fill only reduces the maker's position.",
  rules: ["ORD-5", "MKT", "PRC-2"],
  when: "events",
  kinds: ["fill"],
  event(moment, at) {
    const { data, ledger, state } = moment;
    const { fill } = AT;
    const market = data[at + fill.market]! as MarketRow;
    const [maker, taker] = [data[at + fill.makerAccount]!, data[at + fill.takerAccount]!] as AccountRow[];
    if (data[at + fill.liquidation] !== 0 || !isGated(state, market)) return undefined;
    if (isHouse(state, maker!) || isHouse(state, taker!)) return undefined;
    moment.met++;
    const row = ledger.positionRows.find(maker!, market);
    const signedLots: number = row < 0 ? 0 : ledger.now.positions.signedLots[row]!;
    const lots = data[at + fill.size]!;
    const closing = data[at + fill.takerSide] === 0 ? signedLots : -signedLots;
    return lots <= closing
      ? undefined
      : `account ${maker} with ${signedLots} lots is the maker of ${lots} lots in market ${market}`;
  },
});

/** Whether a market's makers may only reduce (ORD-5). */
export function isGated({ parameters, markets }: State, market: MarketRow): boolean {
  const { status, markMethod } = parameters[market]!;
  if (status === MARKET_STATUS.reduceOnly) return true;
  return markMethod !== MARK_METHOD.reported && markets.oracle[market] !== markets.index[market];
}

function isHouse({ accounts }: State, account: AccountRow): boolean {
  return accounts.role[account] === ROLE.house;
}
