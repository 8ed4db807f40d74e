import { findAccount } from "../accounts.ts";
import { type DemandOf, NO_MARKETS, OWNER } from "../authorization/demand.ts";
import { freeOf, measure } from "../margin/health.ts";
import { checkLeaving, isTrustedToLeave } from "../margin/outflow.ts";
import { APPLIED, refuse, rejected } from "../receipts.ts";
import { canHold, openAccount } from "./credit.ts";
import { actingAccount, type Handler, type ModelAction } from "./handler.ts";

const demand: DemandOf<"transfer"> = ({ to, toSubaccount }, _state, account) =>
  to === account.owner ? { scope: "transfer", markets: NO_MARKETS, subaccount: toSubaccount } : OWNER;

/** Moves free collateral to another account, and creates that account if it is missing (MRG-5, ACC). */
const apply: Handler<"transfer"> = (state, context, payload) => {
  const from = actingAccount(context);
  const amount = BigInt(payload.amount);
  const code = checkLeaving(state, from);
  if (code !== undefined) return rejected(code);
  if (amount === 0n) return rejected("NOTHING_TO_DO");
  const to = findAccount(state, payload.to, payload.toSubaccount);
  if (to !== from && !canHold(to, amount)) return rejected("NUMERIC_LIMIT");
  if (!isTrustedToLeave(state, from)) return rejected("PRICE_NOT_VALID");
  const free = freeOf(measure({ account: from, isolated: undefined }));
  if (amount > free) return rejected(refuse(state, "INSUFFICIENT_FREE_COLLATERAL", { amount, free }));
  if (to === from) return rejected("SAME_ACCOUNT");
  from.collateral -= amount;
  openAccount(state, payload.to, payload.toSubaccount).collateral += amount;
  return APPLIED;
};

export const transfer: ModelAction<"transfer"> = { domain: "funds", demand, apply };
