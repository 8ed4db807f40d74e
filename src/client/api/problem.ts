import { type Static, Type } from "typebox";

/** Meaning of a code for the client: its HTTP status, and whether the same request may be sent again. */
interface ProblemKind {
  readonly status: number;
  readonly title: string;
  readonly retryable: boolean;
}

/** Error categories of the specification, and `TRANSACTION_REJECTED`, which it leaves without a code (422). */
export const PROBLEMS = {
  MALFORMED_REQUEST: { status: 400, title: "The request cannot be read", retryable: false },
  VALIDATION_ERROR: { status: 400, title: "A field of the request is invalid", retryable: false },
  UNAUTHORIZED: { status: 401, title: "Authentication or authorization failed", retryable: false },
  SESSION_REQUIRED: { status: 401, title: "A valid wallet session is required", retryable: false },
  NOT_FOUND: { status: 404, title: "There is no such resource", retryable: false },
  RATE_LIMITED: { status: 429, title: "Too many requests", retryable: true },
  IDEMPOTENCY_CONFLICT: { status: 409, title: "The submission conflicts with an earlier one", retryable: false },
  TRANSACTION_REJECTED: { status: 422, title: "The venue does not take the transaction", retryable: false },
  CURSOR_INVALIDATED: { status: 410, title: "The cursor can no longer be used", retryable: false },
  SERVICE_UNAVAILABLE: { status: 503, title: "The service is not available at present", retryable: true },
  INTERNAL_ERROR: { status: 500, title: "The service failed", retryable: true },
} as const satisfies Readonly<Record<string, ProblemKind>>;

export type ProblemCode = keyof typeof PROBLEMS;
export const PROBLEM_CODES = Object.keys(PROBLEMS) as readonly ProblemCode[];

export const PROBLEM_TYPE = "application/problem+json";

/** Body of every error response (RFC 9457). Clients match on `code` and `reason`, never on sentences. */
export const Problem = Type.Object(
  {
    type: Type.String({ description: "Identifies the kind of problem: `urn:perplab:problem:<code>`." }),
    title: Type.String({ description: "The code in words." }),
    status: Type.Integer({ description: "HTTP status." }),
    detail: Type.String({ description: "What is wrong here, and what to do." }),
    instance: Type.String({ description: "Id of the request, as in `X-Request-Id` and in the log." }),
    code: Type.Enum(PROBLEM_CODES as ProblemCode[], {
      description: "Stable code; treat an unknown one by its status.",
    }),
    reason: Type.Optional(Type.String({ description: "Narrower cause within the code; stable." })),
    retryable: Type.Boolean({ description: "Whether the same request may be sent again, unchanged." }),
    retryAfterMs: Type.Optional(Type.Integer({ minimum: 0, description: "Milliseconds to wait before." })),
    txId: Type.Optional(Type.String({ description: "The transaction concerned, once it could be decoded." })),
    maybeSubmitted: Type.Optional(
      Type.Boolean({
        description: "503 on submission: whether the transaction may have been accepted despite the error.",
      }),
    ),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.String({ description: "Place in the request: `body.payload.size`, `query.limit`." }),
          rule: Type.String({ description: "What the place breaks; stable." }),
          message: Type.String({ description: "In words, with what to write instead." }),
        }),
      ),
    ),
  },
  { $id: "Problem", description: "An error." },
);
export type Problem = Static<typeof Problem>;
