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
      "202 means taken, not traded: the transaction is on disk and will be in a block once and no more. Repeat it under the same key after any doubt; the answer stays the same, with `Idempotency-Replayed: true`. A bad signature or authorization is 422 `UNAUTHORIZED`, any other fault of admission 422 `TRANSACTION_REJECTED`; `reason` says which. Faults of trade commit, and stand in the receipt. A full pool is 429 or 503, `retryable` only where blocks alone make room; a pending transaction that gives way in a full pool ends as `dropped` with the code `EVICTED`.",
    headers: SubmissionHeaders,
    body: SignedTransaction,
    responses: { 202: Accepted },
    problems: ["UNAUTHORIZED", "IDEMPOTENCY_CONFLICT", "TRANSACTION_REJECTED"],
    weight: 1,
  }),
} as const;
