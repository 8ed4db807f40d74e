import type { Payloads } from "../../protocol/actions/index.ts";
import { defineInvariant } from "../defineInvariant.ts";

export const movesExactly = defineInvariant({
  id: "movesExactly",
  sentence:
    "A deposit, mint, withdrawal or transfer moves exactly the amount that was asked for, which is positive, and nothing else.",
  rules: ["ACT", "POS-4"],
  catalogue: ["T10", "G05"],
  when: "transaction",
  kinds: ["deposited", "minted", "withdrawn", "transferred"],
  touched(look) {
    const { transaction, ledger, index } = look;
    // Impersonated, the amount is inside.
    if (transaction === undefined || look.code !== 0 || transaction.action === "devnetImpersonate") return undefined;
    look.met++;
    const { amount } = transaction.payload as Payloads["withdraw"];
    const name = `transaction ${index}`;
    if (!(amount > 0)) return `${name} moves ${amount}`;
    const { collateral, inflows, withdrawals } = ledger.deltas;
    const came =
      transaction.action === "transfer" ? 0n : transaction.action === "withdraw" ? -BigInt(amount) : BigInt(amount);
    if (collateral.value() !== came) return `${name} asks for ${amount}, and collateral moves by ${collateral.value()}`;
    if (inflows.value() - withdrawals.value() !== came)
      return `${name} asks for ${amount}, and ${inflows.value()} came in`;
    return undefined;
  },
});
