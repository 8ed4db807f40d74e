import { NONE } from "../../../ground/collections/table.ts";
import type { Transaction } from "../../../protocol/transaction.ts";
import { SELF_TRADE_SCOPE } from "../../../protocol/words.ts";
import { type AccountRow, getSelfTradeScope, type OrderRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import type { Moment } from "../machinery/moment.ts";
import { findEntered, findRested } from "./entered.ts";

export const noSelfTrade = defineInvariant({
  id: "noSelfTrade",
  sentence:
    "No account trades with itself. An account trades with subaccounts of its owner only if the order's scope is the account. Liquidations are excepted.",
  rules: ["ORD-3"],
  catalogue: ["B07"],
  when: "events",
  kinds: ["fill"],
  event(moment, at) {
    const { data, state, transaction } = moment;
    if (data[at + AT.fill.liquidation] !== 0) return undefined;
    moment.met++;
    const maker = data[at + AT.fill.makerAccount]! as AccountRow;
    const taker = data[at + AT.fill.takerAccount]! as AccountRow;
    const id = data[at + AT.fill.makerOrder]!;
    if (maker === taker) return `order ${id} traded with its own account ${maker}`;
    if (transaction === undefined) return undefined;
    const { owner } = state.accounts;
    if (owner[maker] !== owner[taker]) return undefined;
    if (scopeOf(moment, transaction, data[at + AT.fill.takerOrder]!) !== SELF_TRADE_SCOPE.owner) return undefined;
    return `order ${id} traded with another account of its owner, ${taker}`;
  },
});

/** Self-trade scope of the taker: from its transaction, or from its resting order if it is amended (ORD-4). */
function scopeOf(moment: Moment, { action }: Transaction, id: number): number {
  const entered = findEntered(moment, id);
  if (entered !== undefined) return entered.selfTradeScope;
  const row = action === "amendOrder" ? findRested(moment, id) : NONE;
  return row === NONE
    ? SELF_TRADE_SCOPE.account
    : getSelfTradeScope(moment.ledger.was.orders.selfTrade[row as OrderRow]);
}
