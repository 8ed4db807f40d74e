import { BALANCE_CAUSE } from "../../../protocol/events.ts";
import { defineHandler, reject } from "../handler/defineHandler.ts";
import { type CreditPlan, credit, planCredit } from "./credit.ts";

/** Mints simulated collateral, where genesis enables the faucet. */
export const handleFaucetMint = defineHandler<"faucetMint">("faucetMint")<CreditPlan>({
  check(state, _context, { to, toSubaccount, amount }) {
    if (!state.genesis.features.faucet) return reject("FEATURE_DISABLED", { feature: "faucet" });
    return planCredit(state, to, toSubaccount, amount);
  },

  apply(state, _context, plan) {
    const account = credit(state, plan, BALANCE_CAUSE.mint);
    state.events.minted({ account, amount: plan.amount });
  },
});
