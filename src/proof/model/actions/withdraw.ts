import { checkGates, countWithdrawal } from "../margin/gates.ts";
import { freeOf, measure } from "../margin/health.ts";
import { checkLeaving, isTrustedToLeave } from "../margin/outflow.ts";
import { APPLIED, refuse, rejected } from "../receipts.ts";
import { actingAccount, type Handler, type ModelAction } from "./handler.ts";

/** Withdraws free collateral while the venue's withdrawal gates are open (MRG-5). */
const apply: Handler<"withdraw"> = (state, context, payload) => {
  const account = actingAccount(context);
  const amount = BigInt(payload.amount);
  const code = checkLeaving(state, account);
  if (code !== undefined) return rejected(code);
  if (amount === 0n) return rejected("NOTHING_TO_DO");
  if (!isTrustedToLeave(state, account)) return rejected("PRICE_NOT_VALID");
  const free = freeOf(measure({ account, isolated: undefined }));
  if (amount > free) return rejected(refuse(state, "INSUFFICIENT_FREE_COLLATERAL", { amount, free }));
  const gate = checkGates(state, amount);
  if (gate !== undefined) return rejected(gate);
  account.collateral -= amount;
  state.totals.withdrawals += amount;
  countWithdrawal(state, amount);
  return APPLIED;
};

export const withdraw: ModelAction<"withdraw"> = { domain: "funds", apply };
