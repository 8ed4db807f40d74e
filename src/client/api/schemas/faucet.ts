import { type Static, Type } from "typebox";
import { address, addressParam, amount, count, flag, hash, nullable, subaccount, text, word } from "./common.ts";
import { TX_OUTCOMES, TX_STATUSES } from "./transactions.ts";

export const Faucet = Type.Object(
  {
    enabled: flag("Whether claims are taken."),
    simulated: flag("What it gives is simulated."),
    notice: text("What that means."),
    asset: text("What it gives."),
    maxPerClaim: amount("Most of one claim."),
    claimsOfAccount: nullable(count("Claims that one account may make in a window; null without a limit.")),
    windowSeconds: nullable(count("Length of the window; null without a limit.")),
  },
  { $id: "Faucet", description: "Simulated test assets without any value outside." },
);
export type Faucet = Static<typeof Faucet>;

export const ClaimRequest = Type.Object(
  {
    address: addressParam("Receiving account."),
    subaccount: Type.Optional(subaccount("Receiving subaccount; 0 by default.")),
    amount: Type.Optional(
      Type.String({
        pattern: "^(0|[1-9][0-9]{0,11})(\\.[0-9]{0,5}[1-9])?$",
        description: "USD; the most of a claim by default.",
      }),
    ),
  },
  { additionalProperties: false, $id: "ClaimRequest" },
);

export const Claim = Type.Object(
  {
    txId: hash("The system transaction that mints it."),
    address: address("Receiving account."),
    subaccount: subaccount("Receiving subaccount."),
    amount: amount("Minted amount."),
    simulated: Type.Literal(true, { description: "It is simulated, and has no value outside." }),
    status: word(TX_STATUSES, "What is known of the transaction."),
    outcome: nullable(word(TX_OUTCOMES, "Its outcome; null where it did not commit.")),
  },
  { $id: "Claim", description: "A claim of simulated collateral." },
);
export type Claim = Static<typeof Claim>;
