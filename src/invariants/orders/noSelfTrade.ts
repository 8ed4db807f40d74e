import type { AccountRow } from "../../engine/state/schema.ts";
import type { Payloads } from "../../protocol/actions/index.ts";
import { SELF_TRADE_SCOPE } from "../../protocol/words.ts";
import { defineInvariant } from "../defineInvariant.ts";
import { AT } from "../ledger/fieldsOf.ts";

export const noSelfTrade = defineInvariant({
  id: "noSelfTrade",
  sentence:
    "Nobody trades with itself, and with subaccounts of its owner only where the order's scope is the account; liquidations excepted.",
  rules: ["ORD-3"],
  catalogue: ["B07"],
  when: "events",
  kinds: ["fill"],
  event(look, at) {
    const { data, state, transaction } = look;
    if (data[at + AT.fill.liquidation] !== 0) return undefined;
    look.met++;
    const maker = data[at + AT.fill.makerAccount]! as AccountRow;
    const taker = data[at + AT.fill.takerAccount]! as AccountRow;
    const id = data[at + AT.fill.makerOrder]!;
    if (maker === taker) return `order ${id} traded with its own account ${maker}`;
    if (transaction?.action !== "placeOrder") return undefined;
    const { selfTradeScope } = transaction.payload as Payloads["placeOrder"];
    const { owner } = state.accounts;
    if (selfTradeScope !== SELF_TRADE_SCOPE.owner || owner[maker] !== owner[taker]) return undefined;
    return `order ${id} traded with another account of its owner, ${taker}`;
  },
});
