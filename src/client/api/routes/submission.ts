import { defineRoute } from "../route.ts";
import { SignedTransaction } from "../schemas/signedTransaction.ts";
import { Accepted, SubmissionHeaders } from "../schemas/submission.ts";

export const submissionRoutes = {
  submitTransaction: defineRoute({
    method: "POST",
    path: "/transactions",
    tag: "network",
    summary: "Submit a signed transaction",
    description:
      "202 means accepted, not traded: the transaction is on disk and enters a block at most once. After a lost answer send it again under the same key; the answer is the same, with `Idempotency-Replayed: true`. A bad signature or authorization is 422 `UNAUTHORIZED`, any other admission error is 422 `TRANSACTION_REJECTED`; `reason` is its code. Trading errors commit, and are in the receipt. A full pool is 429 or 503, and `retryable` only if blocks alone make room. A pending transaction that is evicted from a full pool ends as `dropped` with the code `EVICTED`.",
    headers: SubmissionHeaders,
    body: SignedTransaction,
    responses: { 202: Accepted },
    problems: ["UNAUTHORIZED", "IDEMPOTENCY_CONFLICT", "TRANSACTION_REJECTED"],
    weight: 1,
  }),
} as const;
