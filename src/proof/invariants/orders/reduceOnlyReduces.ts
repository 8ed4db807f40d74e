import { NONE } from "../../../ground/collections/table.ts";
import { FLAG_REDUCE_ONLY } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import type { Moment } from "../machinery/moment.ts";
import { findEntered } from "./entered.ts";

export const reduceOnlyReduces = defineInvariant({
  id: "reduceOnlyReduces",
  sentence: "A fill of a reduce-only order reduces the position and never reverses it.",
  rules: ["ORD-2"],
  catalogue: ["B09"],
  when: "events",
  kinds: ["fill"],
  event(moment, at) {
    const { data, ledger } = moment;
    const lots = data[at + AT.fill.size]!;
    const signedLots = data[at + AT.fill.takerSide] === 0 ? lots : -lots;
    const market = data[at + AT.fill.market]!;
    const id = data[at + AT.fill.makerOrder]!;
    const maker = ledger.findOrder(id);
    if (maker !== NONE && (ledger.now.orders.flags[maker] & FLAG_REDUCE_ONLY) !== 0) {
      const found = check(moment, id, data[at + AT.fill.makerAccount]!, market, -signedLots);
      if (found !== undefined) return found;
    }
    const taker = data[at + AT.fill.takerOrder]!;
    if (findEntered(moment, taker)?.reduceOnly !== true) return undefined;
    return check(moment, taker, data[at + AT.fill.takerAccount]!, market, signedLots);
  },
});

function check(moment: Moment, id: number, account: number, market: number, lots: number): string | undefined {
  moment.met++;
  const row = moment.ledger.positionRows.find(account, market);
  const held = row === NONE ? 0 : moment.ledger.now.positions.signedLots[row];
  if (lots > 0 ? held <= -lots : held >= -lots) return undefined;
  return `order ${id} is reduce-only and trades ${lots} lots with a position of ${held}`;
}
