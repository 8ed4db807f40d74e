import { PROBLEMS, type Problem, type ProblemCode } from "../../../client/api/problem.ts";

/** Details of an error, in addition to its code and its sentence. */
export interface ProblemFields {
  /** Set if it differs from the code's: 403, 405, 413, 414, 415, 422, 431. */
  readonly status?: number;
  readonly reason?: string | undefined;
  readonly retryAfterMs?: number;
  /** Set if it differs from the code's. */
  readonly retryable?: boolean;
  readonly txId?: string | undefined;
  readonly maybeSubmitted?: boolean;
  readonly errors?: NonNullable<Problem["errors"]>;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error answer to a request. Handlers throw it; the carrier writes it (RFC 9457). */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly code: ProblemCode;
  readonly fields: ProblemFields;

  constructor(code: ProblemCode, detail: string, fields: ProblemFields = {}) {
    super(detail);
    this.code = code;
    this.fields = fields;
  }

  get status(): number {
    return this.fields.status ?? PROBLEMS[this.code].status;
  }
}

/** The resource does not exist; `reason` names its kind. */
export function notFound(detail: string, reason = "UNKNOWN_RESOURCE"): ProblemError {
  return new ProblemError("NOT_FOUND", detail, { reason });
}

/** The error for a member of a request that is invalid. */
export function invalidField(pointer: string, rule: string, message: string): ProblemError {
  const at = pointer === "" ? "The request" : `\`${pointer}\``;
  return new ProblemError("VALIDATION_ERROR", `${at}: ${message}.`, { errors: [{ pointer, rule, message }] });
}

/** @param instance id of the request */
export function bodyOfProblem({ code, message, status, fields }: ProblemError, instance: string): Problem {
  const { title, retryable } = PROBLEMS[code];
  const { reason, retryAfterMs, txId, maybeSubmitted, errors } = fields;
  return {
    type: `urn:perplab:problem:${code}`,
    title,
    status,
    detail: message,
    instance,
    code,
    ...(reason === undefined ? {} : { reason }),
    retryable: fields.retryable ?? retryable,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(txId === undefined ? {} : { txId }),
    ...(maybeSubmitted === undefined ? {} : { maybeSubmitted }),
    ...(errors === undefined ? {} : { errors }),
  };
}

/** Headers of an error. */
export function headersOfProblem({ code, status, fields }: ProblemError): Record<string, string> {
  const headers: Record<string, string> = { ...fields.headers };
  if (fields.retryAfterMs !== undefined) headers["retry-after"] = String(Math.ceil(fields.retryAfterMs / 1_000));
  if (status === 401 && headers["www-authenticate"] === undefined) {
    headers["www-authenticate"] =
      code === "SESSION_REQUIRED" && fields.reason !== undefined ? 'Bearer error="invalid_token"' : "Bearer";
  }
  return headers;
}
