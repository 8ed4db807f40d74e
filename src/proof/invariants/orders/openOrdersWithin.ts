import { ROLE } from "../../../protocol/words.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import { defineInvariant } from "../machinery/defineInvariant.ts";
import { AT } from "../machinery/ledger/fieldsOf.ts";
import { near } from "../machinery/tally.ts";
import { wasResting } from "./entered.ts";

export const openOrdersWithin = defineInvariant({
  id: "openOrdersWithin",
  sentence: "An order may rest only if its account stays within the market's limit of open orders.",
  rules: ["ORD-5"],
  when: "events",
  kinds: ["orderOpened"],
  slack: "orders",
  event(moment, at) {
    const { data, ledger, state } = moment;
    const account = data[at + AT.orderOpened.account]! as AccountRow;
    if (state.accounts.role[account] === ROLE.house) return undefined;
    // An amended order keeps its place among them, even if the limit was lowered since.
    if (wasResting(moment, data[at + AT.orderOpened.order]!)) return undefined;
    moment.met++;
    const market = data[at + AT.orderOpened.market]!;
    const row = ledger.positionRows.find(account, market);
    const count = row < 0 ? 0 : ledger.now.positions.orderCount[row];
    const most = state.parameters[market]!.openOrdersMax;
    near(moment, most - count - 1);
    return count < most
      ? undefined
      : `account ${account} opens an order while it has ${count}, at most ${most} are allowed`;
  },
});
