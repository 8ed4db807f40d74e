import { type Static, Type } from "typebox";
import { DOMAINS } from "../../../protocol/action.ts";
import { address, hash, height, id, subaccount, text, timeMs, word } from "./common.ts";

/** Fewest and most characters of an idempotency key. */
export const KEY_LEAST = 16;
export const KEY_MOST = 64;
const KEY = `[A-Za-z0-9._:-]{${KEY_LEAST},${KEY_MOST}}`;

/** One pair of quotes around the key is not part of the key. */
export const IDEMPOTENCY_KEY_PATTERN = `^("${KEY}"|${KEY})$`;

const key = (description: string) => Type.String({ pattern: IDEMPOTENCY_KEY_PATTERN, description });

export const SubmissionHeaders = Type.Object({
  "idempotency-key": key(
    "One stable key for each logical submission, 16 to 64 letters, digits, `.`, `_`, `:`, `-`; the transaction's id without `0x` is a good one.",
  ),
});

export const ClaimHeaders = Type.Object({
  "idempotency-key": Type.Optional(
    key("Under the same key the same claim is made once. Without one, each claim counts."),
  ),
});

/** Answer to a submission. Every repetition gets the same. */
export const Accepted = Type.Object(
  {
    txId: hash("Id of the transaction (TX-3)."),
    status: Type.Literal("pending", {
      description: "It was accepted and is on disk. Its confirmation reports whether it traded.",
    }),
    lane: Type.Object(
      {
        account: address("Acting account."),
        subaccount: subaccount("Its subaccount."),
        signer: address("Who signed."),
        domain: word(DOMAINS, "Class of actions."),
        nonce: id("The nonce that it takes."),
      },
      { description: "Where its nonce counts (NON-1)." },
    ),
    validUntil: height("Last height at which it may commit."),
    receivedAtMs: timeMs("When it was first accepted, by the server's clock."),
    links: Type.Object({
      self: text("Path of the transaction."),
      confirmation: text("Path of its confirmation."),
      receipts: text("Path of its receipts."),
      events: text("Path of its events."),
    }),
  },
  { $id: "Accepted", description: "A transaction was accepted. It is submitted, but not yet committed." },
);
export type Accepted = Static<typeof Accepted>;
