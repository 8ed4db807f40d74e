import type { Problem } from "../../api/problem.ts";

/** Result of an attempt to submit. */
export type Attempt =
  | { readonly kind: "accepted" }
  /** The connection failed before any response. */
  | { readonly kind: "unanswered" }
  /** No response in time. */
  | { readonly kind: "timedOut" }
  | { readonly kind: "problem"; readonly problem: Problem }
  /** A response that is not the venue's: a proxy's, for example. */
  | { readonly kind: "unreadable"; readonly status: number };

/** Next step of a client. */
export type Step =
  /** Do not send it again; ask whether it has committed. */
  | "confirm"
  /** Wait, then send the same bytes with the same key. */
  | "resend"
  /** Wait, then ask for the transaction by its id before anything else; send it again only if it is not known. */
  | "resolve"
  /** The venue has rejected it for good. */
  | "stop";

/** The next step, and whether this attempt may have been carried out. */
export interface Decision {
  readonly step: Step;
  readonly mayHaveArrived: boolean;
}

/**
 * The specification's retry matrix for submissions.
 *
 * | situation | step |
 * |---|---|
 * | connection failed before any response | resend, then confirm by id |
 * | timeout | resolve by id |
 * | 202 | confirm |
 * | 409 | stop |
 * | 422, other 4xx | stop |
 * | 429 | back off, resend; stop where the problem says `retryable: false` |
 * | 503 | back off; resolve by id where it may have been submitted, else resend, or stop as for 429 |
 * | 500, and answers of proxies | as a 503 without `maybeSubmitted` |
 */
export function decide(attempt: Attempt): Decision {
  switch (attempt.kind) {
    case "accepted":
      return { step: "confirm", mayHaveArrived: true };
    case "unanswered":
      return { step: "resend", mayHaveArrived: true };
    case "timedOut":
      return { step: "resolve", mayHaveArrived: true };
    case "unreadable":
      return attempt.status >= 500
        ? { step: "resolve", mayHaveArrived: true }
        : { step: "stop", mayHaveArrived: false };
    case "problem":
      return decideProblem(attempt.problem);
  }
}

function decideProblem({ status, maybeSubmitted, retryable }: Problem): Decision {
  // Waiting does not help: for example, if an earlier nonce is missing.
  if (!retryable && (status === 429 || maybeSubmitted === false)) return { step: "stop", mayHaveArrived: false };
  if (status === 429) return { step: "resend", mayHaveArrived: false };
  if (status === 503 && maybeSubmitted === false) return { step: "resend", mayHaveArrived: false };
  if (status >= 500) return { step: "resolve", mayHaveArrived: true };
  return { step: "stop", mayHaveArrived: false };
}
